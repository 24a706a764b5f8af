package page

import (
	"strconv"
	"strings"
	"time"
)

// Query builds the statement of a keyset list: conditions, order and bounds. It only joins texts
// that stores wrote; values travel as parameters.
type Query struct {
	sql  strings.Builder
	args []any
}

// Where starts a Query with a condition whose ? stand for the values, in order.
func Where(condition string, values ...any) *Query {
	return (&Query{}).And(condition, values...)
}

// And adds a condition whose ? stand for the values, in order.
func (q *Query) And(condition string, values ...any) *Query {
	if q.sql.Len() == 0 {
		q.sql.WriteString(" WHERE ")
	} else {
		q.sql.WriteString(" AND ")
	}
	for _, value := range values {
		before, after, _ := strings.Cut(condition, "?")
		q.args = append(q.args, value)
		q.sql.WriteString(before + "$" + strconv.Itoa(len(q.args)))
		condition = after
	}
	q.sql.WriteString(condition)
	return q
}

// Equals adds column = value if there is a value.
func (q *Query) Equals(column string, value *string) *Query {
	if value == nil {
		return q
	}
	return q.And(column+" = ?", *value)
}

// Keyset completes head into the statement of the page after a position: newest first or, with a
// since (inclusive), by updated_at rising. It reads one row beyond size, which shows whether there
// is another page; size is at most MaxLimit.
func (q *Query) Keyset(head string, since *time.Time, after *Position, size int) (string, []any) {
	return q.KeysetBy("updated_at", since, head, after, size)
}

// KeysetBy is Keyset for rows whose time of change is another column: sinceColumn.
func (q *Query) KeysetBy(sinceColumn string, since *time.Time, head string, after *Position, size int) (string, []any) {
	if since == nil {
		return q.keyset(head, "created_at", "<", "DESC", after, size)
	}
	q.And(sinceColumn+" >= ?", since.UTC())
	return q.keyset(head, sinceColumn, ">", "ASC", after, size)
}

func (q *Query) keyset(head, column, comparison, direction string, after *Position, size int) (string, []any) {
	if after != nil {
		q.And("("+column+", id) "+comparison+" (?, ?)", after.At, after.ID)
	}
	// The text is the same for every size, so that one prepared statement serves them all. The inner limit is for
	// the planner: a generic plan for an unknown limit would sort the rows instead of reading the index in order.
	// The outer one stops the inner query after the rows that are wanted.
	q.args = append(q.args, size+1)
	return "SELECT * FROM (" + head + q.sql.String() + " ORDER BY " + column + " " + direction + ", id " + direction +
		" LIMIT " + strconv.Itoa(MaxLimit+1) + ") AS page LIMIT $" + strconv.Itoa(len(q.args)), q.args
}

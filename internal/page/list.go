package page

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// MaxScan is the largest number of rows that one page examines, so that its cost is bounded whatever its filters are.
// Examining 10,000 cards takes about 40 ms.
const MaxScan = 10_000

// Condition is an SQL condition. Each ? in SQL stands for a value, in order. Values are passed as parameters.
type Condition struct {
	SQL    string
	Values []any
}

// Where returns a Condition.
func Where(sql string, values ...any) Condition { return Condition{sql, values} }

// LeadingColumn is a column that must have a value and comes before the order in the index.
type LeadingColumn struct {
	Column string
	Value  any
}

// List describes a list with keyset pagination: in descending order or, with Ascending or Since, in ascending order.
// Table must have an index on account_id, the leading column if there is one, Time and ID.
type List struct {
	Columns string // columns to read
	Table   string // table with the columns of the order
	Time    string // column or expression that orders the rows
	Text    bool   // Time is a text, Position.Key, instead of a time; rows have it as sort_key after Scanned
	Binary  bool   // with Text: Time is a bytea
	ID      string // column that orders rows of the same time
	// Ascending reverses the order.
	Ascending bool
	// Join reads Columns from another table: a lateral join that returns one row for each row of ordered (owner,
	// sort_time, sort_id). If it is empty, Columns are columns of Table.
	Join    string
	Account string
	Leading *LeadingColumn
	Filter  []Condition // evaluated for each row; a statement with conditions must run in a postgres.Snapshot
	MaxScan int         // largest number of rows to examine; the default is the constant MaxScan
	Since   *time.Time  // inclusive
	// Range are conditions on Time, which limit the rows that are read.
	Range []Condition
}

func (l List) maxScan() int {
	if l.MaxScan > 0 {
		return l.MaxScan
	}
	return MaxScan
}

// Statement returns the statement that reads the page after a position. Its rows have Columns and the columns of
// Scanned. It reads up to size + 1 rows; the last one shows that there is another page. size is at most MaxLimit.
func (l List) Statement(after *Position, size int) (text string, args []any) {
	a := arguments{l.Account}
	if len(l.Filter) == 0 {
		// The text is the same for every size, so that one prepared statement serves all sizes. The inner limit is
		// constant because a generic plan for an unknown limit would sort the rows instead of reading the index in
		// order.
		text = fmt.Sprintf(`SELECT %s, true AS included, false AS last_scanned%s FROM %s ORDER BY %s LIMIT %s`,
			l.Columns, l.sortKey("sort_time"), l.ordered(&a, after, MaxLimit+1), l.order(), a.add(size+1))
		return text, a
	}
	text = fmt.Sprintf(`
		SELECT %s, matches IS TRUE AS included, place = %d AS last_scanned%[7]s
		FROM (SELECT *, %[3]s AS matches, row_number() OVER (ORDER BY %s) AS place FROM %s) AS examined
		WHERE matches OR place = %[2]d
		ORDER BY %[4]s LIMIT %[6]s`,
		l.Columns, l.maxScan(), a.all(l.Filter), l.order(), l.ordered(&a, after, l.maxScan()), a.add(size+1),
		l.sortKey("sort_time"))
	return text, a
}

// sortKey returns the column with the text that orders the rows, if it is one.
func (l List) sortKey(expression string) string {
	if !l.Text {
		return ""
	}
	return ", " + expression + " AS sort_key"
}

// ascending reports whether the list is in ascending order.
func (l List) ascending() bool { return l.Ascending || l.Since != nil }

// value returns the value of Time at a position.
func (l List) value(p *Position) any {
	switch {
	case l.Binary:
		return []byte(p.Key)
	case l.Text:
		return p.Key
	}
	return p.At
}

// ordered returns the subquery that reads the first rows in the list's order.
func (l List) ordered(a *arguments, after *Position, limit int) string {
	columns := l.Columns
	if l.Join != "" {
		columns = "account_id AS owner"
	}
	if l.ranged() {
		columns = l.Leading.Column + " AS sort_lead, " + columns
	}
	where := append(append([]Condition{Where("account_id = $1")}, l.Range...), l.bounds(after)...)
	return fmt.Sprintf(
		`(SELECT %s AS sort_time, %s AS sort_id, %s FROM %s WHERE %s ORDER BY %s LIMIT %d) AS ordered %s`,
		l.Time, l.ID, columns, l.Table, a.all(where), l.order(), limit, l.Join)
}

// bounds returns the conditions on the columns of the index.
func (l List) bounds(after *Position) (where []Condition) {
	comparison, inward := "<", ">="
	if l.ascending() {
		comparison, inward = ">", "<="
	}
	if l.Since != nil {
		where = append(where, Where(l.Time+" >= ?", l.Since.UTC()))
	}
	switch {
	case l.Leading == nil:
	case !l.ranged():
		where = append(where, Where(l.Leading.Column+" = ?", l.Leading.Value))
	case after == nil:
		where = append(where,
			Where(fmt.Sprintf("%s >= ? AND %[1]s <= ?", l.Leading.Column), l.Leading.Value, l.Leading.Value))
	default:
		rows := fmt.Sprintf("%s %s ? AND (%[1]s, %[3]s, %s) %s (?, ?, ?)",
			l.Leading.Column, inward, l.Time, l.ID, comparison)
		return append(where, Where(rows, l.Leading.Value, l.Leading.Value, l.value(after), after.ID))
	}
	if after != nil {
		keys := fmt.Sprintf("(%s, %s) %s (?, ?)", l.Time, l.ID, comparison)
		where = append(where, Where(keys, l.value(after), after.ID))
	}
	return where
}

// ranged reports whether the value of Leading is written as a range and the order starts with its column. With an
// equality, PostgreSQL could also use an index without the leading column and search its rows for the value.
func (l List) ranged() bool { return l.Leading != nil && l.Since == nil && len(l.Filter) > 0 }

func (l List) order() string {
	columns := []string{"sort_time", "sort_id"}
	if l.ranged() {
		columns = append([]string{"sort_lead"}, columns...)
	}
	if l.ascending() {
		return strings.Join(columns, ", ")
	}
	return strings.Join(columns, " DESC, ") + " DESC"
}

// CandidateStatement is Statement for a list with few, known rows. It examines and sorts all rows of candidates, an SQL
// source of Columns whose parameters start at $2.
func (l List) CandidateStatement(
	candidates string, values []any, after *Position, size int,
) (text string, args []any) {
	a := arguments(append([]any{l.Account}, values...))
	direction := "DESC"
	if l.ascending() {
		direction = "ASC"
	}
	text = fmt.Sprintf(`
		SELECT %s, true AS included, false AS last_scanned%[8]s
		FROM %[2]s WHERE %s ORDER BY %s %s, %s %[5]s LIMIT %[7]s`,
		l.Columns, candidates, a.all(append(l.bounds(after), l.Filter...)), l.Time, direction, l.ID, a.add(size+1),
		l.sortKey(l.Time))
	return text, a
}

// arguments are the parameters of a statement.
type arguments []any

// add adds a value and returns its placeholder.
func (a *arguments) add(value any) string {
	*a = append(*a, value)
	return "$" + strconv.Itoa(len(*a))
}

// all joins conditions with AND.
func (a *arguments) all(conditions []Condition) string {
	if len(conditions) == 0 {
		return "true"
	}
	texts := make([]string, len(conditions))
	for i, c := range conditions {
		texts[i] = c.SQL
		for _, value := range c.Values {
			texts[i] = strings.Replace(texts[i], "?", a.add(value), 1)
		}
	}
	return strings.Join(texts, " AND ")
}

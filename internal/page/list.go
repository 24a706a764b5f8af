package page

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Reach is how many rows one page looks at, at most: what it costs is bounded, whatever its filters are. 10,000 cards
// take about 40 ms.
const Reach = 10_000

// Condition is SQL whose ? stand for the values, in order. Stores write the SQL; values travel as parameters.
type Condition struct {
	SQL    string
	Values []any
}

// If returns a Condition.
func If(sql string, values ...any) Condition { return Condition{sql, values} }

// Lead is a column that must have a value.
type Lead struct {
	Column string
	Value  any
}

// List says what a keyset list holds and how it is read: newest first or, with Since, oldest first. Its rows must have
// an index on account_id, the column of Lead if there is one, Time and ID.
type List struct {
	Columns string // what is read of each row
	Table   string // where the order stands
	Time    string // column of the order
	ID      string // column that orders rows of the same time
	// Join reads the columns where another table holds them: a lateral join that yields one row for each row of
	// ordered (owner, sort_time, sort_id). Empty: the columns are Table's own.
	Join    string
	Account string
	Lead    *Lead
	Filter  []Condition // judged row by row; a statement with any belongs into a postgres.Snapshot
	Reach   int         // how many rows are judged at most; 0 means the package's Reach
	Since   *time.Time  // inclusive
}

func (l List) reach() int {
	if l.Reach > 0 {
		return l.Reach
	}
	return Reach
}

// Statement returns what reads the page after a position: rows of Columns and of Mark. A page of size rows reads one
// more, which shows whether there is another page; size is at most MaxLimit.
func (l List) Statement(after *Position, size int) (text string, args []any) {
	a := arguments{l.Account}
	if len(l.Filter) == 0 {
		// The text is the same for every size, so that one prepared statement serves them all. The inner limit is for
		// the planner: a generic plan for an unknown limit would sort the rows instead of reading the index in order.
		text = fmt.Sprintf(`SELECT %s, true AS belongs, false AS ends FROM %s ORDER BY %s LIMIT %s`,
			l.Columns, l.ordered(&a, after, MaxLimit+1), l.order(), a.add(size+1))
		return text, a
	}
	text = fmt.Sprintf(`
		SELECT %s, matches IS TRUE AS belongs, place = %d AS ends
		FROM (SELECT *, %s AS matches, row_number() OVER (ORDER BY %s) AS place FROM %s) AS judged
		WHERE matches OR place = %[2]d
		ORDER BY %[4]s LIMIT %[6]s`,
		l.Columns, l.reach(), a.all(l.Filter), l.order(), l.ordered(&a, after, l.reach()), a.add(size+1))
	return text, a
}

// ordered is the source of the first rows in the list's order.
func (l List) ordered(a *arguments, after *Position, limit int) string {
	columns := l.Columns
	if l.Join != "" {
		columns = "account_id AS owner"
	}
	if l.ranged() {
		columns = l.Lead.Column + " AS sort_lead, " + columns
	}
	where := append([]Condition{If("account_id = $1")}, l.bounds(after)...)
	return fmt.Sprintf(`(SELECT %s AS sort_time, %s AS sort_id, %s FROM %s WHERE %s ORDER BY %s LIMIT %d) AS ordered %s`,
		l.Time, l.ID, columns, l.Table, a.all(where), l.order(), limit, l.Join)
}

// bounds are the conditions by which the index is entered.
func (l List) bounds(after *Position) (where []Condition) {
	comparison := "<"
	if l.Since != nil {
		where, comparison = append(where, If(l.Time+" >= ?", l.Since.UTC())), ">"
	}
	switch {
	case l.Lead == nil:
	case !l.ranged():
		where = append(where, If(l.Lead.Column+" = ?", l.Lead.Value))
	case after == nil:
		where = append(where, If(fmt.Sprintf("%s >= ? AND %[1]s <= ?", l.Lead.Column), l.Lead.Value, l.Lead.Value))
	default:
		return append(where, If(fmt.Sprintf("%s >= ? AND (%[1]s, %s, %s) < (?, ?, ?)", l.Lead.Column, l.Time, l.ID),
			l.Lead.Value, l.Lead.Value, after.At, after.ID))
	}
	if after != nil {
		where = append(where, If(fmt.Sprintf("(%s, %s) %s (?, ?)", l.Time, l.ID, comparison), after.At, after.ID))
	}
	return where
}

// ranged reports whether the value of Lead is given as a range and the order begins with its column. With an equality
// any index with the order of time would do, also one whose rows would have to be searched for the value.
func (l List) ranged() bool { return l.Lead != nil && l.Since == nil && len(l.Filter) > 0 }

func (l List) order() string {
	switch {
	case l.Since != nil:
		return "sort_time, sort_id"
	case l.ranged():
		return "sort_lead DESC, sort_time DESC, sort_id DESC"
	}
	return "sort_time DESC, sort_id DESC"
}

// Among is Statement for a list whose rows are few and known: it judges and sorts all candidates, a source of Columns
// with parameters from $2 on.
func (l List) Among(candidates string, values []any, after *Position, size int) (text string, args []any) {
	a := arguments(append([]any{l.Account}, values...))
	direction := "DESC"
	if l.Since != nil {
		direction = "ASC"
	}
	text = fmt.Sprintf(`SELECT %s, true AS belongs, false AS ends FROM %s WHERE %s ORDER BY %s %s, %s %[5]s LIMIT %[7]s`,
		l.Columns, candidates, a.all(append(l.bounds(after), l.Filter...)), l.Time, direction, l.ID, a.add(size+1))
	return text, a
}

// arguments are a statement's parameters.
type arguments []any

// add returns the placeholder of a value.
func (a *arguments) add(value any) string {
	*a = append(*a, value)
	return "$" + strconv.Itoa(len(*a))
}

// all returns the text of conditions that must all hold.
func (a *arguments) all(conditions []Condition) string {
	texts := make([]string, len(conditions))
	for i, c := range conditions {
		texts[i] = c.SQL
		for _, value := range c.Values {
			texts[i] = strings.Replace(texts[i], "?", a.add(value), 1)
		}
	}
	return strings.Join(texts, " AND ")
}

package paging

import (
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

// SortColumn is the column or expression that orders the rows of a list.
type SortColumn struct {
	Expr string // SQL
	Type SortType
}

// SortType is the type of a SortColumn.
type SortType int

// The types of a SortColumn. Rows in the order of a text or of bytes have the value as sort_key, after the columns of
// Scanned.
const (
	SortTime  SortType = iota // compared with Position.At
	SortText                  // compared with Position.Key
	SortBytes                 // compared with the bytes of Position.Key
)

// ByTime returns the order by a column of type timestamptz.
func ByTime(expr string) SortColumn { return SortColumn{expr, SortTime} }

// ByText returns the order by a text.
func ByText(expr string) SortColumn { return SortColumn{expr, SortText} }

// ByBytes returns the order by a bytea.
func ByBytes(expr string) SortColumn { return SortColumn{expr, SortBytes} }

// HasKey reports whether the order is by texts or bytes, so that Position.Key has the value.
func (c SortColumn) HasKey() bool { return c.Type != SortTime }

// value returns the value of the column at a position.
func (c SortColumn) value(p Position) any {
	switch c.Type {
	case SortBytes:
		return []byte(p.Key)
	case SortText:
		return p.Key
	}
	return p.At
}

// List describes a list with keyset pagination: in descending order or, with Ascending or Since, in ascending order.
// Table must have an index on account_id, the leading column if there is one, Sort and ID.
type List struct {
	Columns string // columns to read
	Table   string // table with the columns of the order
	Sort    SortColumn
	ID      string // column that orders rows with the same value of Sort
	// Ascending reverses the order.
	Ascending bool
	// Join reads Columns from another table: a lateral join that returns one row for each row of ordered (owner,
	// sort_value, sort_id). If it is empty, Columns are columns of Table.
	Join    string
	Account string
	Leading *LeadingColumn
	Filter  []Condition // evaluated for each row; a statement with conditions must run in a postgres.Snapshot
	MaxScan int         // largest number of rows to examine; the default is the constant MaxScan
	Since   *time.Time  // inclusive
	// Range are conditions on Sort, which limit the rows that are read.
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
		text = `
		SELECT ` + l.Columns + `, true AS included, false AS last_scanned` + l.sortKey("sort_value") + `
		FROM ` + l.ordered(&a, after, MaxLimit+1) + `
		ORDER BY ` + l.order() + ` LIMIT ` + a.add(size+1)
		return text, a
	}
	lastPlace := strconv.Itoa(l.maxScan())
	text = `
		SELECT ` + l.Columns + `, matches IS TRUE AS included, place = ` + lastPlace + ` AS last_scanned` +
		l.sortKey("sort_value") + `
		FROM (
			SELECT *, ` + a.all(l.Filter) + ` AS matches, row_number() OVER (ORDER BY ` + l.order() + `) AS place
			FROM ` + l.ordered(&a, after, l.maxScan()) + `
		) AS examined
		WHERE matches OR place = ` + lastPlace + `
		ORDER BY ` + l.order() + ` LIMIT ` + a.add(size+1)
	return text, a
}

// sortKey returns the column sort_key with an expression, unless the rows are in the order of a time.
func (l List) sortKey(expr string) string {
	if !l.Sort.HasKey() {
		return ""
	}
	return ", " + expr + " AS sort_key"
}

// ascending reports whether the list is in ascending order.
func (l List) ascending() bool { return l.Ascending || l.Since != nil }

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
	return `(
				SELECT ` + l.Sort.Expr + ` AS sort_value, ` + l.ID + ` AS sort_id, ` + columns + `
				FROM ` + l.Table + ` WHERE ` + a.all(where) + `
				ORDER BY ` + l.order() + ` LIMIT ` + strconv.Itoa(limit) + `
			) AS ordered ` + l.Join
}

// bounds returns the conditions on the columns of the index.
func (l List) bounds(after *Position) (where []Condition) {
	if l.Since != nil {
		where = append(where, Where(l.Sort.Expr+" >= ?", l.Since.UTC()))
	}
	if l.Leading != nil {
		where = append(where, l.leadingBounds(after))
	}
	if after != nil {
		where = append(where, l.after(*after))
	}
	return where
}

// leadingBounds returns the condition on the leading column. If it is a range, one bound is enough after a position,
// because the condition of the position is the other one.
func (l List) leadingBounds(after *Position) Condition {
	column, value := l.Leading.Column, l.Leading.Value
	switch {
	case !l.ranged():
		return Where(column+" = ?", value)
	case after == nil:
		return Where(column+" >= ? AND "+column+" <= ?", value, value)
	case l.ascending():
		return Where(column+" <= ?", value)
	}
	return Where(column+" >= ?", value)
}

// after returns the condition on the rows after a position.
func (l List) after(p Position) Condition {
	comparison := "<"
	if l.ascending() {
		comparison = ">"
	}
	if l.ranged() {
		return Where("("+l.Leading.Column+", "+l.Sort.Expr+", "+l.ID+") "+comparison+" (?, ?, ?)",
			l.Leading.Value, l.Sort.value(p), p.ID)
	}
	return Where("("+l.Sort.Expr+", "+l.ID+") "+comparison+" (?, ?)", l.Sort.value(p), p.ID)
}

// ranged reports whether the value of Leading is written as a range and the order starts with its column. With an
// equality, PostgreSQL could also use an index without the leading column and search its rows for the value.
func (l List) ranged() bool { return l.Leading != nil && l.Since == nil && len(l.Filter) > 0 }

func (l List) order() string {
	columns := []string{"sort_value", "sort_id"}
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
	direction := " DESC"
	if l.ascending() {
		direction = ""
	}
	text = `
		SELECT ` + l.Columns + `, true AS included, false AS last_scanned` + l.sortKey(l.Sort.Expr) + `
		FROM ` + candidates + `
		WHERE ` + a.all(append(l.bounds(after), l.Filter...)) + `
		ORDER BY ` + l.Sort.Expr + direction + `, ` + l.ID + direction + ` LIMIT ` + a.add(size+1)
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

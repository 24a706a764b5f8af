package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lib/pq"
)

// deferred is a statement that has not run yet.
type deferred struct {
	query string
	args  []any
	rows  bool // the arguments are columns of DeferRows
}

// Defer adds an INSERT, UPDATE or DELETE that runs later, in one round trip with the other deferred
// statements: before the transaction's next statement, or before its commit. Use it for statements
// whose result is not needed. If one fails, the call that runs them returns the error and the
// transaction must be rolled back. The statements run as one WITH, so they do not see each other's
// changes and must not change the same row. Each $ of a query must begin one of its parameters.
func (tx *Tx) Defer(query string, args ...any) {
	tx.deferred = append(tx.deferred, deferred{query, args, false})
}

// DeferRows is like Defer for a statement whose parameters are arrays, one per column, with one element
// per row: pq.StringArray or pq.Int64Array. The calls with the same query share one statement, which
// gets the rows of all calls. That must have the same effect as one statement for each call, so the
// statement must treat each row alone: an INSERT of the rows, an UPDATE of the row that each row names,
// or an aggregate that does not depend on how the rows are divided. A parameter that is a string applies
// to all rows of the call: only calls with the same strings share a statement.
func (tx *Tx) DeferRows(query string, columns ...any) {
	tx.deferred = append(tx.deferred, deferred{query, columns, true})
}

// Flush runs the deferred statements. InTx calls it before the commit.
func (tx *Tx) Flush(ctx context.Context) error {
	if len(tx.deferred) == 0 {
		return nil
	}
	statements, err := mergeRows(tx.deferred)
	if err != nil {
		return err
	}
	query, args, err := combine(statements)
	if err != nil {
		return err
	}
	tx.deferred = nil // before Exec, which calls Flush
	if _, err := tx.Exec(ctx, query, args...); err != nil {
		return fmt.Errorf("run deferred statements: %w", err)
	}
	return nil
}

// mergeKey identifies the statements that can share one: they have the same query and strings.
func (d deferred) mergeKey() string {
	key := d.query
	for _, arg := range d.args {
		if text, ok := arg.(string); ok {
			key += "\x00" + text
		}
	}
	return key
}

// mergeRows merges the statements of DeferRows that have the same query and strings.
func mergeRows(statements []deferred) ([]deferred, error) {
	var list []deferred
	places := map[string]int{}
	for _, s := range statements {
		if !s.rows {
			list = append(list, s)
			continue
		}
		key := s.mergeKey()
		place, ok := places[key]
		if !ok {
			place = len(list)
			places[key] = place
			list = append(list, deferred{query: s.query})
		}
		if err := list[place].merge(s.args); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// merge adds the rows of a call of DeferRows.
func (d *deferred) merge(columns []any) (err error) {
	if d.args == nil {
		d.args = make([]any, len(columns))
		for i, column := range columns {
			if d.args[i], err = firstRows(column); err != nil {
				return err
			}
		}
		return nil
	}
	if len(columns) != len(d.args) {
		return fmt.Errorf("postgres: DeferRows got %d columns, then %d for %q", len(d.args), len(columns), d.query)
	}
	for i, column := range columns {
		if d.args[i], err = appendRows(d.args[i], column); err != nil {
			return err
		}
	}
	return nil
}

// firstRows returns a column of DeferRows. appendRows does not change the caller's array.
func firstRows(column any) (any, error) {
	switch column := column.(type) {
	case string:
		return column, nil
	case pq.StringArray:
		return slices.Clip(column), nil
	case pq.Int64Array:
		return slices.Clip(column), nil
	}
	return nil, fmt.Errorf("postgres: %T cannot be a column of DeferRows", column)
}

// appendRows returns a column with the rows of another call with the same query and strings.
func appendRows(column, more any) (any, error) {
	switch column := column.(type) {
	case string:
		return column, nil
	case pq.StringArray:
		if more, ok := more.(pq.StringArray); ok {
			return append(column, more...), nil
		}
	case pq.Int64Array:
		if more, ok := more.(pq.Int64Array); ok {
			return append(column, more...), nil
		}
	}
	return nil, fmt.Errorf("postgres: DeferRows cannot append %T to %T", more, column)
}

// combine makes one statement of several. All but the last become parts of a WITH. PostgreSQL runs
// data-modifying parts completely although nothing reads from them.
func combine(statements []deferred) (query string, args []any, err error) {
	var b strings.Builder
	last := len(statements) - 1
	for i, s := range statements {
		switch {
		case i == last && i > 0:
			b.WriteString(") ")
		case i == 0 && i < last:
			b.WriteString("WITH deferred0 AS (")
		case i > 0:
			fmt.Fprintf(&b, "), deferred%d AS (", i)
		}
		if err := s.write(&b, len(args)); err != nil {
			return "", nil, err
		}
		args = append(args, s.args...)
	}
	return b.String(), args, nil
}

// write writes the statement to b. Its first parameter gets the number after offset.
func (d deferred) write(b *strings.Builder, offset int) error {
	query, err := parseQuery(d.query, '$', "0123456789")
	if err != nil {
		return err
	}
	for i, parameter := range query.parameters {
		number, err := strconv.Atoi(parameter)
		if err != nil || number < 1 || number > len(d.args) {
			return fmt.Errorf("postgres: $%s is not one of the %d parameters of %q", parameter, len(d.args), d.query)
		}
		b.WriteString(query.texts[i])
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(number + offset))
	}
	b.WriteString(query.texts[len(query.parameters)])
	return nil
}

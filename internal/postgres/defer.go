package postgres

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// ErrPartiallyApplied is the error of a Try that failed after it had run statements: the transaction
// must be rolled back.
var ErrPartiallyApplied = errors.New("postgres: a part of the transaction failed after it had run statements")

// deferred is a statement that waits for company.
type deferred struct {
	query string
	args  []any
	rows  bool // each argument is a column, which another's rows may join
}

// Defer has a plain INSERT, UPDATE or DELETE run later, together with the others deferred and in one
// round trip: before the transaction's next statement, or else before its commit. It is for writes of
// whose outcome nothing need be known; an error is returned by what runs them, and nothing is
// committed. As in any WITH, the statements do not see one another's changes and must not touch the
// same rows.
func (tx *Tx) Defer(query string, args ...any) {
	tx.deferred = append(tx.deferred, deferred{query, args, false})
}

// DeferRows is Defer for a statement whose parameters are columns, one array each (pq.StringArray,
// pq.Int64Array …), of as many rows as there are elements. Rows deferred by the same statement
// are written by it at once.
func (tx *Tx) DeferRows(query string, columns ...any) {
	tx.deferred = append(tx.deferred, deferred{query, columns, true})
}

// Try runs a part of the transaction that may fail by itself. If fn fails, its error is returned, and
// what fn has deferred, until after the commit too, is dropped. If fn has run statements by then, the
// error is ErrPartiallyApplied too, and the transaction must be rolled back.
func (tx *Tx) Try(fn func() error) error {
	ran, waiting, committed := tx.ran, len(tx.deferred), len(tx.committed)
	err := fn()
	switch {
	case err == nil:
		return nil
	case tx.ran != ran:
		return errors.Join(ErrPartiallyApplied, err)
	}
	tx.deferred, tx.committed = tx.deferred[:waiting], tx.committed[:committed]
	return err
}

// Flush runs what is deferred. InTx does so before it commits.
func (tx *Tx) Flush(ctx context.Context) error {
	if len(tx.deferred) == 0 {
		return nil
	}
	query, args := together(joined(tx.deferred))
	tx.deferred = nil // first: to run a statement is to flush
	if _, err := tx.Exec(ctx, query, args...); err != nil {
		return fmt.Errorf("postgres: deferred: %w", err)
	}
	return nil
}

// joined makes one statement of those that differ in their rows alone.
func joined(statements []deferred) []deferred {
	var out []deferred
	at := map[string]int{}
	for _, s := range statements {
		i, met := at[s.query]
		if !s.rows || !met {
			if s.rows {
				at[s.query] = len(out)
				s.args = append([]any(nil), s.args...)
			}
			out = append(out, s)
			continue
		}
		for column, values := range s.args {
			first := reflect.ValueOf(out[i].args[column])
			out[i].args[column] = reflect.AppendSlice(first, reflect.ValueOf(values)).Interface()
		}
	}
	return out
}

// together makes one statement of several: all but the last become parts of a WITH, which PostgreSQL
// runs to their end although nothing reads from them.
func together(statements []deferred) (string, []any) {
	if len(statements) == 1 {
		return statements[0].query, statements[0].args
	}
	var b strings.Builder
	var args []any
	last := len(statements) - 1
	for i, s := range statements {
		switch i {
		case 0:
			b.WriteString("WITH deferred0 AS (")
		case last:
			b.WriteString(") ")
		default:
			fmt.Fprintf(&b, "), deferred%d AS (", i)
		}
		renumber(&b, s.query, len(args))
		args = append(args, s.args...)
	}
	return b.String(), args
}

// renumber writes a statement whose parameters come after by others.
func renumber(b *strings.Builder, query string, by int) {
	for {
		before, after, found := strings.Cut(query, "$")
		b.WriteString(before)
		if !found {
			return
		}
		digits := len(after) - len(strings.TrimLeft(after, "0123456789"))
		number, _ := strconv.Atoi(after[:digits])
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(number + by))
		query = after[digits:]
	}
}

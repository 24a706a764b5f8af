package postgres

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// ErrPartiallyApplied means that the function of a Try failed after it had run statements. The
// transaction must be rolled back.
var ErrPartiallyApplied = errors.New("postgres: a part of the transaction failed after it had run statements")

// deferred is a statement that has not run yet.
type deferred struct {
	query string
	args  []any
	rows  bool // rows of the same query are appended to the arguments that are arrays
}

// Defer adds an INSERT, UPDATE or DELETE that runs later, in one round trip with the other deferred
// statements: before the transaction's next statement, or before its commit. Use it for statements
// whose result is not needed. If one fails, the call that runs them returns the error and the
// transaction must be rolled back. The statements run as one WITH, so they do not see each other's
// changes and must not change the same row.
func (tx *Tx) Defer(query string, args ...any) {
	tx.deferred = append(tx.deferred, deferred{query, args, false})
}

// DeferRows is like Defer for a statement whose parameters are arrays (pq.StringArray, pq.Int64Array …),
// one per column, with one element per row. The rows of several calls with the same query are written
// by one statement. A parameter that is a string applies to all rows of the call: only calls with the same
// strings share a statement.
func (tx *Tx) DeferRows(query string, columns ...any) {
	tx.deferred = append(tx.deferred, deferred{query, columns, true})
}

// Undo calls fn if the part of the transaction that Try runs at the moment fails. It takes back what the part has
// changed in memory.
func (tx *Tx) Undo(fn func()) { tx.undo = append(tx.undo, fn) }

// Try runs a part of the transaction that may fail without failing the rest. If fn fails, Try drops what
// fn has passed to Defer, DeferRows, AfterCommit and AfterUnknownCommit, calls what it has passed to Undo,
// and returns the error. If fn has run statements by then, the error is also ErrPartiallyApplied, and the
// transaction must be rolled back.
func (tx *Tx) Try(fn func() error) error {
	ran, waiting, committed, unknown := tx.ran, len(tx.deferred), len(tx.committed), len(tx.unknown)
	tx.undo = nil
	err := fn()
	switch {
	case err == nil:
		return nil
	case tx.ran != ran:
		return errors.Join(ErrPartiallyApplied, err)
	}
	tx.deferred, tx.committed, tx.unknown = tx.deferred[:waiting], tx.committed[:committed], tx.unknown[:unknown]
	for _, undo := range slices.Backward(tx.undo) {
		undo()
	}
	return err
}

// Flush runs the deferred statements. InTx calls it before the commit.
func (tx *Tx) Flush(ctx context.Context) error {
	if len(tx.deferred) == 0 {
		return nil
	}
	query, args := combine(mergeRows(tx.deferred))
	tx.deferred = nil // before Exec, which calls Flush
	if _, err := tx.Exec(ctx, query, args...); err != nil {
		return fmt.Errorf("postgres: deferred statements: %w", err)
	}
	return nil
}

// mergeKey identifies the statements that share one: those of the same query and strings.
func (d deferred) mergeKey() string {
	key := d.query
	for _, arg := range d.args {
		if text, ok := arg.(string); ok {
			key += "\x00" + text
		}
	}
	return key
}

// mergeRows merges the statements of DeferRows that have the same query.
func mergeRows(statements []deferred) []deferred {
	var out []deferred
	at := map[string]int{}
	for _, s := range statements {
		if !s.rows {
			out = append(out, s)
			continue
		}
		key := s.mergeKey()
		i, met := at[key]
		if !met {
			at[key] = len(out)
			s.args = append([]any(nil), s.args...)
			out = append(out, s)
			continue
		}
		for column, values := range s.args {
			if _, scalar := values.(string); !scalar {
				first := reflect.ValueOf(out[i].args[column])
				out[i].args[column] = reflect.AppendSlice(first, reflect.ValueOf(values)).Interface()
			}
		}
	}
	return out
}

// combine makes one statement of several. All but the last become parts of a WITH. PostgreSQL runs
// data-modifying parts completely although nothing reads from them.
func combine(statements []deferred) (string, []any) {
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

// renumber writes a statement to b and increases the numbers of its parameters by by.
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

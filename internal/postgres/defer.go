package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// deferred is a statement that waits for company.
type deferred struct {
	query string
	args  []any
}

// Defer has a plain INSERT, UPDATE or DELETE run later, together with the others deferred and in one
// round trip: before the transaction's next statement, or else before its commit. It is for writes of
// whose outcome nothing need be known; an error is returned by what runs them, and nothing is
// committed. As in any WITH, the statements do not see one another's changes and must not touch the
// same rows.
func (tx *Tx) Defer(query string, args ...any) {
	tx.deferred = append(tx.deferred, deferred{query, args})
}

// flush runs what is deferred.
func (tx *Tx) flush(ctx context.Context) error {
	if len(tx.deferred) == 0 {
		return nil
	}
	query, args := together(tx.deferred)
	tx.deferred = nil // first: to run a statement is to flush
	if _, err := tx.Exec(ctx, query, args...); err != nil {
		return fmt.Errorf("postgres: deferred: %w", err)
	}
	return nil
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

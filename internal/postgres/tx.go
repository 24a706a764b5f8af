package postgres

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/tracing"
)

// Tx is one transaction. It is not safe for concurrent use.
type Tx struct {
	session
	tx        *sqlx.Tx
	db        *DB
	deferred  []deferred
	committed []func()
	unknown   []func()
	locals    map[any]any // see Local
	missing   []string    // queries to prepare after the transaction
}

// TxHook is called at the end of a transaction, before its commit. It adds statements of the caller of a service
// to the service's transaction. An error rolls the transaction back. A nil hook does nothing.
type TxHook func(context.Context, *Tx) error

// maxAttempts is how often InTx runs a transaction that PostgreSQL aborts because of a deadlock.
const maxAttempts = 3

// InTx runs fn in a transaction and commits it if fn returns nil. If PostgreSQL aborts the transaction
// because of a deadlock or a serialization failure, InTx runs it again from the start. fn must
// therefore have no effect outside the database; use AfterCommit for such effects. Before fn, InTx calls the guard of
// ctx (WithGuard).
func (db *DB) InTx(ctx context.Context, fn func(*Tx) error) error {
	return db.inTx(ctx, func(tx *Tx) error {
		if err := tx.Guard(ctx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// inTx is InTx without the guard of ctx.
func (db *DB) inTx(ctx context.Context, fn func(*Tx) error) error {
	_, span := tracing.Child(ctx, trace.SpanKindClient, "transaction", attribute.String("db.system.name", "postgresql"))
	defer span.End()
	for attempt := 1; ; attempt++ {
		err := db.once(ctx, fn)
		if attempt < maxAttempts && errors.Is(err, errTryAgain) {
			span.Event("run again")
			continue
		}
		span.Fail(tracing.Class(err))
		return err
	}
}

func (db *DB) once(ctx context.Context, fn func(*Tx) error) error {
	if err := db.admission.transactions.Acquire(ctx, 1); err != nil {
		return mapError(ctx, err)
	}
	defer db.admission.transactions.Release(1)
	raw, release, err := db.begin(ctx)
	if err != nil {
		return mapError(ctx, err)
	}
	defer release()
	tx := &Tx{tx: raw, db: db}
	tx.session = session{direct: raw, prepared: tx.prepared}
	defer raw.Rollback() // has no effect after the commit
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err // the caller is gone, and a COMMIT past its deadline would have an unknown outcome
	}
	if err := raw.Commit(); err != nil {
		if errors.Is(err, ErrCommitUnknown) {
			for _, after := range tx.unknown {
				after()
			}
		}
		return mapError(ctx, err)
	}
	for _, after := range tx.committed {
		after()
	}
	db.prepareMissing(ctx, tx.missing)
	return nil
}

// begin waits for a connection until ctx ends. The transaction itself does not end with ctx, only its
// statements do: database/sql would roll it back as soon as ctx ends, even during a COPY, whose
// responses lib/pq reads in another goroutine.
func (db *DB) begin(ctx context.Context) (raw *sqlx.Tx, release context.CancelFunc, err error) {
	txCtx, release := context.WithCancel(context.WithoutCancel(ctx))
	detach := context.AfterFunc(ctx, release)
	raw, err = db.pool.BeginTxx(txCtx, nil)
	if !detach() && err == nil {
		raw.Rollback()
		err = ctx.Err()
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	return raw, release, nil
}

// AfterCommit calls fn after the transaction has committed, and not if it fails. fn must be quick and
// cannot report an error. It may wake a worker or drop a cache entry.
func (tx *Tx) AfterCommit(fn func()) { tx.committed = append(tx.committed, fn) }

// AfterUnknownCommit calls fn if the outcome of the commit is not known (ErrCommitUnknown). fn must be quick.
func (tx *Tx) AfterUnknownCommit(fn func()) { tx.unknown = append(tx.unknown, fn) }

// Local returns the transaction's value for a key, which is a zero T at first. A package keeps there what its calls in
// a transaction share. The key has a type of that package, as the key of a context has.
func Local[T any](tx *Tx, key any) *T {
	if tx.locals == nil {
		tx.locals = map[any]any{}
	}
	value, ok := tx.locals[key].(*T)
	if !ok {
		value = new(T)
		tx.locals[key] = value
	}
	return value
}

// Unprepared returns a Querier that does not use prepared statements; see DB.Unprepared.
func (tx *Tx) Unprepared() Querier {
	return session{direct: tx.tx, prepared: func(ctx context.Context, _ string) (lease, error) {
		if err := tx.Flush(ctx); err != nil {
			return lease{}, err
		}
		return lease{}, nil
	}}
}

// CopyIn writes rows into columns of table by COPY, which is the fastest way to write thousands of rows. A
// transaction that holds a lock for which others wait must use InsertRows: while PostgreSQL waits for the data of
// a COPY, no timeout ends the transaction of a client that has frozen.
func (tx *Tx) CopyIn(ctx context.Context, table string, columns []string, rows iter.Seq[[]any]) error {
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = pq.QuoteIdentifier(column)
	}
	whole := uncancelled{ctx} // a COPY may end between rows, never within one
	copyIn := "COPY " + pq.QuoteIdentifier(table) + " (" + strings.Join(names, ", ") + ") FROM STDIN"
	stmt, err := tx.tx.PrepareContext(whole, copyIn)
	if err != nil {
		return fmt.Errorf("copy rows: %w", mapError(ctx, err))
	}
	defer stmt.Close()
	for row := range rows {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("copy rows: %w", err)
		}
		if _, err := stmt.ExecContext(whole, row...); err != nil {
			return fmt.Errorf("copy rows: %w", mapError(ctx, err))
		}
	}
	if _, err := stmt.ExecContext(whole); err != nil {
		return fmt.Errorf("copy rows: %w", mapError(ctx, err))
	}
	return nil
}

// uncancelled is the context of a COPY. It is never done, but its deadline still limits the connection.
type uncancelled struct{ context.Context }

// Done implements context.Context.
func (uncancelled) Done() <-chan struct{} { return nil }

// Err implements context.Context.
func (uncancelled) Err() error { return nil }

// prepared returns the process's prepared statement, bound to the transaction, or none. It does not
// prepare a statement: waiting for a second connection while holding one could deadlock the pool. A
// missing statement is prepared after the transaction. Because prepared runs before every statement, it
// also runs the deferred ones.
func (tx *Tx) prepared(ctx context.Context, query string) (lease, error) {
	if err := tx.Flush(ctx); err != nil {
		return lease{}, err
	}
	if tx.db.unprepared {
		return lease{}, nil
	}
	entry, prepare := tx.db.statements.get(query)
	if prepare {
		tx.missing = append(tx.missing, query)
	}
	if entry.Stmt == nil {
		return lease{}, nil
	}
	defer entry.release() // the transaction's statement keeps it open
	return lease{Stmt: tx.tx.StmtxContext(ctx, entry.Stmt)}, nil
}

// prepareMissingTime limits prepareMissing.
const prepareMissingTime = 5 * time.Second

// prepareMissing prepares the statements that a transaction ran unprepared. It works in the background so that the
// caller does not wait. It does nothing while it runs for another transaction, because a later transaction will miss
// the same statements. A failure is harmless: the statement may use a temporary table.
func (db *DB) prepareMissing(ctx context.Context, queries []string) {
	if len(queries) == 0 || !db.preparing.TryLock() {
		return
	}
	go func() {
		defer db.preparing.Unlock()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), prepareMissingTime)
		defer cancel()
		for _, query := range queries {
			stmt, err := db.prepared(ctx, query)
			if err != nil {
				slog.DebugContext(ctx, "statement stays unprepared", "error", err)
			}
			stmt.release()
		}
	}()
}

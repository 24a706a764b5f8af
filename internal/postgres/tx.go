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
	lacking   []string // texts that had no prepared statement
	ran       int      // statements run so far
}

// TxHook is called at the end of a transaction, before its commit. It adds statements of the caller of a service
// to the service's transaction. An error rolls the transaction back. A nil hook does nothing.
type TxHook func(context.Context, *Tx) error

// maxAttempts bounds how often InTx starts again after PostgreSQL broke a deadlock.
const maxAttempts = 3

// InTx runs fn in a transaction and commits it if fn returns nil. A transaction that PostgreSQL
// gave up for the sake of another (deadlock, serialization) is run again from the start, so fn
// must have no effect outside the database; AfterCommit is for those.
func (db *DB) InTx(ctx context.Context, fn func(*Tx) error) error {
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
	defer raw.Rollback() // does nothing once committed
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err // nobody waits for it any more, and a COMMIT past its deadline would leave its outcome open
	}
	if err := raw.Commit(); err != nil {
		return mapError(ctx, err)
	}
	for _, after := range tx.committed {
		after()
	}
	db.prepareLacking(ctx, tx.lacking)
	return nil
}

// begin waits for a connection for as long as ctx lasts. Once begun, a transaction ends only when its
// function returns: database/sql would roll one back at the moment its context ends, in the middle of
// a COPY too, whose answers lib/pq reads in a goroutine of its own. Statements still end with ctx.
func (db *DB) begin(ctx context.Context) (raw *sqlx.Tx, release context.CancelFunc, err error) {
	lasting, release := context.WithCancel(context.WithoutCancel(ctx))
	detach := context.AfterFunc(ctx, release)
	raw, err = db.pool.BeginTxx(lasting, nil)
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

// AfterCommit has fn called once the transaction is durable; it is not called otherwise. It must
// be quick and cannot fail: wake a worker, drop a cache entry.
func (tx *Tx) AfterCommit(fn func()) { tx.committed = append(tx.committed, fn) }

// Unprepared returns tx for statements that are to be planned each time they run; see DB.Unprepared.
func (tx *Tx) Unprepared() Querier {
	return session{direct: tx.tx, prepared: func(ctx context.Context, _ string) (lease, error) {
		if err := tx.Flush(ctx); err != nil {
			return lease{}, err
		}
		tx.ran++
		return lease{}, nil
	}}
}

// CopyIn streams rows into columns of table by COPY: the way to write thousands of rows.
func (tx *Tx) CopyIn(ctx context.Context, table string, columns []string, rows iter.Seq[[]any]) error {
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	tx.ran++
	quoted := make([]string, len(columns))
	for i, column := range columns {
		quoted[i] = pq.QuoteIdentifier(column)
	}
	whole := uncancelled{ctx} // a COPY is ended between rows, never within one
	stmt, err := tx.tx.PrepareContext(whole, "COPY "+pq.QuoteIdentifier(table)+" ("+strings.Join(quoted, ", ")+") FROM STDIN")
	if err != nil {
		return fmt.Errorf("postgres.CopyIn: %w", mapError(ctx, err))
	}
	defer stmt.Close()
	for row := range rows {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("postgres.CopyIn: %w", err)
		}
		if _, err := stmt.ExecContext(whole, row...); err != nil {
			return fmt.Errorf("postgres.CopyIn: %w", mapError(ctx, err))
		}
	}
	if _, err := stmt.ExecContext(whole); err != nil {
		return fmt.Errorf("postgres.CopyIn: %w", mapError(ctx, err))
	}
	return nil
}

// uncancelled is the context of a COPY: its end cancels nothing, but it still bounds the connection.
type uncancelled struct{ context.Context }

// Done implements context.Context.
func (uncancelled) Done() <-chan struct{} { return nil }

// Err implements context.Context.
func (uncancelled) Err() error { return nil }

// prepared returns the process's statement bound to the transaction, or nil. It does not prepare:
// asking the pool for a second connection while holding one could wait for ever. What it lacks is
// prepared when the transaction is over. Since it comes before every statement, it also runs what is
// deferred.
func (tx *Tx) prepared(ctx context.Context, query string) (lease, error) {
	if err := tx.Flush(ctx); err != nil {
		return lease{}, err
	}
	tx.ran++
	if tx.db.unprepared {
		return lease{}, nil
	}
	found, prepare := tx.db.statements.get(query)
	if prepare {
		tx.lacking = append(tx.lacking, query)
	}
	if found.Stmt == nil {
		return lease{}, nil
	}
	defer found.release() // the transaction's own statement keeps it open
	return lease{Stmt: tx.tx.StmtxContext(ctx, found.Stmt)}, nil
}

// prepareLackingTime is how long preparing what a transaction lacked may take.
const prepareLackingTime = 5 * time.Second

// prepareLacking prepares for the process what a finished transaction had to run unprepared, in the background: its
// caller has waited long enough. It does nothing while it is at work for another transaction; a text that is still
// lacking is met again. A failure is harmless: the text may have named a temporary table.
func (db *DB) prepareLacking(ctx context.Context, queries []string) {
	if len(queries) == 0 || !db.preparing.TryLock() {
		return
	}
	go func() {
		defer db.preparing.Unlock()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), prepareLackingTime)
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

// Package queue leases rows of a table that is itself the work: there is no second queue that
// could disagree with the data.
//
// A row waits until due_at. A claim moves due_at to the end of a lease, counts the attempt and writes a
// fresh claim id; finishing names that claim id, so that a worker whose lease expired changes nothing.
// A crashed worker's rows come back when the lease expires. Any number of processes may claim at once.
// All times are the database's, so that processes whose clocks differ agree.
//
// The table queue_accounts holds a mark for each account with rows: no row is due before it, and it is
// in the order of turns. Finding due work therefore reads the due marks only, whatever the number of
// accounts. Whoever writes a due time marks the account in the same transaction; claims move the mark
// on. An account that has more due after its turn goes behind the others.
//
// A Runner claims in the background and passes each claim to its handler, a LagCollector measures how
// far queues are behind. The package never does the work itself.
package queue

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Queue is a table with the columns account_id, a key, due_at, claim_id and attempts.
type Queue struct {
	wake  func()
	table string
	sql   statements
}

// Claim is a row taken on lease.
type Claim struct {
	AccountID string `db:"account_id"`
	Key       string `db:"key"`
	Attempts  int    `db:"attempts"` // this one included
	ID        string `db:"claim_id"`
}

// New returns the queue in table, whose rows are named by column key within their account.
func New(table, key string) *Queue {
	return &Queue{table: table, sql: newStatements(table, key)}
}

// Claim leases at most limit due rows of the account, longest due first. It is one statement that waits
// for no lock and commits by itself, so that a process that freezes holds nothing.
func (q *Queue) Claim(
	ctx context.Context, db *postgres.DB, accountID string, limit int, lease time.Duration,
) (claims []Claim, err error) {
	err = db.Select(ctx, &claims, q.sql.claim, accountID, limit, lease.Microseconds(), "clm_"+rand.Text())
	if err != nil {
		return nil, fmt.Errorf("queue.Claim: %w", err)
	}
	return claims, nil
}

// OnWork has wake called whenever this process has committed new work, so that a worker need not wait
// for its next poll. Call it before the queue is used.
func (q *Queue) OnWork(wake func()) { q.wake = wake }

// Wake tells the process's worker that there is work.
func (q *Queue) Wake() {
	if q.wake != nil {
		q.wake()
	}
}

// Enqueue adds a row for each key that is due at once, in this order, a microsecond apart. A row that is
// there already starts again: a claim on it is void.
func (q *Queue) Enqueue(ctx context.Context, tx *postgres.Tx, accountID string, keys ...string) error {
	if _, err := tx.Exec(ctx, q.sql.enqueue, accountID, pq.Array(keys)); err != nil {
		return fmt.Errorf("queue.Enqueue: %w", err)
	}
	tx.AfterCommit(q.Wake)
	return nil
}

// EnqueueWithin adds a row for key that is due after wait, or brings forward one that would be due
// later. A claim on it is void.
func (q *Queue) EnqueueWithin(
	ctx context.Context, tx *postgres.Tx, accountID string, wait time.Duration, key string,
) error {
	_, err := tx.Exec(ctx, q.sql.enqueueWithin, accountID, pq.Array([]string{key}), wait.Microseconds())
	if err != nil {
		return fmt.Errorf("queue.EnqueueWithin: %w", err)
	}
	return nil
}

// Mark announces rows that the caller inserts in the same transaction, due from now() on. Call it
// before inserting them.
func (q *Queue) Mark(ctx context.Context, tx *postgres.Tx, accountID string) error {
	if err := q.mark(ctx, tx, accountID); err != nil {
		return err
	}
	tx.AfterCommit(q.Wake)
	return nil
}

func (q *Queue) mark(ctx context.Context, db postgres.Querier, accountID string) error {
	if _, err := db.Exec(ctx, q.sql.mark, accountID); err != nil {
		return fmt.Errorf("queue.Mark: %w", err)
	}
	return nil
}

// Finish deletes the claimed row and reports whether the claim still held. Call it in the
// transaction of the result, and roll that back if it did not.
func (q *Queue) Finish(ctx context.Context, db postgres.Querier, c Claim) (held bool, err error) {
	return fenced(ctx, db, "queue.Finish", q.sql.finish, c.AccountID, c.Key, c.ID)
}

// Retry gives the claimed row back, to be taken again after wait, and reports whether the claim still held.
func (q *Queue) Retry(ctx context.Context, db postgres.Querier, c Claim, wait time.Duration) (held bool, err error) {
	return fenced(ctx, db, "queue.Retry", q.sql.retry, c.AccountID, c.Key, c.ID, wait.Microseconds())
}

// PutBack is Retry for work that was not begun: the claim does not count as an attempt.
func (q *Queue) PutBack(ctx context.Context, db postgres.Querier, c Claim, wait time.Duration) (held bool, err error) {
	return fenced(ctx, db, "queue.PutBack", q.sql.putBack, c.AccountID, c.Key, c.ID, wait.Microseconds())
}

// Repeat is Retry for work that succeeded and is to be done again: attempts count from 0.
func (q *Queue) Repeat(ctx context.Context, db postgres.Querier, c Claim, wait time.Duration) (held bool, err error) {
	return fenced(ctx, db, "queue.Repeat", q.sql.repeat, c.AccountID, c.Key, c.ID, wait.Microseconds())
}

func fenced(ctx context.Context, db postgres.Querier, name, statement string, args ...any) (bool, error) {
	result, err := db.Exec(ctx, statement, args...)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	changed, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return changed == 1, nil
}

// Drop deletes a row whoever has claimed it, because there is nothing left to do about its key.
func (q *Queue) Drop(ctx context.Context, db postgres.Querier, accountID, key string) error {
	if _, err := db.Exec(ctx, q.sql.drop, accountID, key); err != nil {
		return fmt.Errorf("queue.Drop: %w", err)
	}
	return nil
}

// Package queue implements job queues in database tables. A row is a job, so the queue and the data are always
// consistent.
//
// A row waits until due_at. A claim moves due_at to the end of a lease, increments attempts, and sets a new claim id.
// The statements that finish or retry a row name the claim id, so a worker whose lease has expired changes nothing.
// Rows of a crashed worker are due again when another process has noticed its death (package heartbeat) and calls
// Release, or when the lease expires. Any number of processes may claim at a time. All times are the database's,
// because the clocks of processes may differ.
//
// The table queue_accounts has one row, the mark, for each account with jobs. The mark's due_at is not later than the
// due_at of any job of the account, and its turn_at orders the accounts. A poll reads only due marks, so its cost does
// not depend on the number of accounts. A transaction that sets a due time also updates the mark; a claim moves the
// mark to the next job. An account that has more due jobs after its turn goes behind the other accounts.
//
// A Runner claims jobs in the background and passes each claim to its handler. A LagCollector measures how long due
// jobs wait. General job libraries such as River keep jobs in a table of their own and do not take turns among
// accounts, which is why this package exists.
package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/waiting"
)

// Queue is a table with the columns account_id, a key, due_at, claim_id, attempts, and those that say why a row waits:
// waiting_since, wait_reason, last_error and last_attempt_at.
type Queue struct {
	wake  func() // may be nil
	table string
	sql   statements
}

// Claim is a leased row.
type Claim struct {
	AccountID string `db:"account_id"`
	Key       string `db:"key"`
	Attempts  int    `db:"attempts"` // including this one
	ID        string `db:"claim_id"`
}

// New returns the queue in table. The column key identifies a row within its account.
func New(table, key string) *Queue {
	return &Queue{table: table, sql: newStatements(table, key)}
}

// Claim leases at most limit due rows of the account, in the order of due_at. It is a single statement that
// waits for no lock, so a process that freezes holds no locks.
func (q *Queue) Claim(
	ctx context.Context, db *postgres.DB, accountID string, limit int, lease time.Duration,
) (claims []Claim, err error) {
	name := db.Process().NewClaimName()
	if err = db.Select(ctx, &claims, q.sql.claim, accountID, limit, lease.Microseconds(), name); err != nil {
		return nil, fmt.Errorf("claim: %w", &UnconfirmedClaim{accountID, name, err})
	}
	return claims, nil
}

// UnconfirmedClaim is the error of a claim that got no answer. It may have leased rows: pass it to Unclaim.
type UnconfirmedClaim struct {
	AccountID, ID string
	err           error
}

// Error implements error.
func (u *UnconfirmedClaim) Error() string { return u.err.Error() }

// Unwrap returns the cause.
func (u *UnconfirmedClaim) Unwrap() error { return u.err }

// Due is a row that is due.
type Due struct {
	Key      string `db:"key"`
	Attempts int    `db:"attempts"` // so far
}

// Due returns at most limit due rows of the account, in the order of due_at. It locks nothing, so another worker may
// claim them first.
func (q *Queue) Due(ctx context.Context, db *postgres.DB, accountID string, limit int) (due []Due, err error) {
	if err = db.Select(ctx, &due, q.sql.due, accountID, limit); err != nil {
		return nil, fmt.Errorf("read due time: %w", err)
	}
	return due, nil
}

// ClaimKeys is like Claim for the rows with these keys. It skips rows that are not due.
func (q *Queue) ClaimKeys(
	ctx context.Context, db *postgres.DB, accountID string, keys []string, lease time.Duration,
) (claims []Claim, err error) {
	name := db.Process().NewClaimName()
	err = db.Select(ctx, &claims, q.sql.claimKeys, accountID, len(keys), lease.Microseconds(), name, pq.Array(keys))
	if err != nil {
		return nil, fmt.Errorf("claim by key: %w", &UnconfirmedClaim{accountID, name, err})
	}
	return claims, nil
}

// OnWork sets a function to call after each commit of new work in this process, so that a worker does
// not wait for its next poll. Call it before using the queue.
func (q *Queue) OnWork(wake func()) { q.wake = wake }

// Wake calls the function of OnWork.
func (q *Queue) Wake() {
	if q.wake != nil {
		q.wake()
	}
}

// Enqueue adds a row for each key. The rows are due now, in the order of keys, one microsecond apart. A row
// that exists starts again, and its claim becomes invalid.
func (q *Queue) Enqueue(ctx context.Context, tx *postgres.Tx, accountID string, keys ...string) error {
	if _, err := tx.Exec(ctx, q.sql.enqueue, accountID, pq.Array(keys)); err != nil {
		return fmt.Errorf("enqueue: %w", err)
	}
	tx.AfterCommit(q.Wake)
	return nil
}

// EnqueueUnclaimed is like Enqueue, but leaves rows alone that are claimed. It is for work that must not overlap with
// the work under the claim: the holder has to look for more work in the transaction in which it reschedules the row. If
// the holder crashes, the row is due when the lease expires.
func (q *Queue) EnqueueUnclaimed(ctx context.Context, tx *postgres.Tx, accountID string, keys ...string) error {
	if _, err := tx.Exec(ctx, q.sql.enqueueUnclaimed, accountID, pq.Array(keys)); err != nil {
		return fmt.Errorf("enqueue: %w", err)
	}
	tx.AfterCommit(q.Wake)
	return nil
}

// EnqueueWithin adds a row for key that is due after wait. A row that exists becomes due by then if it
// would be due later, and its claim becomes invalid.
func (q *Queue) EnqueueWithin(
	ctx context.Context, tx *postgres.Tx, accountID string, wait time.Duration, key string,
) error {
	_, err := tx.Exec(ctx, q.sql.enqueueWithin, accountID, pq.Array([]string{key}), wait.Microseconds())
	if err != nil {
		return fmt.Errorf("enqueue: %w", err)
	}
	return nil
}

// Mark updates the mark of the account for rows that the caller inserts in the same transaction and that
// are due now or later. Call it before inserting them.
func (q *Queue) Mark(ctx context.Context, tx *postgres.Tx, accountID string) error {
	if err := q.mark(ctx, tx, accountID); err != nil {
		return err
	}
	tx.AfterCommit(q.Wake)
	return nil
}

func (q *Queue) mark(ctx context.Context, db postgres.Querier, accountID string) error {
	if _, err := db.Exec(ctx, q.sql.mark, accountID); err != nil {
		return fmt.Errorf("mark account: %w", err)
	}
	return nil
}

// Finish deletes the claimed row and reports whether the claim was still valid. Call it in the transaction
// of the result, and roll back if it returns false.
func (q *Queue) Finish(ctx context.Context, db postgres.Querier, c Claim) (held bool, err error) {
	return fenced(ctx, db, "queue.Finish", q.sql.finish, c.AccountID, c.Key, c.ID)
}

// Retry makes the claimed row due after wait and stores why its attempt failed. It reports whether the claim was still
// valid.
func (q *Queue) Retry(
	ctx context.Context, db postgres.Querier, c Claim, wait time.Duration, failure Failure,
) (held bool, err error) {
	return fenced(ctx, db, "queue.Retry", q.sql.retry, c.AccountID, c.Key, c.ID, wait.Microseconds(),
		failure.Reason, failure.Text())
}

// Requeue is like Retry, but the claim does not count as an attempt: the work was not started, or was cancelled.
func (q *Queue) Requeue(ctx context.Context, db postgres.Querier, c Claim, wait time.Duration) (held bool, err error) {
	return fenced(ctx, db, "queue.Requeue", q.sql.requeue, c.AccountID, c.Key, c.ID, wait.Microseconds())
}

// Repeat is like Retry for work that succeeded and repeats: attempts starts from 0.
func (q *Queue) Repeat(ctx context.Context, db postgres.Querier, c Claim, wait time.Duration) (held bool, err error) {
	return q.RepeatBecause(ctx, db, c, wait, "")
}

// RepeatBecause is like Repeat for work that must wait for a reason other than a failure.
func (q *Queue) RepeatBecause(
	ctx context.Context, db postgres.Querier, c Claim, wait time.Duration, reason waiting.Reason,
) (held bool, err error) {
	return fenced(ctx, db, "queue.Repeat", q.sql.repeat, c.AccountID, c.Key, c.ID, wait.Microseconds(),
		sql.NullString{String: string(reason), Valid: reason != ""})
}

func fenced(ctx context.Context, db postgres.Querier, name, statement string, args ...any) (bool, error) {
	result, err := db.Exec(ctx, statement, args...)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	rows, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return rows == 1, nil
}

// Release makes the rows due that a process has leased, and ends its claims.
func (q *Queue) Release(ctx context.Context, db *postgres.DB, process postgres.ProcessID) error {
	var accounts []string
	prefix := process.ClaimPrefix()
	if err := db.Unprepared().Select(ctx, &accounts, q.sql.claimed, prefix); err != nil {
		return fmt.Errorf("release claims: %w", err)
	}
	var errs []error
	for _, account := range accounts {
		if _, err := db.Exec(ctx, q.sql.release, account, prefix); err != nil {
			errs = append(errs, fmt.Errorf("release claims: %w", err))
		}
	}
	if len(accounts) > 0 {
		q.Wake()
	}
	return errors.Join(errs...)
}

// Unclaim makes the rows due that a claim without an answer has leased. The claim does not count as an attempt.
func (q *Queue) Unclaim(ctx context.Context, db postgres.Querier, claim *UnconfirmedClaim) error {
	if _, err := db.Exec(ctx, q.sql.unclaim, claim.AccountID, claim.ID); err != nil {
		return fmt.Errorf("return claims: %w", err)
	}
	q.Wake()
	return nil
}

// Drop deletes a row, claimed or not, because its work is no longer needed.
func (q *Queue) Drop(ctx context.Context, db postgres.Querier, accountID, key string) error {
	if _, err := db.Exec(ctx, q.sql.drop, accountID, key); err != nil {
		return fmt.Errorf("drop rows: %w", err)
	}
	return nil
}

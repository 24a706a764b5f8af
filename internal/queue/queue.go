// Package queue leases rows of a table that is itself the work: there is no second queue that
// could disagree with the data.
//
// A row waits until due_at. Claiming it sets due_at to the end of a lease, counts the attempt and
// writes a fresh claim id; whoever finishes names that claim id, so that one whose lease ran out
// changes nothing. A crashed worker's rows come back by themselves. Any number of processes may
// claim at once. A Runner claims in the background and hands each claim to whoever does the work, Ages
// tell how far queues are behind. The package never does the work itself.
package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Queue is a table with the columns account_id, Key, due_at, claim_id and attempts.
type Queue struct {
	clock                                                        clock.Clock
	wake                                                         func()
	table                                                        string
	owners, oldest, claim, finish, retry, putBack, enqueue, drop string
}

// Claim is a row taken on lease.
type Claim struct {
	AccountID string `db:"account_id"`
	Key       string `db:"key"`
	Attempts  int    `db:"attempts"` // this one included
	ID        string `db:"claim_id"`
}

// New returns the queue in table, whose rows are named by column key within their account.
func New(c clock.Clock, table, key string) *Queue {
	return &Queue{
		clock: c,
		table: table,
		// Owners are found without a lock, by skipping from account to account along the index.
		owners: fmt.Sprintf(`
			WITH RECURSIVE owner AS (
				(SELECT account_id FROM %[1]s ORDER BY account_id LIMIT 1)
				UNION ALL
				SELECT (SELECT q.account_id FROM %[1]s q WHERE q.account_id > owner.account_id ORDER BY q.account_id LIMIT 1)
				FROM owner WHERE owner.account_id IS NOT NULL
			)
			SELECT account_id FROM owner
			WHERE account_id IS NOT NULL
			  AND EXISTS (SELECT FROM %[1]s q WHERE q.account_id = owner.account_id AND q.due_at <= $1)`, table),
		oldest: fmt.Sprintf(`
			WITH RECURSIVE first AS (
				(SELECT account_id, due_at FROM %[1]s ORDER BY account_id, due_at LIMIT 1)
				UNION ALL
				SELECT next.account_id, next.due_at FROM first CROSS JOIN LATERAL (
					SELECT q.account_id, q.due_at FROM %[1]s q WHERE q.account_id > first.account_id
					ORDER BY q.account_id, q.due_at LIMIT 1
				) next
			)
			SELECT min(due_at) FROM first WHERE due_at <= $1`, table),
		claim: fmt.Sprintf(`
			WITH due AS MATERIALIZED (
				SELECT %[2]s FROM %[1]s
				WHERE account_id = $1 AND due_at <= $2
				ORDER BY due_at LIMIT $3
				FOR UPDATE SKIP LOCKED
			)
			UPDATE %[1]s q SET due_at = $4, claim_id = $5, attempts = attempts + 1
			FROM due WHERE q.account_id = $1 AND q.%[2]s = due.%[2]s
			RETURNING q.account_id, q.%[2]s AS key, q.attempts, q.claim_id`, table, key),
		finish: fmt.Sprintf(`DELETE FROM %s WHERE account_id = $1 AND %s = $2 AND claim_id = $3`, table, key),
		drop:   fmt.Sprintf(`DELETE FROM %s WHERE account_id = $1 AND %s = $2`, table, key),
		retry:  fmt.Sprintf(`UPDATE %s SET due_at = $4, claim_id = NULL WHERE account_id = $1 AND %s = $2 AND claim_id = $3`, table, key),
		putBack: fmt.Sprintf(`
			UPDATE %s SET due_at = $4, claim_id = NULL, attempts = attempts - 1
			WHERE account_id = $1 AND %s = $2 AND claim_id = $3`, table, key),
		enqueue: fmt.Sprintf(`
			INSERT INTO %[1]s (account_id, %[2]s, due_at) SELECT $1, key, $2 FROM unnest($3::text[]) AS key
			ON CONFLICT (account_id, %[2]s) DO UPDATE SET due_at = excluded.due_at, claim_id = NULL, attempts = 0`, table, key),
	}
}

// Owners returns the accounts that have work due.
func (q *Queue) Owners(ctx context.Context, db postgres.Querier) ([]string, error) {
	var owners []string
	if err := db.Select(ctx, &owners, q.owners, q.clock.Time()); err != nil {
		return nil, fmt.Errorf("queue.Owners: %w", err)
	}
	return owners, nil
}

// Claim leases at most limit due rows of the account, longest due first.
func (q *Queue) Claim(ctx context.Context, db postgres.Querier, accountID string, limit int, lease time.Duration) ([]Claim, error) {
	now := q.clock.Time()
	var claims []Claim
	err := db.Select(ctx, &claims, q.claim, accountID, now, limit, now.Add(lease), id.New("clm", now))
	if err != nil {
		return nil, fmt.Errorf("queue.Claim: %w", err)
	}
	return claims, nil
}

// OnWork has wake called whenever this process has committed new work: a worker need not wait for
// its next look. Call it before the queue is used.
func (q *Queue) OnWork(wake func()) { q.wake = wake }

// Wake tells the process's worker that there is work.
func (q *Queue) Wake() {
	if q.wake != nil {
		q.wake()
	}
}

// Enqueue adds a row for each key, or makes one that is there wait anew: a claim on it is void.
func (q *Queue) Enqueue(ctx context.Context, tx *postgres.Tx, accountID string, due time.Time, keys ...string) error {
	if _, err := tx.Exec(ctx, q.enqueue, accountID, due, pq.Array(keys)); err != nil {
		return fmt.Errorf("queue.Enqueue: %w", err)
	}
	tx.AfterCommit(q.Wake)
	return nil
}

// Finish deletes the claimed row and reports whether the claim still held. Call it in the
// transaction of the result, and roll that back if it did not.
func (q *Queue) Finish(ctx context.Context, db postgres.Querier, c Claim) (held bool, err error) {
	return fenced(ctx, db, "queue.Finish", q.finish, c.AccountID, c.Key, c.ID)
}

// Retry gives the claimed row back, to be taken again at due, and reports whether the claim still held.
func (q *Queue) Retry(ctx context.Context, db postgres.Querier, c Claim, due time.Time) (held bool, err error) {
	return fenced(ctx, db, "queue.Retry", q.retry, c.AccountID, c.Key, c.ID, due)
}

// PutBack is Retry for work that was not begun: the claim does not count as an attempt.
func (q *Queue) PutBack(ctx context.Context, db postgres.Querier, c Claim, due time.Time) (held bool, err error) {
	return fenced(ctx, db, "queue.PutBack", q.putBack, c.AccountID, c.Key, c.ID, due)
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

// Drop takes a row off whoever has it, because there is nothing left to do about its key.
func (q *Queue) Drop(ctx context.Context, db postgres.Querier, accountID, key string) error {
	if _, err := db.Exec(ctx, q.drop, accountID, key); err != nil {
		return fmt.Errorf("queue.Drop: %w", err)
	}
	return nil
}

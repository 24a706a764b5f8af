package queue

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/waiting"
)

// Failure is why an attempt failed.
type Failure struct {
	Reason waiting.Reason // for customers
	Err    error          // for the operator
}

// maxErrorText is the number of bytes of an error that a row keeps.
const maxErrorText = 1000

// Text returns the error as a row keeps it.
func (f Failure) Text() string {
	text := strings.ToValidUTF8(strings.ReplaceAll(f.Err.Error(), "\x00", ""), "\uFFFD")
	if len(text) <= maxErrorText {
		return text
	}
	end := maxErrorText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// Row is a job of a queue that has not finished.
type Row struct {
	AccountID string         `db:"account_id" json:"account_id"`
	Key       string         `db:"key" json:"key"`
	Since     time.Time      `db:"waiting_since" json:"waiting_since"`
	DueAt     time.Time      `db:"due_at" json:"due_at"` // the end of the lease if the row is claimed
	Claimed   bool           `db:"claimed" json:"in_progress"`
	Attempts  int            `db:"attempts" json:"attempts"` // that have begun
	Reason    waiting.Reason `db:"wait_reason" json:"reason"`
	// LastError is the error of the last attempt that failed, or "".
	LastError     string     `db:"last_error" json:"last_error"`
	LastAttemptAt *time.Time `db:"last_attempt_at" json:"last_attempt_at"` // when the last attempt began
}

// Waiting returns why the row waits. After a failed attempt, that attempt's reason stays until the row is finished.
func (r Row) Waiting() waiting.Waiting {
	w := waiting.Waiting{Since: r.Since, Reason: r.Reason}
	if !r.Claimed {
		w.NextAttemptAt = &r.DueAt
	}
	switch {
	case r.Reason != "":
	case r.Claimed:
		w.Reason = waiting.InProgress
	case r.Attempts > 0:
		w.Reason = waiting.Interrupted
	default:
		w.Reason = waiting.Queued
	}
	return w
}

// Rows returns the rows of an account with these keys, by key. Finished rows are left out.
func (q *Queue) Rows(
	ctx context.Context, db postgres.Querier, accountID string, keys ...string,
) (map[string]Row, error) {
	var rows []Row
	if err := db.Select(ctx, &rows, q.sql.waiting, accountID, pq.Array(keys)); err != nil {
		return nil, fmt.Errorf("read queued work: %w", err)
	}
	byKey := make(map[string]Row, len(rows))
	for _, row := range rows {
		byKey[row.Key] = row
	}
	return byKey, nil
}

// Waiting returns why the row of an account with this key waits, or nil if it is finished.
func (q *Queue) Waiting(
	ctx context.Context, db postgres.Querier, accountID, key string,
) (*waiting.Waiting, error) {
	rows, err := q.Rows(ctx, db, accountID, key)
	if err != nil {
		return nil, err
	}
	row, ok := rows[key]
	if !ok {
		return nil, nil
	}
	w := row.Waiting()
	return &w, nil
}

// Stuck returns rows whose last attempt failed or that no worker has claimed for a minute, the longest waiting first,
// at most limit. "" means the rows of all accounts. It reads the whole table.
func (q *Queue) Stuck(ctx context.Context, db *postgres.DB, accountID string, limit int) (rows []Row, err error) {
	if err = db.Unprepared().Select(ctx, &rows, q.sql.stuck, accountID, limit); err != nil {
		return nil, fmt.Errorf("read work that is stuck: %w", err)
	}
	return rows, nil
}

// Name returns the name of the queue: its table.
func (q *Queue) Name() string { return q.table }

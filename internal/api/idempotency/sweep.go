package idempotency

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// sweepEvery is how often expired keys are looked for.
	sweepEvery = 10 * time.Minute
	// sweepBatch is how many keys of one account are removed by a statement.
	sweepBatch = 1000
)

// Sweeper returns the loop that removes expired keys, account by account, a bounded number at a time.
func (s *Store) Sweeper() *worker.Periodic {
	after := ""
	return worker.NewPeriodic("idempotency keys", sweepEvery, func(ctx context.Context) (bool, error) {
		account, removed, err := s.sweep(ctx, after)
		if err != nil || account == "" {
			after = ""
			return false, err
		}
		if removed < sweepBatch {
			after = account
		}
		return true, nil
	})
}

// sweep removes expired keys of the first account after one that has any; "" if none has.
func (s *Store) sweep(ctx context.Context, after string) (account string, removed int64, err error) {
	err = s.db.Get(ctx, &account, `
SELECT account_id FROM idempotency_keys
WHERE account_id > $1 AND due_at <= now()
ORDER BY account_id LIMIT 1`, after)
	if errors.Is(err, sql.ErrNoRows) {
		return "", 0, nil
	}
	if err != nil {
		return "", 0, fmt.Errorf("idempotency.sweep: %w", err)
	}
	result, err := s.db.Exec(ctx, `
DELETE FROM idempotency_keys
WHERE account_id = $1 AND due_at <= now() AND (token_id, key) IN (
    SELECT token_id, key FROM idempotency_keys
    WHERE account_id = $1 AND due_at <= now()
    ORDER BY due_at LIMIT $2)`, account, sweepBatch)
	if err != nil {
		return "", 0, fmt.Errorf("idempotency.sweep: %w", err)
	}
	removed, err = result.RowsAffected()
	return account, removed, err
}

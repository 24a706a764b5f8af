package idempotency

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// sweepEvery is the time between two sweeps.
	sweepEvery = 10 * time.Minute
	// sweepBatch is the largest number of keys that one sweep deletes.
	sweepBatch = 1000
	// sweepTimeout limits a sweep, so that a silent connection does not stop later ones.
	sweepTimeout = time.Minute
)

// Sweeper returns the background loop that deletes expired keys in batches.
func (s *Store) Sweeper() *worker.Periodic {
	return worker.NewPeriodic("idempotency keys", sweepEvery, func(ctx context.Context) (more bool, err error) {
		ctx, cancel := context.WithTimeout(ctx, sweepTimeout)
		defer cancel()
		return s.sweep(ctx)
	})
}

// expired reads the keys that expired first. Its cost does not depend on the number of accounts.
const expired = `
SELECT account_id, token_id, key FROM idempotency_keys WHERE due_at <= now() ORDER BY due_at LIMIT $1`

// sweep deletes a batch of expired keys, account by account, and reports whether there may be more.
func (s *Store) sweep(ctx context.Context) (more bool, err error) {
	var rows []struct {
		AccountID string `db:"account_id"`
		TokenID   string `db:"token_id"`
		Key       string `db:"key"`
	}
	if err := s.db.Unprepared().Select(ctx, &rows, expired, sweepBatch); err != nil {
		return false, fmt.Errorf("delete expired idempotency keys: %w", err)
	}
	type keys struct{ tokens, keys pq.StringArray }
	byAccount := map[string]keys{}
	for _, f := range rows {
		k := byAccount[f.AccountID]
		byAccount[f.AccountID] = keys{append(k.tokens, f.TokenID), append(k.keys, f.Key)}
	}
	for account, k := range byAccount {
		_, err := s.db.Exec(ctx, `
DELETE FROM idempotency_keys
WHERE account_id = $1 AND due_at <= now()
  AND (token_id, key) IN (SELECT token_id, key FROM unnest($2::text[], $3::text[]) AS k (token_id, key))`,
			account, k.tokens, k.keys)
		if err != nil {
			return false, fmt.Errorf("delete expired idempotency keys: %w", err)
		}
	}
	return len(rows) == sweepBatch, nil
}

package exports

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/waiting"
)

// rowColumns selects a queue.Row of an export.
const rowColumns = `
	account_id, id AS key, created_at AS waiting_since, coalesce(due_at, now()) AS due_at,
	claim_id IS NOT NULL AND due_at > now() AS claimed, attempts, coalesce(wait_reason, '') AS wait_reason,
	coalesce(last_error, '') AS last_error, last_attempt_at`

// Waiting returns why the account's export that is not finished waits, and its identifier, or nil if there is none.
func (s *Service) Waiting(ctx context.Context, accountID string) (exportID string, w *waiting.Waiting, err error) {
	var rows []queue.Row
	err = s.db.Select(ctx, &rows, `
		SELECT `+rowColumns+` FROM account_exports WHERE account_id = $1 AND due_at IS NOT NULL`, accountID)
	if err != nil {
		return "", nil, fmt.Errorf("read the export that waits: %w", err)
	}
	if len(rows) == 0 {
		return "", nil, nil
	}
	waits := rows[0].Waiting()
	return rows[0].Key, &waits, nil
}

// Stuck returns unfinished exports whose last attempt failed or that no worker has claimed for a minute, the longest
// waiting first, at most limit. "" means the exports of all accounts.
func (s *Service) Stuck(ctx context.Context, accountID string, limit int) (rows []queue.Row, err error) {
	err = s.db.Select(ctx, &rows, `
		SELECT `+rowColumns+` FROM account_exports
		WHERE $1 IN ('', account_id) AND due_at IS NOT NULL
		  AND (last_error IS NOT NULL OR due_at < now() - interval '1 minute')
		ORDER BY created_at, account_id, id LIMIT $2`, accountID, limit)
	if err != nil {
		return nil, fmt.Errorf("read exports that are stuck: %w", err)
	}
	return rows, nil
}

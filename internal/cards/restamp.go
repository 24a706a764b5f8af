package cards

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Restamp replaces future update times of the account's cards by times after the given one, keeping their order, and
// returns the number of updated cards. See clock.Repair.
func Restamp(ctx context.Context, tx *postgres.Tx, accountID string, after time.Time) (int, error) {
	n, err := clock.RestampRows(ctx, tx, "cards", accountID, after)
	if err != nil || n == 0 {
		return n, err
	}
	_, err = tx.Exec(ctx, `
		UPDATE card_changes SET updated_at = c.updated_at FROM cards c
		WHERE card_changes.account_id = $1 AND card_changes.updated_at > $2
		  AND c.account_id = $1 AND c.id = card_changes.card_id`, accountID, after)
	if err != nil {
		return 0, fmt.Errorf("restamp cards: %w", err)
	}
	return n, nil
}

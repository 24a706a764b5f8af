package batches

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Restamp replaces future update times of the account's batches by times after the given one. It keeps their order and
// returns the number of updated batches. See clock.Repair.
func Restamp(ctx context.Context, tx *postgres.Tx, accountID string, after time.Time) (int, error) {
	return clock.RestampRows(ctx, tx, "batches", accountID, after)
}

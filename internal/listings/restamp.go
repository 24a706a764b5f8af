package listings

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Restamp gives the account's listings that were changed in the future times after a given one, in the order of their
// changes, and returns how many there are; see clock.Repair.
func Restamp(ctx context.Context, tx *postgres.Tx, accountID string, after time.Time) (int, error) {
	return clock.RestampRows(ctx, tx, "listings", accountID, after)
}

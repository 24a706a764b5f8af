package sandboxmarket

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// DailyCalls is the default number of calls of a seller, or of an application for itself, in a day (UTC). It is eBay's
// limit for the Inventory API.
const DailyCalls = 2_000_000

var quotaUsed = &apiError{http.StatusTooManyRequests, []wire.Error{{ErrorID: wire.QuotaUsed, Domain: "ACCESS",
	Category: "REQUEST", Message: "Too many requests.",
	LongMessage: "The request limit has been reached for the resource."}}}

// countCall counts a call and returns the number of calls of the day.
func (s store) countCall(ctx context.Context, from caller, at time.Time) (calls int64, err error) {
	name := from.seller
	if name == "" {
		name = from.client
	}
	err = s.db.Get(ctx, &calls, `
		INSERT INTO market.calls AS c (caller, day, calls) VALUES ($1, $2, 1)
		ON CONFLICT (caller, day) DO UPDATE SET calls = c.calls + 1 RETURNING calls`,
		name, at.Format(time.DateOnly))
	if err != nil {
		return 0, fmt.Errorf("count call: %w", err)
	}
	return calls, nil
}

// checkQuota counts a call and returns an error if there were too many on this day.
func (s *server) checkQuota(ctx context.Context, from caller) error {
	calls, err := s.store.countCall(ctx, from, now())
	if err == nil && calls > s.dailyCalls {
		return quotaUsed
	}
	return err
}

package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

// What is due is counted for the metrics alone: every dueCountEvery, dueShown of one endpoint and
// dueShownAll of all at most, so that it costs little however much there is.
const (
	dueCountEvery = 10 * time.Second
	dueShown      = 1000
	dueShownAll   = 100_000
)

// countDue brings the gauge of what is due up to date, if that was long ago.
func (e *Engine) countDue(ctx context.Context, now time.Time) error {
	if time.Since(e.dueCounted) < dueCountEvery {
		return nil
	}
	n, err := countDue(ctx, e.db, now)
	if err != nil {
		return err
	}
	e.metrics.due.Set(float64(n))
	e.dueCounted = time.Now()
	return nil
}

// countDue returns how many deliveries of enabled endpoints are due and nobody has a lease on.
func countDue(ctx context.Context, db postgres.Querier, now time.Time) (n int, err error) {
	err = db.Get(ctx, &n, `
		SELECT count(*) FROM (
			SELECT FROM webhook_endpoints e CROSS JOIN LATERAL (
				SELECT FROM deliveries_pending p
				WHERE p.account_id = e.account_id AND p.endpoint_id = e.id AND p.due_at <= $1
				  AND (p.leased_until IS NULL OR p.leased_until <= $1)
				LIMIT $2
			) due
			WHERE e.enabled AND e.deleted_at IS NULL LIMIT $3
		) due`, now, dueShown, dueShownAll)
	if err != nil {
		return 0, fmt.Errorf("webhooks.countDue: %w", err)
	}
	return n, nil
}

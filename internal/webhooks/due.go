package webhooks

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// What is due is counted for the metrics alone: every dueCountEvery, dueShown of one endpoint and
// dueShownAll of all at most, so that it costs little however much there is.
const (
	dueCountEvery = 10 * time.Second
	dueShown      = 1000
	dueShownAll   = 100_000
)

// countDue brings the gauge of what is due up to date, if that was long ago. found is what a poll found.
// That it fails holds nothing up.
func (e *Engine) countDue(ctx context.Context, found []foundLane, now time.Time) {
	if time.Since(e.dueCounted) < dueCountEvery {
		return
	}
	e.dueCounted = time.Now()
	n, err := countDue(ctx, e.db, found, now)
	if err != nil {
		slog.DebugContext(ctx, "what is due was not counted", "error", err)
		return
	}
	e.metrics.due.Set(float64(n))
}

// countDue returns how many deliveries of the enabled ones among these endpoints are due and nobody
// has a lease on.
func countDue(ctx context.Context, db postgres.Querier, found []foundLane, now time.Time) (n int, err error) {
	var accounts, endpoints []string
	for _, f := range found {
		if f.Active && f.DueAt != nil && !f.DueAt.After(now) {
			accounts, endpoints = append(accounts, f.Account), append(endpoints, f.Endpoint)
		}
	}
	err = db.Get(ctx, &n, `
		SELECT count(*) FROM (
			SELECT FROM unnest($4::text[], $5::text[]) AS e(account_id, id) CROSS JOIN LATERAL (
				SELECT FROM deliveries_pending p
				WHERE p.account_id = e.account_id AND p.endpoint_id = e.id AND p.due_at <= $1
				  AND (p.leased_until IS NULL OR p.leased_until <= now())
				LIMIT $2
			) due
			LIMIT $3
		) due`, now, dueShown, dueShownAll, pq.Array(accounts), pq.Array(endpoints))
	if err != nil {
		return 0, fmt.Errorf("webhooks.countDue: %w", err)
	}
	return n, nil
}

package webhooks

import (
	"context"
	"fmt"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// selectKinds returns the kinds of the deliveries' events by the identifiers of the deliveries. The lateral query reads
// one event of one day by the primary key.
func selectKinds(
	ctx context.Context, db postgres.Querier, accountID string, deliveries []Delivery,
) (map[string]*string, error) {
	if len(deliveries) == 0 {
		return nil, nil
	}
	ids, eventIDs, times := make([]string, len(deliveries)), make([]string, len(deliveries)),
		make([]string, len(deliveries))
	for i, d := range deliveries {
		ids[i], eventIDs[i], times[i] = d.ID, d.EventID, timestamp.Format(d.CreatedAt)
	}
	var rows []struct {
		ID    string  `db:"id"`
		Event *string `db:"event"`
	}
	err := db.Select(ctx, &rows, `
		SELECT w.id, coalesce(e.event, p.event, d.event) AS event
		FROM unnest($2::text[], $3::text[], $4::timestamptz[]) AS w(id, event_id, created_at)
		LEFT JOIN LATERAL (
			SELECT event FROM events WHERE account_id = $1 AND created_at = w.created_at AND id = w.event_id LIMIT 1
		) e ON true
		LEFT JOIN deliveries_pending p ON p.account_id = $1 AND p.id = w.id
		LEFT JOIN deliveries_dropped d ON d.account_id = $1 AND d.id = w.id`,
		accountID, pq.Array(ids), pq.Array(eventIDs), pq.Array(times))
	if err != nil {
		return nil, fmt.Errorf("load kinds: %w", err)
	}
	kinds := make(map[string]*string, len(rows))
	for _, row := range rows {
		kinds[row.ID] = row.Event
	}
	return kinds, nil
}

// selectLastAttempts returns up to maxLoggedAttempts attempts per delivery, oldest first.
func selectLastAttempts(
	ctx context.Context, db postgres.Querier, accountID string, deliveries []LoggedDelivery,
) (map[string][]Attempt, error) {
	if len(deliveries) == 0 {
		return nil, nil
	}
	ids, times := make([]string, len(deliveries)), make([]string, len(deliveries))
	for i, d := range deliveries {
		ids[i], times[i] = d.ID, timestamp.Format(earliest(d.ID))
	}
	var rows []struct {
		DeliveryID string `db:"delivery_id"`
		Attempt
	}
	err := db.Select(ctx, &rows, `
		SELECT a.delivery_id, a.attempt, a.started_at, a.duration_micros * 1000 AS duration, a.status, a.class, a.answer
		FROM unnest($2::text[], $3::timestamptz[]) AS w(id, since) CROSS JOIN LATERAL (
			SELECT * FROM delivery_attempts
			WHERE account_id = $1 AND delivery_id = w.id AND started_at >= w.since
			ORDER BY started_at DESC LIMIT $4
		) a
		ORDER BY a.started_at`, accountID, pq.Array(ids), pq.Array(times), maxLoggedAttempts)
	if err != nil {
		return nil, fmt.Errorf("load last attempts: %w", err)
	}
	attempts := map[string][]Attempt{}
	for _, row := range rows {
		attempts[row.DeliveryID] = append(attempts[row.DeliveryID], row.Attempt)
	}
	return attempts, nil
}

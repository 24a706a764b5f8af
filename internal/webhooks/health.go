package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"
)

// Health is how deliveries to an endpoint went lately.
type Health struct {
	LastSuccessAt *time.Time // when the delivery of the newest event was delivered; nil if there is none
	// LastFailureAt is nil if no delivery waits for a retry and none of the account's latest dropped ones is the
	// endpoint's.
	LastFailureAt *time.Time
	LastError     string // why it failed
}

// Health returns how deliveries to the endpoints went lately, by endpoint. A failure is the last attempt of the
// delivery whose retry is due last, or the last delivery that was dropped. It reads a row of an index for each endpoint
// and day, and the latest dropped deliveries of the account.
func (s *Log) Health(ctx context.Context, accountID string, endpointIDs []string) (map[string]Health, error) {
	if len(endpointIDs) == 0 {
		return nil, nil
	}
	var rows []healthRow
	err := s.db.Select(ctx, &rows, `
		SELECT w.id, s.delivered_at, d.dropped_at, d.last_error AS dropped_error, r.last_error AS retry_error,
		       a.started_at AS retry_at
		FROM unnest($2::text[]) AS w(id)
		LEFT JOIN LATERAL (
			SELECT delivered_at FROM deliveries_delivered WHERE account_id = $1 AND endpoint_id = w.id
			ORDER BY id DESC LIMIT 1
		) s ON true
		LEFT JOIN (
			SELECT DISTINCT ON (endpoint_id) endpoint_id, dropped_at, last_error
			FROM (
				SELECT endpoint_id, dropped_at, last_error FROM deliveries_dropped WHERE account_id = $1
				ORDER BY dropped_at DESC, id DESC LIMIT $3
			) latest
			ORDER BY endpoint_id, dropped_at DESC
		) d ON d.endpoint_id = w.id
		LEFT JOIN LATERAL (
			SELECT id, last_error, event_created_at FROM deliveries_pending
			WHERE account_id = $1 AND endpoint_id = w.id
			ORDER BY due_at DESC LIMIT 1
		) r ON r.last_error IS NOT NULL
		LEFT JOIN LATERAL (
			SELECT started_at FROM delivery_attempts
			WHERE account_id = $1 AND delivery_id = r.id AND started_at >= r.event_created_at - interval '1 day'
			ORDER BY started_at DESC LIMIT 1
		) a ON true`, accountID, pq.Array(endpointIDs), maxDroppedRead)
	if err != nil {
		return nil, fmt.Errorf("load health: %w", err)
	}
	health := make(map[string]Health, len(rows))
	for _, row := range rows {
		health[row.ID] = row.health()
	}
	return health, nil
}

// healthRow is an endpoint with its last deliveries.
type healthRow struct {
	ID           string     `db:"id"`
	DeliveredAt  *time.Time `db:"delivered_at"`
	DroppedAt    *time.Time `db:"dropped_at"`
	DroppedError *string    `db:"dropped_error"`
	RetryAt      *time.Time `db:"retry_at"`
	RetryError   *string    `db:"retry_error"`
}

func (r healthRow) health() Health {
	h := Health{LastSuccessAt: r.DeliveredAt}
	if r.DroppedAt != nil {
		h.LastFailureAt, h.LastError = r.DroppedAt, *r.DroppedError
	}
	if r.RetryAt != nil && (h.LastFailureAt == nil || r.RetryAt.After(*h.LastFailureAt)) {
		h.LastFailureAt, h.LastError = r.RetryAt, *r.RetryError
	}
	return h
}

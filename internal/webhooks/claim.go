package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// foundLane is an endpoint that has unfinished deliveries.
type foundLane struct {
	Account  string     `db:"account_id"`
	Endpoint string     `db:"endpoint_id"`
	DueAt    *time.Time `db:"due_at"` // the earliest that nobody has a lease on; nil: none
	Active   bool       `db:"active"`
	Deleted  bool       `db:"deleted"`
	Version  time.Time  `db:"updated_at"`
}

// selectLanes finds every endpoint with unfinished deliveries, without a lock, by skipping from one
// to the next along the index.
func selectLanes(ctx context.Context, db postgres.Querier) ([]foundLane, error) {
	var found []foundLane
	err := db.Select(ctx, &found, `
		WITH RECURSIVE lane AS (
			(SELECT account_id, endpoint_id FROM deliveries_pending ORDER BY account_id, endpoint_id LIMIT 1)
			UNION ALL
			SELECT p.account_id, p.endpoint_id FROM lane, LATERAL (
				SELECT p.account_id, p.endpoint_id FROM deliveries_pending p
				WHERE (p.account_id, p.endpoint_id) > (lane.account_id, lane.endpoint_id)
				ORDER BY p.account_id, p.endpoint_id LIMIT 1
			) p
		)
		SELECT lane.account_id, lane.endpoint_id, first.due_at, e.updated_at,
		       e.enabled AND e.deleted_at IS NULL AS active, e.deleted_at IS NOT NULL AS deleted
		FROM lane
		JOIN webhook_endpoints e ON e.account_id = lane.account_id AND e.id = lane.endpoint_id
		LEFT JOIN LATERAL (
			SELECT p.due_at FROM deliveries_pending p
			WHERE p.account_id = lane.account_id AND p.endpoint_id = lane.endpoint_id
			  AND (p.leased_until IS NULL OR p.leased_until <= now())
			ORDER BY p.due_at LIMIT 1
		) first ON true`)
	if err != nil {
		return nil, fmt.Errorf("webhooks.selectLanes: %w", err)
	}
	return found, nil
}

// claimedRow is a delivery as claimed.
type claimedRow struct {
	ID             string    `db:"id"`
	EventID        string    `db:"event_id"`
	EventCreatedAt time.Time `db:"event_created_at"`
	DueAt          time.Time `db:"due_at"`
	Attempts       int       `db:"attempts"`
	Event          *string   `db:"event"`
	Body           *string   `db:"body"`
	Version        time.Time `db:"updated_at"`
}

// claim leases up to limit due deliveries of an endpoint that is enabled, longest due first. Their
// bodies are for loadBodies.
func claim(ctx context.Context, db postgres.Querier, key laneKey, now time.Time, limit int, lease lease) ([]*work, error) {
	var rows []claimedRow
	err := db.Select(ctx, &rows, `
		WITH endpoint AS MATERIALIZED (
			SELECT updated_at FROM webhook_endpoints
			WHERE account_id = $1 AND id = $2 AND enabled AND deleted_at IS NULL
		), due AS MATERIALIZED (
			SELECT ctid FROM deliveries_pending
			WHERE account_id = $1 AND endpoint_id = $2 AND due_at <= $3
			  AND (leased_until IS NULL OR leased_until <= now()) AND EXISTS (SELECT FROM endpoint)
			ORDER BY due_at LIMIT $4
			FOR UPDATE SKIP LOCKED
		)
		UPDATE deliveries_pending p SET leased_until = now() + $5 * interval '1 microsecond', claim_id = $6
		FROM endpoint WHERE p.ctid = ANY(ARRAY(SELECT ctid FROM due))
		RETURNING p.id, p.event_id, p.event_created_at, p.due_at, p.attempts, p.event, p.body, endpoint.updated_at`,
		key.account, key.endpoint, now, limit, lease.length.Microseconds(), lease.claim)
	if err != nil {
		return nil, fmt.Errorf("webhooks.claim: %w", err)
	}
	works := make([]*work, len(rows))
	for i, row := range rows {
		works[i] = row.work(key, lease)
	}
	return works, nil
}

func (r claimedRow) work(key laneKey, lease lease) *work {
	w := &work{
		key: key, version: r.Version, id: r.ID, eventID: r.EventID, eventCreatedAt: r.EventCreatedAt,
		due: r.DueAt, attempts: r.Attempts, claim: lease.claim, sendBy: lease.sendBy,
	}
	if r.Event != nil && r.Body != nil {
		w.event, w.body = *r.Event, *r.Body
	}
	return w
}

type eventBody struct {
	ID    string `db:"id"`
	Event string `db:"event"`
	Body  string `db:"body"`
}

// loadBodies fills in what the deliveries do not carry themselves. One whose event is gone keeps an
// empty body. The bounds of $2 and $3 let PostgreSQL leave out the days that hold none of the events;
// LATERAL keeps it from reading a whole day.
func loadBodies(ctx context.Context, db postgres.Querier, account string, works []*work) error {
	var ids, times []string
	var first, last time.Time
	for _, w := range works {
		if w.body != "" {
			continue
		}
		if len(ids) == 0 || w.eventCreatedAt.Before(first) {
			first = w.eventCreatedAt
		}
		if w.eventCreatedAt.After(last) {
			last = w.eventCreatedAt
		}
		ids = append(ids, w.eventID)
		times = append(times, timestamp.Format(w.eventCreatedAt))
	}
	if len(ids) == 0 {
		return nil
	}
	var bodies []eventBody
	err := db.Select(ctx, &bodies, `
		SELECT w.id, e.event, e.body
		FROM unnest($4::timestamptz[], $5::text[]) AS w(created_at, id)
		CROSS JOIN LATERAL (
			SELECT e.event, e.body FROM events e
			WHERE e.account_id = $1 AND e.created_at BETWEEN $2 AND $3 AND e.created_at = w.created_at AND e.id = w.id
			LIMIT 1
		) e`, account, first, last, pq.Array(times), pq.Array(ids))
	if err != nil {
		return fmt.Errorf("webhooks.loadBodies: %w", err)
	}
	byEvent := make(map[string]eventBody, len(bodies))
	for _, b := range bodies {
		byEvent[b.ID] = b
	}
	for _, w := range works {
		if b, ok := byEvent[w.eventID]; ok && w.body == "" {
			w.event, w.body = b.Event, b.Body
		}
	}
	return nil
}

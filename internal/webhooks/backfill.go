package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// Backfill sends an endpoint the account's events from since until the endpoint's registration, oldest first, and
// returns how many it queued. Later events are delivered anyway, so each event arrives once. Like Replay, it gives
// way to live events. It queues at most rate deliveries per second; 0 means DefaultReplayRate. Events are kept for 30
// days.
func (s *Deliveries) Backfill(ctx context.Context, accountID, endpointID string, since time.Time,
	rate int) (int, error) {
	e, err := selectEndpoint(ctx, s.db, accountID, endpointID)
	if err != nil {
		return 0, fmt.Errorf("backfill events: %w", err)
	}
	done, err := s.runSources(ctx, accountID, []*replaySource{{endpoint: e.ID, next: s.backfillNext(e, since)}},
		replayRate{perSecond: rate})
	if err != nil {
		return done, fmt.Errorf("backfill events: %w", err)
	}
	return done, nil
}

// backfillNext returns a function that queues the next events for the endpoint.
func (s *Deliveries) backfillNext(e Endpoint, since time.Time) nextBatch {
	after := eventPosition{CreatedAt: since}
	return func(ctx context.Context, limit int) (count int, more bool, err error) {
		var batch []eventPosition
		err = s.clock.Write(ctx, s.db, e.AccountID, func(tx *postgres.Tx, _ clock.Stamp) error {
			if batch, err = selectPastEvents(ctx, tx, e, after, limit); err != nil || len(batch) == 0 {
				return err
			}
			return insertBackfill(ctx, tx, e, batch)
		})
		if err != nil || len(batch) == 0 {
			return 0, false, err
		}
		after = batch[len(batch)-1]
		return len(batch), len(batch) == limit, nil
	}
}

// eventPosition identifies a position in the account's events.
type eventPosition struct {
	CreatedAt time.Time `db:"created_at"`
	ID        string    `db:"id"`
}

// selectPastEvents returns the endpoint's events after a position and before its registration.
func selectPastEvents(ctx context.Context, db postgres.Querier, e Endpoint, after eventPosition,
	limit int) ([]eventPosition, error) {
	var list []eventPosition
	err := db.Select(ctx, &list, `
		SELECT created_at, id FROM events
		WHERE account_id = $1 AND created_at >= $2 AND (created_at, id) > ($2, $3) AND created_at <= $4
		  AND event = ANY($5)
		ORDER BY created_at, id LIMIT $6`, e.AccountID, after.CreatedAt, after.ID, e.CreatedAt, kindArray(e.kinds()),
		limit)
	return list, err
}

// insertBackfill queues a delivery for every event, unless the endpoint was deleted.
func insertBackfill(ctx context.Context, tx *postgres.Tx, e Endpoint, batch []eventPosition) error {
	ids, eventIDs, times := make([]string, len(batch)), make([]string, len(batch)), make([]string, len(batch))
	for i, event := range batch {
		ids[i], eventIDs[i], times[i] = id.New(id.Delivery, event.CreatedAt), event.ID,
			timestamp.Format(event.CreatedAt)
	}
	_, err := tx.Exec(ctx, `
		WITH endpoint AS MATERIALIZED (
			SELECT id FROM webhook_endpoints WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL
		), woken AS (
			INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
			SELECT $1, id, statement_timestamp(), statement_timestamp() FROM endpoint
		)
		INSERT INTO deliveries_pending (account_id, id, endpoint_id, event_id, event_created_at, due_at)
		SELECT $1, w.id, e.id, w.event_id, w.created_at, statement_timestamp()
		FROM unnest($3::text[], $4::text[], $5::timestamptz[]) AS w(id, event_id, created_at) CROSS JOIN endpoint e`,
		e.AccountID, e.ID, pq.Array(ids), pq.Array(eventIDs), pq.Array(times))
	return err
}

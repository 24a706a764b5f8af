package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// storeResults writes one account's results: every attempt into the log, and each delivery, if the
// claim it was sent under still holds, to where it belongs now. claims go with batch.
func storeResults(ctx context.Context, tx *postgres.Tx, account string, batch []result, claims []int64, now time.Time) error {
	if err := insertAttempts(ctx, tx, account, batch); err != nil {
		return fmt.Errorf("webhooks.storeResults: %w", err)
	}
	moves := [...]struct {
		state state
		store func(context.Context, *postgres.Tx, string, outcomes, time.Time) error
	}{
		{stateDelivered, storeDelivered}, {stateRetried, storeRetried}, {stateDropped, storeDropped}, {stateGivenBack, storeGivenBack},
	}
	for _, move := range moves {
		o := selectOutcomes(batch, claims, move.state)
		if len(o.ids) == 0 {
			continue
		}
		if err := move.store(ctx, tx, account, o, now); err != nil {
			return fmt.Errorf("webhooks.storeResults: %w", err)
		}
	}
	return nil
}

// outcomes are the arrays of the results that share a state.
type outcomes struct {
	ids      []string
	claims   []int64
	statuses []int64
	messages []string
	times    []string // due, of retried ones
}

func selectOutcomes(batch []result, claims []int64, s state) (o outcomes) {
	for i, r := range batch {
		if r.state != s {
			continue
		}
		o.ids = append(o.ids, r.work.id)
		o.claims = append(o.claims, claims[i])
		o.statuses = append(o.statuses, int64(r.status))
		o.messages = append(o.messages, r.message())
		o.times = append(o.times, timestamp.Format(r.due))
	}
	return o
}

func insertAttempts(ctx context.Context, tx *postgres.Tx, account string, batch []result) error {
	var ids, started, classes []string
	var numbers, durations, statuses []int64
	var answers pq.ByteaArray
	for _, r := range batch {
		if r.state == stateGivenBack {
			continue
		}
		ids = append(ids, r.work.id)
		started = append(started, timestamp.Format(r.started))
		numbers = append(numbers, int64(r.work.attempts+1))
		durations = append(durations, r.duration.Microseconds())
		statuses = append(statuses, int64(r.status))
		classes = append(classes, r.class)
		answers = append(answers, append([]byte{}, r.answer...)) // never NULL
	}
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO delivery_attempts (account_id, delivery_id, started_at, attempt, duration_micros, status, class, answer)
		SELECT $1, r.id, r.started_at, r.attempt, r.duration, nullif(r.status, 0), r.class, r.answer
		FROM unnest($2::text[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::bytea[])
		     AS r(id, started_at, attempt, duration, status, class, answer)`,
		account, pq.Array(ids), pq.Array(started), pq.Array(numbers), pq.Array(durations), pq.Array(statuses), pq.Array(classes), answers)
	return err
}

func storeDelivered(ctx context.Context, tx *postgres.Tx, account string, o outcomes, now time.Time) error {
	_, err := tx.Exec(ctx, `
		WITH finished AS (
			DELETE FROM deliveries_pending p
			USING unnest($2::text[], $3::bigint[], $4::bigint[]) AS r(id, claim_id, status)
			WHERE p.account_id = $1 AND p.id = r.id AND p.claim_id = r.claim_id
			RETURNING p.id, p.endpoint_id, p.event_id, p.event_created_at, p.attempts, r.status
		)
		INSERT INTO deliveries_delivered (account_id, id, endpoint_id, event_id, event_created_at, delivered_at, attempts, last_status)
		SELECT $1, id, endpoint_id, event_id, event_created_at, $5, attempts + 1, status FROM finished`,
		account, pq.Array(o.ids), pq.Array(o.claims), pq.Array(o.statuses), now)
	return err
}

func storeRetried(ctx context.Context, tx *postgres.Tx, account string, o outcomes, _ time.Time) error {
	_, err := tx.Exec(ctx, `
		UPDATE deliveries_pending p
		SET due_at = r.due_at, leased_until = NULL, claim_id = NULL, attempts = p.attempts + 1,
		    last_status = nullif(r.status, 0), last_error = r.message
		FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::timestamptz[]) AS r(id, claim_id, status, message, due_at)
		WHERE p.account_id = $1 AND p.id = r.id AND p.claim_id = r.claim_id`,
		account, pq.Array(o.ids), pq.Array(o.claims), pq.Array(o.statuses), pq.Array(o.messages), pq.Array(o.times))
	return err
}

// storeDropped keeps with a dropped delivery what was to be sent, because it outlives its event.
func storeDropped(ctx context.Context, tx *postgres.Tx, account string, o outcomes, now time.Time) error {
	_, err := tx.Exec(ctx, `
		WITH finished AS (
			DELETE FROM deliveries_pending p
			USING unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[]) AS r(id, claim_id, status, message)
			WHERE p.account_id = $1 AND p.id = r.id AND p.claim_id = r.claim_id
			RETURNING p.id, p.endpoint_id, p.event_id, p.event_created_at, p.attempts, p.event, p.body, r.status, r.message
		)
		INSERT INTO deliveries_dropped (account_id, id, endpoint_id, event_id, event_created_at, event, body, dropped_at,
		                                attempts, last_status, last_error)
		SELECT $1, f.id, f.endpoint_id, f.event_id, f.event_created_at, coalesce(f.event, e.event, ''), coalesce(f.body, e.body, ''),
		       $6, f.attempts + 1, nullif(f.status, 0), f.message
		FROM finished f LEFT JOIN LATERAL (
			SELECT e.event, e.body FROM events e
			WHERE e.account_id = $1 AND e.created_at = f.event_created_at AND e.id = f.event_id LIMIT 1
		) e ON true`,
		account, pq.Array(o.ids), pq.Array(o.claims), pq.Array(o.statuses), pq.Array(o.messages), now)
	return err
}

func storeGivenBack(ctx context.Context, tx *postgres.Tx, account string, o outcomes, _ time.Time) error {
	return releaseLeases(ctx, tx, account, o.ids, o.claims)
}

// dropUnleased ends up to limit deliveries of a deleted endpoint that are not being sent just now,
// and returns how many.
func dropUnleased(ctx context.Context, db postgres.Querier, key laneKey, now time.Time, limit int) (int, error) {
	result, err := db.Exec(ctx, `
		WITH due AS MATERIALIZED (
			SELECT id FROM deliveries_pending
			WHERE account_id = $1 AND endpoint_id = $2 AND (leased_until IS NULL OR leased_until <= $3)
			ORDER BY due_at LIMIT $4
			FOR UPDATE SKIP LOCKED
		), finished AS (
			DELETE FROM deliveries_pending p USING due WHERE p.account_id = $1 AND p.id = due.id
			RETURNING p.id, p.endpoint_id, p.event_id, p.event_created_at, p.attempts, p.last_status, p.event, p.body
		)
		INSERT INTO deliveries_dropped (account_id, id, endpoint_id, event_id, event_created_at, event, body, dropped_at,
		                                attempts, last_status, last_error)
		SELECT $1, f.id, f.endpoint_id, f.event_id, f.event_created_at, coalesce(f.event, e.event, ''), coalesce(f.body, e.body, ''),
		       $3, f.attempts, f.last_status, $5
		FROM finished f LEFT JOIN LATERAL (
			SELECT e.event, e.body FROM events e
			WHERE e.account_id = $1 AND e.created_at = f.event_created_at AND e.id = f.event_id LIMIT 1
		) e ON true`, key.account, key.endpoint, now, limit, ErrorEndpointDeleted)
	if err != nil {
		return 0, fmt.Errorf("webhooks.dropUnleased: %w", err)
	}
	dropped, err := result.RowsAffected()
	return int(dropped), err
}

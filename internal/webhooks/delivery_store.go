package webhooks

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// selectSQL selects the fields of Delivery for each state, without a WHERE clause.
var selectSQL = map[State]string{
	Pending: `
		SELECT d.id, d.event_id, d.endpoint_id, d.account_id, 'pending' AS state, d.attempts,
		  d.due_at AS next_attempt_at,
		       d.last_status, d.last_error, d.event_created_at AS created_at, NULL::timestamptz AS finished_at
		FROM deliveries_pending d`,
	Delivered: `
		SELECT d.id, d.event_id, d.endpoint_id, d.account_id, 'delivered' AS state, d.attempts,
		  NULL::timestamptz AS next_attempt_at,
		       d.last_status, NULL AS last_error, d.event_created_at AS created_at, d.delivered_at AS finished_at
		FROM deliveries_delivered d`,
	Dropped: `
		SELECT d.id, d.event_id, d.endpoint_id, d.account_id, 'dropped' AS state, d.attempts,
		  NULL::timestamptz AS next_attempt_at,
		       d.last_status, d.last_error, d.event_created_at AS created_at, d.dropped_at AS finished_at
		FROM deliveries_dropped d`,
}

// selectDeliveries returns deliveries in the given states, newest first, from one snapshot. It reads an index range
// for each endpoint, whatever the number of days.
func selectDeliveries(ctx context.Context, db postgres.Querier, states []State, f Filter,
	limit int) ([]Delivery, error) {
	parts := make([]string, len(states))
	for i, state := range states {
		parts[i] = `(` + selectSQL[state] + `
			WHERE d.account_id = $1 AND d.endpoint_id = e.id AND ($3 = '' OR d.id < $3) AND d.event_created_at >= $4
			ORDER BY d.id DESC LIMIT $5)`
	}
	var list []Delivery
	err := db.Select(ctx, &list, `
		SELECT d.id, d.event_id, d.endpoint_id, d.account_id, d.state, d.attempts, d.next_attempt_at,
		       d.last_status, d.last_error, d.created_at, d.finished_at
		FROM webhook_endpoints e CROSS JOIN LATERAL (`+strings.Join(parts, " UNION ALL ")+`) d
		WHERE e.account_id = $1 AND ($2 = '' OR e.id = lower($2))
		ORDER BY d.id DESC LIMIT $5`, f.Account, f.Endpoint, f.Cursor, f.Since, limit)
	if err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	return list, nil
}

// selectAccountDeliveries is selectDeliveries for all endpoints of the account, deleted ones included. It reads
// unfinished and dropped deliveries by their primary keys, and delivered ones as an index range for each endpoint.
func selectAccountDeliveries(ctx context.Context, db postgres.Querier, states []State, f Filter,
	limit int) ([]Delivery, error) {
	const newest = ` AND d.id < $2 ORDER BY d.id DESC LIMIT $3)`
	parts := make([]string, len(states))
	for i, state := range states {
		parts[i] = `(` + selectSQL[state] + ` WHERE d.account_id = $1` + newest
		if state == Delivered {
			parts[i] = `(SELECT d.* FROM webhook_endpoints e CROSS JOIN LATERAL (` + selectSQL[state] + `
				WHERE d.account_id = $1 AND d.endpoint_id = e.id` + newest + ` d WHERE e.account_id = $1)`
		}
	}
	var list []Delivery
	err := db.Select(ctx, &list, `SELECT * FROM (`+strings.Join(parts, " UNION ALL ")+`) d ORDER BY d.id DESC LIMIT $3`,
		f.Account, cmp.Or(f.Cursor, afterAllIDs), limit)
	if err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	return list, nil
}

// afterAllIDs sorts after all identifiers.
const afterAllIDs = "~"

// selectDelivery searches all states; a delivery is in exactly one. The time in its identifier bounds the day
// partitions that are read.
func selectDelivery(ctx context.Context, db postgres.Querier, accountID, deliveryID string) (Delivery, error) {
	fullID, ok := id.Parse(id.Delivery, deliveryID)
	if !ok {
		return Delivery{}, deliveryNotFound()
	}
	deliveryID = fullID
	var d Delivery
	err := db.Get(ctx, &d, selectSQL[Pending]+` WHERE d.account_id = $1 AND d.id = $2
		UNION ALL`+selectSQL[Dropped]+` WHERE d.account_id = $1 AND d.id = $2
		UNION ALL`+selectSQL[Delivered]+` WHERE d.account_id = $1 AND d.id = $2 AND d.delivered_at >= $3
			AND d.endpoint_id = ANY(ARRAY(SELECT e.id FROM webhook_endpoints e WHERE e.account_id = $1))
		LIMIT 1`, accountID, deliveryID, earliest(deliveryID))
	if errors.Is(err, sql.ErrNoRows) {
		return Delivery{}, deliveryNotFound()
	}
	if err != nil {
		return Delivery{}, fmt.Errorf("load delivery: %w", err)
	}
	return d, nil
}

// earliest returns a time before any change of the delivery. The margin of a day allows for clocks of machines that
// differ.
func earliest(deliveryID string) time.Time { return id.Time(deliveryID).Add(-24 * time.Hour) }

func selectAttempts(ctx context.Context, db postgres.Querier, accountID, deliveryID string) ([]Attempt, error) {
	var attempts []Attempt
	err := db.Select(ctx, &attempts, `
		SELECT attempt, started_at, duration_micros * 1000 AS duration, status, class, answer
		FROM delivery_attempts
		WHERE account_id = $1 AND delivery_id = $2 AND started_at >= $3
		ORDER BY started_at`, accountID, deliveryID, earliest(deliveryID))
	if err != nil {
		return nil, fmt.Errorf("load attempts: %w", err)
	}
	return attempts, nil
}

// resend makes deliveries of one state pending and due now, and returns their number. It skips deliveries that are
// being sent and delivered ones whose event no longer exists. The caller has locked the account's clock.
func resend(ctx context.Context, tx *postgres.Tx, accountID string, state State, ids []string) (resent int, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	args := []any{accountID, pq.Array(ids)}
	if state == Delivered {
		args = append(args, earliest(slices.Min(ids)))
	}
	statement := map[State]string{Pending: resendPending, Delivered: resendDelivered, Dropped: resendDropped}[state]
	if err := tx.Get(ctx, &resent, statement+insertResentWakeups, args...); err != nil {
		return 0, fmt.Errorf("resend deliveries: %w", err)
	}
	return resent, nil
}

const (
	resendPending = `
		WITH resent AS (
			UPDATE deliveries_pending SET due_at = statement_timestamp(), attempts = 0
			WHERE account_id = $1 AND id = ANY($2) AND ` + Unleased + `
			RETURNING endpoint_id
		)`

	resendDelivered = `
		WITH resent AS (
			DELETE FROM deliveries_delivered d
			WHERE d.account_id = $1 AND d.id = ANY($2) AND d.delivered_at >= $3
			  AND d.endpoint_id = ANY(ARRAY(SELECT e.id FROM webhook_endpoints e WHERE e.account_id = $1))
			  AND EXISTS (SELECT FROM events e WHERE e.account_id = $1 AND e.created_at = d.event_created_at
			    AND e.id = d.event_id)
			RETURNING d.id, d.endpoint_id, d.event_id, d.event_created_at, d.last_status
		), inserted AS (
			INSERT INTO deliveries_pending (account_id, id, endpoint_id, event_id, event_created_at, due_at,
			  last_status)
			SELECT $1, id, endpoint_id, event_id, event_created_at, statement_timestamp(), last_status FROM resent
		)`

	resendDropped = `
		WITH resent AS (
			DELETE FROM deliveries_dropped WHERE account_id = $1 AND id = ANY($2)
			RETURNING id, endpoint_id, event_id, event_created_at, event, body, last_status, last_error
		), inserted AS (
			INSERT INTO deliveries_pending (account_id, id, endpoint_id, event_id, event_created_at, due_at,
			                                event, body, last_status, last_error)
			SELECT $1, id, endpoint_id, event_id, event_created_at, statement_timestamp(), event, body, last_status,
			  last_error
			FROM resent
		)`

	// insertResentWakeups ends each of the statements above.
	insertResentWakeups = `, woken AS (
			INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
			SELECT DISTINCT $1::text, endpoint_id, statement_timestamp(), statement_timestamp() FROM resent
		)
		SELECT count(*) FROM resent`
)

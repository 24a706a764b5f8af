package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// storeResults logs the attempts, and moves or updates the deliveries whose claims are still valid. claims has the
// claim of every result. A batch of successes, the usual case, takes one statement. The statements are planned at every
// execution: this is cheap compared with hundreds of results, and a plan that was made while the table was empty would
// read the whole table.
func storeResults(ctx context.Context, db *postgres.DB, batch []result, claims []int64, now time.Time) error {
	outcomes := groupByOutcome(batch, claims)
	if len(outcomes[outcomeDelivered].ids) == len(batch) {
		return storeDelivered(ctx, db.Unprepared(), outcomes[outcomeDelivered], now)
	}
	return db.InTx(ctx, func(tx *postgres.Tx) error {
		for state, o := range outcomes {
			if len(o.ids) == 0 {
				continue
			}
			if err := storeFuncs[state](ctx, tx.Unprepared(), o, now); err != nil {
				return fmt.Errorf("store delivery results: %w", err)
			}
		}
		return nil
	})
}

// storeFuncs has the function that stores each outcome.
var storeFuncs = [...]func(context.Context, postgres.Querier, resultColumns, time.Time) error{
	outcomeDelivered: storeDelivered, outcomeRetried: storeRetried, outcomeDropped: storeDropped,
	outcomeReleased: storeReleased,
}

// resultColumns holds results with the same outcome as arrays, one for each column.
type resultColumns struct {
	accounts, ids, started, classes, errors []string
	claims, attempts, durations             []int64
	statuses                                []int64 // 0: no response
	responses                               pq.ByteaArray
	retryAt                                 []time.Time // only for outcomeRetried
}

func groupByOutcome(batch []result, claims []int64) (columns [len(storeFuncs)]resultColumns) {
	for i, r := range batch {
		o := &columns[r.outcome]
		o.accounts = append(o.accounts, r.job.key.Account)
		o.ids = append(o.ids, r.job.id)
		o.claims = append(o.claims, claims[i])
		o.started = append(o.started, timestamp.Format(r.started))
		o.attempts = append(o.attempts, int64(r.job.attempts+1))
		o.durations = append(o.durations, r.duration.Microseconds())
		o.statuses = append(o.statuses, int64(r.status))
		o.classes = append(o.classes, r.class)
		o.errors = append(o.errors, r.message())
		o.responses = append(o.responses, append([]byte{}, r.response...)) // nil would be stored as NULL
		o.retryAt = append(o.retryAt, r.retryAt)
	}
	return columns
}

// insertAttempts is the first part of the statements that store attempts: it writes the attempt log. $1 to $9 are the
// arguments that args returns.
const insertAttempts = `
	WITH r AS MATERIALIZED (
		SELECT r.account_id, r.id, r.claim_id, r.started_at, r.attempt, r.duration, nullif(r.status, 0) AS status,
		  r.class, r.answer
		FROM unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::bigint[], $6::bigint[], $7::bigint[],
		  $8::text[], $9::bytea[])
		     AS r(account_id, id, claim_id, started_at, attempt, duration, status, class, answer)
	), logged AS (
		INSERT INTO delivery_attempts (account_id, delivery_id, started_at, attempt, duration_micros, status, class,
		  answer)
		SELECT r.account_id, r.id, r.started_at, r.attempt, r.duration, r.status, r.class, r.answer FROM r
	)`

// stillClaimed is the condition for deliveries p of the results r whose claim is still valid. It looks each row up on
// its own, because a join may be planned as a scan of the whole table. A row that is updated at the same time has a
// new ctid and is skipped: if it was claimed again, its claim differs anyway; if upkeep stored its body, it is sent
// again after its lease expires.
const stillClaimed = `p.ctid = ANY(ARRAY(
				SELECT held.ctid FROM r CROSS JOIN LATERAL (
					SELECT ctid FROM deliveries_pending WHERE account_id = r.account_id AND id = r.id
					  AND claim_id = r.claim_id LIMIT 1
				) held
			))`

// args returns the arguments of insertAttempts, followed by more, which begin at $10.
func (o resultColumns) args(more ...any) []any {
	return append([]any{pq.Array(o.accounts), pq.Array(o.ids), pq.Array(o.claims), pq.Array(o.started),
		pq.Array(o.attempts),
		pq.Array(o.durations), pq.Array(o.statuses), pq.Array(o.classes), o.responses}, more...)
}

// retryDelays returns the microseconds until each retry.
func (o resultColumns) retryDelays() []int64 {
	waits := make([]int64, len(o.retryAt))
	for i, at := range o.retryAt {
		waits[i] = time.Until(at).Microseconds()
	}
	return waits
}

func storeDelivered(ctx context.Context, db postgres.Querier, o resultColumns, now time.Time) error {
	_, err := db.Exec(ctx, insertAttempts+`, finished AS (
			DELETE FROM deliveries_pending p USING r
			WHERE `+stillClaimed+` AND p.id = r.id
			RETURNING p.account_id, p.id, p.endpoint_id, p.event_id, p.event_created_at, p.attempts, r.status
		)
		INSERT INTO deliveries_delivered (account_id, id, endpoint_id, event_id, event_created_at, delivered_at,
		  attempts, last_status)
		SELECT account_id, id, endpoint_id, event_id, event_created_at, $10, attempts + 1, status FROM finished`,
		o.args(now)...)
	return err
}

// storeRetried schedules the next attempts by the database's clock.
func storeRetried(ctx context.Context, db postgres.Querier, o resultColumns, _ time.Time) error {
	_, err := db.Exec(ctx, insertAttempts+`, n AS MATERIALIZED (
			SELECT n.id, n.message, statement_timestamp() + n.wait * interval '1 microsecond' AS due_at
			FROM unnest($2::text[], $10::text[], $11::bigint[]) AS n(id, message, wait)
		), retried AS (
			UPDATE deliveries_pending p
			SET due_at = n.due_at, leased_until = NULL, handed_until = NULL, claim_id = NULL, attempts = p.attempts + 1,
			    last_status = r.status, last_error = n.message
			FROM r JOIN n ON n.id = r.id
			WHERE `+stillClaimed+` AND p.id = r.id
			RETURNING p.account_id, p.endpoint_id, p.due_at
		)`+insertWakeups(`retried`), o.args(pq.Array(o.errors), pq.Array(o.retryDelays()))...)
	return err
}

// insertWakeups inserts a wakeup for each endpoint of the updated rows, at their earliest due time.
func insertWakeups(rows string) string {
	return `
		INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
		SELECT account_id, endpoint_id, greatest(min(due_at), statement_timestamp()), min(due_at)
		FROM ` + rows + ` GROUP BY account_id, endpoint_id`
}

// storeDropped copies the event's body into the dropped delivery, because a dropped delivery is kept longer than its
// event.
func storeDropped(ctx context.Context, db postgres.Querier, o resultColumns, now time.Time) error {
	_, err := db.Exec(ctx, insertAttempts+`, finished AS (
			DELETE FROM deliveries_pending p
			USING r JOIN unnest($2::text[], $10::text[]) AS n(id, message) ON n.id = r.id
			WHERE `+stillClaimed+` AND p.id = r.id
			RETURNING p.account_id, p.id, p.endpoint_id, p.event_id, p.event_created_at, p.attempts, p.event, p.body,
			  r.status, n.message
		)
		INSERT INTO deliveries_dropped (account_id, id, endpoint_id, event_id, event_created_at, event, body,
		                                dropped_at, attempts, last_status, last_error)
		SELECT f.account_id, f.id, f.endpoint_id, f.event_id, f.event_created_at,
		       coalesce(f.event, e.event, ''), coalesce(f.body, e.body, ''),
		       $11, f.attempts + 1, f.status, f.message
		FROM `+finishedWithEvent,
		o.args(pq.Array(o.errors), now)...)
	return err
}

// storeReleased releases leases, so that any engine can claim the deliveries.
func storeReleased(ctx context.Context, db postgres.Querier, o resultColumns, _ time.Time) error {
	_, err := db.Exec(ctx, `
		WITH r AS (SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS r(account_id, id, claim_id)),
		released AS (
			UPDATE deliveries_pending p SET leased_until = NULL, handed_until = NULL, claim_id = NULL
			  WHERE `+stillClaimed+`
			RETURNING p.account_id, p.endpoint_id, p.due_at
		)
		INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
		SELECT account_id, endpoint_id, statement_timestamp(), min(due_at) FROM released
		  GROUP BY account_id, endpoint_id`,
		pq.Array(o.accounts), pq.Array(o.ids), pq.Array(o.claims))
	return err
}

// finishedWithEvent joins the events of rows named "finished" that have no body of their own. LATERAL prevents a plan
// that reads whole day partitions.
const finishedWithEvent = `finished f LEFT JOIN LATERAL (
			SELECT e.event, e.body FROM events e
			WHERE e.account_id = f.account_id AND e.created_at = f.event_created_at AND e.id = f.event_id LIMIT 1
		) e ON true`

// dropRequest selects the deliveries of an endpoint to drop, and gives the reason.
type dropRequest struct {
	key     webhooks.EndpointKey
	overdue time.Duration // drop only deliveries that have been due for longer; 0 means all
	message string        // the last_error of the dropped deliveries
}

// dropUnleased drops up to dropBatch deliveries of a disabled or deleted endpoint that are not leased, and returns
// their number.
func dropUnleased(ctx context.Context, db postgres.Querier, d dropRequest, now time.Time) (int, error) {
	result, err := db.Exec(ctx, `
		WITH due AS MATERIALIZED (
			SELECT ctid FROM deliveries_pending
			WHERE account_id = $1 AND endpoint_id = $2 AND `+webhooks.Unleased+`
			  AND EXISTS (SELECT FROM webhook_endpoints e WHERE e.account_id = $1 AND e.id = $2 AND NOT e.enabled)
			  AND ($6::bigint = 0 OR due_at < now() - $6::bigint * interval '1 microsecond')
			ORDER BY due_at LIMIT $4
			FOR UPDATE SKIP LOCKED
		), finished AS (
			DELETE FROM deliveries_pending p WHERE p.account_id = $1 AND p.ctid = ANY(ARRAY(SELECT ctid FROM due))
			RETURNING p.account_id, p.id, p.endpoint_id, p.event_id, p.event_created_at, p.attempts, p.last_status,
			  p.event, p.body
		)
		INSERT INTO deliveries_dropped (account_id, id, endpoint_id, event_id, event_created_at, event, body,
		                                dropped_at, attempts, last_status, last_error)
		SELECT f.account_id, f.id, f.endpoint_id, f.event_id, f.event_created_at,
		       coalesce(f.event, e.event, ''), coalesce(f.body, e.body, ''),
		       $3, f.attempts, f.last_status, $5
		FROM `+finishedWithEvent, d.key.Account, d.key.Endpoint, now, dropBatch, d.message, d.overdue.Microseconds())
	if err != nil {
		return 0, fmt.Errorf("drop deliveries: %w", err)
	}
	count, err := result.RowsAffected()
	return int(count), err
}

package webhooks

import (
	"context"
	"strconv"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Unleased is the condition for deliveries without a valid lease.
const Unleased = `(leased_until IS NULL OR leased_until <= now()) AND (handed_until IS NULL OR handed_until <= now())`

// SharedWakeupDelay is the time from a write to the wakeup for its deliveries. Later writes of that time share the
// wakeup. It delays only deliveries whose notification is lost while the engines listen.
const SharedWakeupDelay = 5 * time.Second

// sharedWakeupDelay is SharedWakeupDelay as an interval.
var sharedWakeupDelay = strconv.FormatInt(SharedWakeupDelay.Microseconds(), 10) + " microseconds"

// DeferWakeups makes sure with the transaction's last statements that each of the endpoints has a wakeup soon, for
// deliveries that are due now. It inserts one unless there is one. tx must hold the account's clock: no claim deletes a
// wakeup during a transaction that holds it, so the wakeup still exists when the deliveries become visible.
func DeferWakeups(tx *postgres.Tx, account string, endpoints []string) {
	accounts := make(pq.StringArray, len(endpoints))
	for i := range accounts {
		accounts[i] = account
	}
	tx.DeferRows(`
		INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
		SELECT DISTINCT w.account_id, w.endpoint_id,
		       statement_timestamp() + interval '`+sharedWakeupDelay+`', statement_timestamp()
		FROM unnest($1::text[], $2::text[]) AS w(account_id, endpoint_id)
		WHERE NOT EXISTS (
			SELECT FROM endpoint_wakeups e
			WHERE e.account_id = w.account_id AND e.endpoint_id = w.endpoint_id
			  AND e.wake_at <= statement_timestamp() + interval '`+sharedWakeupDelay+`'
			  AND e.due_from <= statement_timestamp()
		)`, accounts, pq.StringArray(endpoints))
}

// insertWakeup inserts a wakeup for the endpoint that is due now, for deliveries of any due time.
func insertWakeup(ctx context.Context, tx *postgres.Tx, accountID, endpointID string) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
		VALUES ($1, lower($2), statement_timestamp(), '0001-01-01T00:00:00Z')`, accountID, endpointID)
	return err
}

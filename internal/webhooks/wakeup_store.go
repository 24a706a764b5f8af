package webhooks

import (
	"context"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Unleased is the condition for deliveries without a valid lease.
const Unleased = `(leased_until IS NULL OR leased_until <= now()) AND (handed_until IS NULL OR handed_until <= now())`

// DeferWakeups inserts wakeups for the endpoints with the transaction's last statements, for deliveries that are due
// now.
func DeferWakeups(tx *postgres.Tx, account string, endpoints []string) {
	accounts := make(pq.StringArray, len(endpoints))
	for i := range accounts {
		accounts[i] = account
	}
	tx.DeferRows(`
		INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
		SELECT w.account_id, w.endpoint_id, statement_timestamp(), statement_timestamp()
		FROM unnest($1::text[], $2::text[]) AS w(account_id, endpoint_id)`, accounts, pq.StringArray(endpoints))
}

// insertWakeup inserts a wakeup for the endpoint that is due now, for deliveries of any due time.
func insertWakeup(ctx context.Context, tx *postgres.Tx, accountID, endpointID string) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
		VALUES ($1, lower($2), statement_timestamp(), '0001-01-01T00:00:00Z')`, accountID, endpointID)
	return err
}

package delivery

import (
	"context"
	"time"
)

// withTimeout runs one statement within upkeepTimeout.
func withTimeout(ctx context.Context, statement func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, upkeepTimeout)
	defer cancel()
	return statement(ctx)
}

// eachAccount calls fn for each account that has ever had an endpoint and for which rows match the condition. args
// are the parameters from $3.
func (u *upkeep) eachAccount(ctx context.Context, condition string, args []any, fn func(account string) error) error {
	for after := ""; ; {
		var page []struct {
			Account   string `db:"account_id"`
			Concerned bool   `db:"concerned"`
		}
		err := withTimeout(ctx, func(ctx context.Context) error {
			return u.db.Select(ctx, &page, `
				SELECT a.account_id, EXISTS (SELECT FROM `+condition+`) AS concerned
				FROM (SELECT DISTINCT account_id FROM webhook_endpoints WHERE account_id > $1
				  ORDER BY account_id LIMIT $2) a
				ORDER BY a.account_id`, append([]any{after, upkeepBatch}, args...)...)
		})
		if err != nil {
			return err
		}
		for _, row := range page {
			after = row.Account
			if !row.Concerned {
				continue
			}
			if err := fn(row.Account); err != nil {
				return err
			}
		}
		if len(page) < upkeepBatch {
			return nil
		}
	}
}

// copyAccountBodies copies events before a time into the account's pending deliveries between two identifiers that
// have no copy. It reads each delivery once, in the order of identifiers. It looks each row to update up on its own,
// because a join may be planned as a scan of the whole table. A concurrent claim may skip a delivery that is being
// updated; the inserted wakeup makes an engine claim it later.
func (u *upkeep) copyAccountBodies(ctx context.Context, account, first, last string, before time.Time) error {
	for {
		var page struct {
			Rows int     `db:"rows"`
			Last *string `db:"last"`
		}
		err := withTimeout(ctx, func(ctx context.Context) error {
			return u.db.Get(ctx, &page, `
				WITH page AS MATERIALIZED (
					SELECT id, event_created_at, event_id, body IS NULL AS lacking FROM deliveries_pending
					WHERE account_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4
				), copies AS MATERIALIZED (
					SELECT page.id, coalesce(e.event, '') AS event, coalesce(e.body, '') AS body
					FROM page LEFT JOIN LATERAL (
						SELECT e.event, e.body FROM events e
						WHERE e.account_id = $1 AND e.created_at = page.event_created_at
						  AND e.id = page.event_id LIMIT 1
					) e ON true
					WHERE page.lacking AND page.event_created_at < $5
				), kept AS (
					UPDATE deliveries_pending p SET event = c.event, body = c.body
					FROM copies c WHERE p.account_id = $1 AND p.id = ANY(ARRAY(SELECT id FROM copies)) AND p.id = c.id
					RETURNING p.endpoint_id, p.due_at
				), woken AS (
					INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
					SELECT $1, endpoint_id, greatest(min(due_at), statement_timestamp()), min(due_at) FROM kept
					  GROUP BY endpoint_id
				)
				SELECT count(*) AS rows, max(id) AS last FROM page`, account, first, last, upkeepBatch, before)
		})
		if err != nil || page.Rows < upkeepBatch {
			return err
		}
		first = *page.Last
	}
}

// deleteAccountDropped deletes the account's deliveries that were dropped before a time.
func (u *upkeep) deleteAccountDropped(ctx context.Context, account string, before time.Time) error {
	for count := int64(upkeepBatch); count == upkeepBatch; {
		err := withTimeout(ctx, func(ctx context.Context) error {
			result, err := u.db.Exec(ctx, `
				DELETE FROM deliveries_dropped
				WHERE account_id = $1 AND id = ANY(ARRAY(
					SELECT d.id FROM deliveries_dropped d
					WHERE d.account_id = $1 AND d.dropped_at < $2 ORDER BY d.dropped_at LIMIT $3))`, account, before,
				upkeepBatch)
			if err != nil {
				return err
			}
			count, err = result.RowsAffected()
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

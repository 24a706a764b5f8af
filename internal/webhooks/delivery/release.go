package delivery

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// leasedBySQL finds the endpoints with deliveries that a process has leased, and the earliest due time to look from.
// Leases of new deliveries are found by the end of the lease, leases of claims by the wakeup after their end. $1 and $2
// are the range of the process's claims.
const leasedBySQL = `
	SELECT account_id, endpoint_id, min(due_from) AS due_from FROM (
		SELECT account_id, endpoint_id, due_at AS due_from FROM deliveries_pending
		WHERE handed_until > now() AND claim_id BETWEEN $1 AND $2
		UNION ALL
		SELECT w.account_id, w.endpoint_id, w.due_from FROM (
			SELECT account_id, endpoint_id, min(due_from) AS due_from FROM endpoint_wakeups
			WHERE wake_at > now() GROUP BY account_id, endpoint_id
		) w
		WHERE EXISTS (
			SELECT FROM deliveries_pending p
			WHERE p.account_id = w.account_id AND p.endpoint_id = w.endpoint_id
			  AND p.due_at >= w.due_from AND p.due_at <= now() AND p.claim_id BETWEEN $1 AND $2
		)
	) leased GROUP BY account_id, endpoint_id`

// releaseSQL releases the deliveries of an endpoint that a process has leased. $1 and $2 are the endpoint, $3 is the
// earliest due time, and $4 and $5 are the range of the process's claims.
const releaseSQL = `
	WITH leased AS MATERIALIZED (
		SELECT ctid FROM deliveries_pending
		WHERE account_id = $1 AND endpoint_id = $2 AND due_at >= $3 AND due_at <= now()
		  AND claim_id BETWEEN $4 AND $5
		FOR UPDATE SKIP LOCKED
	), released AS (
		UPDATE deliveries_pending p SET leased_until = NULL, handed_until = NULL, claim_id = NULL
		WHERE p.account_id = $1 AND p.ctid = ANY(ARRAY(SELECT ctid FROM leased))
		RETURNING p.due_at
	)
	INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
	SELECT $1, $2, statement_timestamp(), min(due_at) FROM released HAVING count(*) > 0`

// leasedFromSQL returns the earliest due time of the leased deliveries of an endpoint: new deliveries that the claim $3
// has leased (see leasedBySQL), and deliveries that any claim has leased.
const leasedFromSQL = `
	SELECT min(due_from) FROM (
		SELECT min(due_at) AS due_from FROM deliveries_pending
		WHERE account_id = $1 AND endpoint_id = $2 AND handed_until > now() AND claim_id = $3
		UNION ALL
		SELECT min(due_from) FROM endpoint_wakeups WHERE account_id = $1 AND endpoint_id = $2 AND wake_at > now()
	) leased`

// releaseClaims releases the leases of claims of an endpoint, and requests a poll for it.
func (e *Engine) releaseClaims(ctx context.Context, key webhooks.EndpointKey, claims []int64) error {
	db := e.db.Unprepared()
	for _, claim := range claims {
		var from *time.Time
		if err := db.Get(ctx, &from, leasedFromSQL, key.Account, key.Endpoint, claim); err != nil {
			return fmt.Errorf("find the deliveries of a claim: %w", err)
		}
		if from == nil {
			continue
		}
		result, err := db.Exec(ctx, releaseSQL, key.Account, key.Endpoint, *from, claim, claim)
		if err != nil {
			return fmt.Errorf("release the deliveries of a claim: %w", err)
		}
		if wakeups, err := result.RowsAffected(); err != nil || wakeups > 0 {
			e.requestPoll()
		}
	}
	return nil
}

// Release releases the deliveries that a process has leased, and wakes all engines.
func (o *Outbox) Release(ctx context.Context, process postgres.ProcessID) error {
	first, last := process.Claims()
	var endpoints []struct {
		Account  string    `db:"account_id"`
		Endpoint string    `db:"endpoint_id"`
		DueFrom  time.Time `db:"due_from"`
	}
	db := o.db.Unprepared()
	if err := db.Select(ctx, &endpoints, leasedBySQL, first, last); err != nil {
		return fmt.Errorf("find the deliveries of a process: %w", err)
	}
	var errs []error
	for _, e := range endpoints {
		if _, err := db.Exec(ctx, releaseSQL, e.Account, e.Endpoint, e.DueFrom, first, last); err != nil {
			errs = append(errs, fmt.Errorf("release deliveries: %w", err))
		}
	}
	if len(endpoints) > 0 {
		o.Wake()
	}
	return errors.Join(errs...)
}

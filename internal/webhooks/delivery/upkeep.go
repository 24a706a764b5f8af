package delivery

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/partitions"
	"github.com/cardvault/cardvault/internal/webhooks"
	"github.com/cardvault/cardvault/internal/worker"
)

// Retention times and limits of the upkeep.
const (
	eventRetention     = 30 * 24 * time.Hour
	attemptRetention   = 30 * 24 * time.Hour
	deliveredRetention = 30 * 24 * time.Hour
	droppedRetention   = 90 * 24 * time.Hour
	// disabledRetention is how long a delivery waits for its endpoint to be enabled.
	disabledRetention = 90 * 24 * time.Hour

	// Partitions are created so many days ahead, in case no process runs over a long weekend.
	partitionDaysAhead = 4
	upkeepInterval     = time.Hour
	// upkeepBatch limits the rows that one statement moves or deletes.
	upkeepBatch = 1000
	// upkeepTimeout limits one statement, so that a dead connection does not block the upkeep.
	upkeepTimeout = time.Minute
	// idTimeMargin is more than the difference between an event's time and the time in its delivery's identifier, and
	// more than the time that events are kept beyond eventRetention.
	idTimeMargin = 48 * time.Hour
)

var (
	eventsTable    = partitions.Table{Name: "events", Key: "created_at"}
	deliveredTable = partitions.Table{Name: "deliveries_delivered", Key: "delivered_at"}
	attemptsTable  = partitions.Table{Name: "delivery_attempts", Key: "started_at"}
)

// NewUpkeep returns the loop that creates the day partitions of events, delivered deliveries and attempts ahead of
// time, and deletes expired data. Several processes can run it.
func NewUpkeep(db *postgres.DB, c clock.Clock) *worker.Periodic {
	u := &upkeep{db: db, clock: c}
	return worker.NewPeriodic("webhook upkeep", upkeepInterval,
		func(ctx context.Context) (bool, error) { return false, u.run(ctx) })
}

// Prepare creates the partitions of today and the following days. It must run after migrations and before events are
// written. Rows without a partition go to the default partition, and the next call moves them.
func Prepare(ctx context.Context, db *postgres.DB, c clock.Clock) error {
	return partitions.Prepare(ctx, db, c.Time(), partitionDaysAhead, eventsTable, deliveredTable, attemptsTable)
}

type upkeep struct {
	db    *postgres.DB
	clock clock.Clock
	// bodiesCopiedBefore is the time up to which this process has copied bodies; zero before the first run.
	bodiesCopiedBefore time.Time
}

// run performs every task even if another one fails: a backup can block one for hours.
func (u *upkeep) run(ctx context.Context) error {
	now := u.clock.Time()
	err := errors.Join(
		Prepare(ctx, u.db, u.clock),
		u.dropEvents(ctx, now),
		deliveredTable.DropBefore(ctx, u.db, now.Add(-deliveredRetention)),
		attemptsTable.DropBefore(ctx, u.db, now.Add(-attemptRetention)),
		u.dropDisabled(ctx, now),
		u.deleteDropped(ctx, now.Add(-droppedRetention)),
	)
	if err != nil {
		return fmt.Errorf("maintain partitions: %w", err)
	}
	return nil
}

// dropEvents drops old events, after their bodies are copied into the deliveries that are still pending.
func (u *upkeep) dropEvents(ctx context.Context, now time.Time) error {
	if err := u.copyBodies(ctx, now.Add(-eventRetention+upkeepInterval)); err != nil {
		return err
	}
	return eventsTable.DropBefore(ctx, u.db, now.Add(-eventRetention))
}

// copyBodies copies events that are about to be dropped into the pending deliveries that need them, such as deliveries
// to an endpoint that has been disabled for weeks.
func (u *upkeep) copyBodies(ctx context.Context, before time.Time) error {
	// A delivery's identifier contains the time of its event, up to the length of a write. Deliveries with an event
	// older than bodiesCopiedBefore by idTimeMargin have their copy, because only events that still exist can be
	// resent.
	first, last := "", id.New(id.Delivery, before.Add(idTimeMargin))
	if !u.bodiesCopiedBefore.IsZero() {
		first = id.New(id.Delivery, u.bodiesCopiedBefore.Add(-idTimeMargin))
	}
	err := u.eachAccount(ctx, `deliveries_pending d WHERE d.account_id = a.account_id AND d.id > $3 AND d.id < $4`,
		[]any{first, last}, func(account string) error {
			return u.copyAccountBodies(ctx, account, first, last,
				before)
		})
	if err != nil {
		return fmt.Errorf("keepBodies: %w", err)
	}
	u.bodiesCopiedBefore = before
	return nil
}

// dropDisabled drops deliveries that have waited for disabledRetention at a disabled endpoint.
func (u *upkeep) dropDisabled(ctx context.Context, now time.Time) error {
	d := dropRequest{overdue: disabledRetention, message: ErrorEndpointDisabled}
	for {
		var page []struct {
			Account  string `db:"account_id"`
			Endpoint string `db:"id"`
		}
		err := withTimeout(ctx, func(ctx context.Context) error {
			return u.db.Select(ctx, &page, `
				SELECT account_id, id FROM webhook_endpoints
				WHERE (account_id, id) > ($1, $2) AND NOT enabled AND deleted_at IS NULL
				ORDER BY account_id, id LIMIT $3`, d.key.Account, d.key.Endpoint, upkeepBatch)
		})
		if err != nil {
			return fmt.Errorf("dropDisabled: %w", err)
		}
		for _, e := range page {
			d.key = webhooks.EndpointKey{Account: e.Account, Endpoint: e.Endpoint}
			if err := u.dropUnleasedOf(ctx, d, now); err != nil {
				return fmt.Errorf("dropDisabled: %w", err)
			}
		}
		if len(page) < upkeepBatch {
			return nil
		}
	}
}

func (u *upkeep) dropUnleasedOf(ctx context.Context, d dropRequest, now time.Time) error {
	for count := dropBatch; count == dropBatch; {
		err := withTimeout(ctx, func(ctx context.Context) (err error) {
			count, err = dropUnleased(ctx, u.db, d, now)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteDropped deletes expired dropped deliveries, account by account.
func (u *upkeep) deleteDropped(ctx context.Context, before time.Time) error {
	err := u.eachAccount(ctx, `deliveries_dropped d WHERE d.account_id = a.account_id AND d.dropped_at < $3`,
		[]any{before}, func(account string) error { return u.deleteAccountDropped(ctx, account, before) })
	if err != nil {
		return fmt.Errorf("deleteDropped: %w", err)
	}
	return nil
}

package webhooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/partitions"
	"github.com/cardvault/cardvault/internal/worker"
)

// How long things are kept, and how it is seen to.
const (
	eventRetention     = 30 * 24 * time.Hour
	attemptRetention   = 30 * 24 * time.Hour
	deliveredRetention = 30 * 24 * time.Hour
	droppedRetention   = 90 * 24 * time.Hour
	// keepWaiting is how long a delivery waits for its endpoint to be enabled.
	disabledRetention = 90 * 24 * time.Hour

	// daysAhead survives a long weekend without the program.
	partitionDaysAhead = 4
	upkeepInterval     = time.Hour
	// upkeepBatch bounds one statement that moves or deletes rows.
	upkeepBatch = 1000
	// upkeepTimeout bounds one statement, so that a connection that has gone silent ends no upkeep.
	upkeepTimeout = time.Minute
	// keptMargin is more than an event's time and that of its delivery's identifier differ by, and more than an
	// event is kept beyond keepEvents.
	idTimeMargin = 48 * time.Hour
)

var (
	eventsTable    = partitions.Table{Name: "events", Key: "created_at"}
	deliveredTable = partitions.Table{Name: "deliveries_delivered", Key: "delivered_at"}
	attemptsTable  = partitions.Table{Name: "delivery_attempts", Key: "started_at"}
)

// NewUpkeep returns the loop that makes the day partitions of events, finished deliveries and
// attempts ahead of time, and removes what has been kept long enough. Several processes may run it.
func NewUpkeep(db *postgres.DB, c clock.Clock) *worker.Periodic {
	u := &upkeep{db: db, clock: c}
	return worker.NewPeriodic("webhook upkeep", upkeepInterval, func(ctx context.Context) (bool, error) { return false, u.run(ctx) })
}

// Prepare makes the partitions of today and the days ahead. Call it after migrating, before events
// are written: rows that come first go to the default partitions, until the next call moves them.
//
// A backup keeps every table from being changed until it ends. That is a warning and no error, for
// today's partition too: the default one takes its rows until then. A service that does not start would cost more.
func Prepare(ctx context.Context, db *postgres.DB, c clock.Clock) error {
	for _, table := range []partitions.Table{eventsTable, deliveredTable, attemptsTable} {
		err := table.Make(ctx, db, c.Time(), partitionDaysAhead)
		switch {
		case errors.Is(err, partitions.ErrInUse):
			slog.WarnContext(ctx, "a day's partition could not be made; it will be tried again", "table", table.Name, "error", err)
		case err != nil:
			return fmt.Errorf("webhooks.Prepare: %w", err)
		}
	}
	return nil
}

type upkeep struct {
	db    *postgres.DB
	clock clock.Clock
	// keptBefore is how far bodies have been kept in this process; zero before the first time.
	bodiesCopiedBefore time.Time
}

// run sees to every duty, whatever becomes of the others: a backup may hold one up for hours.
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
		return fmt.Errorf("webhooks.upkeep: %w", err)
	}
	return nil
}

// dropEvents drops no event before what still waits for it has a copy.
func (u *upkeep) dropEvents(ctx context.Context, now time.Time) error {
	if err := u.copyBodies(ctx, now.Add(-eventRetention+upkeepInterval)); err != nil {
		return err
	}
	return eventsTable.DropBefore(ctx, u.db, now.Add(-eventRetention))
}

// keepBodies copies events that are about to go into deliveries that still wait for them, such as
// those of an endpoint that has been disabled for weeks.
func (u *upkeep) copyBodies(ctx context.Context, before time.Time) error {
	// Identifiers tell when the event happened, to within what a write may last. A delivery of an event that is
	// older than keptMargin before the last time has its copy: only events that are kept can be resent.
	first, last := "", id.New(id.Delivery, before.Add(idTimeMargin))
	if !u.bodiesCopiedBefore.IsZero() {
		first = id.New(id.Delivery, u.bodiesCopiedBefore.Add(-idTimeMargin))
	}
	err := u.eachAccount(ctx, `deliveries_pending d WHERE d.account_id = a.account_id AND d.id > $3 AND d.id < $4`,
		[]any{first, last}, func(account string) error { return u.copyAccountBodies(ctx, account, first, last, before) })
	if err != nil {
		return fmt.Errorf("keepBodies: %w", err)
	}
	u.bodiesCopiedBefore = before
	return nil
}

// dropDisabled drops deliveries that have waited for keepWaiting while their endpoint was disabled.
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
				ORDER BY account_id, id LIMIT $3`, d.key.account, d.key.endpoint, upkeepBatch)
		})
		if err != nil {
			return fmt.Errorf("dropDisabled: %w", err)
		}
		for _, e := range page {
			d.key = endpointKey{e.Account, e.Endpoint}
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
	for dropped := dropBatch; dropped == dropBatch; {
		err := withTimeout(ctx, func(ctx context.Context) (err error) {
			dropped, err = dropUnleased(ctx, u.db, d, now)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteDropped deletes dropped deliveries, account by account.
func (u *upkeep) deleteDropped(ctx context.Context, before time.Time) error {
	err := u.eachAccount(ctx, `deliveries_dropped d WHERE d.account_id = a.account_id AND d.dropped_at < $3`,
		[]any{before}, func(account string) error { return u.deleteAccountDropped(ctx, account, before) })
	if err != nil {
		return fmt.Errorf("deleteDropped: %w", err)
	}
	return nil
}

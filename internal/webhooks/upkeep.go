package webhooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/partitions"
	"github.com/cardvault/cardvault/internal/worker"
)

// How long things are kept, and how it is seen to.
const (
	keepEvents    = 30 * 24 * time.Hour
	keepAttempts  = 30 * 24 * time.Hour
	keepDelivered = 30 * 24 * time.Hour
	keepDropped   = 90 * 24 * time.Hour

	// daysAhead survives a long weekend without the program.
	daysAhead   = 4
	upkeepEvery = time.Hour
	// upkeepBatch bounds one statement that moves or deletes rows.
	upkeepBatch = 1000
)

var (
	eventsTable    = partitions.Table{Name: "events", Key: "created_at"}
	deliveredTable = partitions.Table{Name: "deliveries_delivered", Key: "delivered_at"}
	attemptsTable  = partitions.Table{Name: "delivery_attempts", Key: "started_at"}
)

// NewUpkeep returns the loop that makes the day partitions of events, finished deliveries and
// attempts ahead of time, and removes what has been kept long enough. Several processes may run it.
func NewUpkeep(db *postgres.DB, c clock.Clock) *worker.Periodic {
	u := upkeep{db, c}
	return worker.NewPeriodic("webhook upkeep", upkeepEvery, func(ctx context.Context) (bool, error) { return false, u.run(ctx) })
}

// Prepare makes the partitions of today and the days ahead. Call it after migrating, before events
// are written: rows that come first stay in the default partitions.
//
// A backup keeps every table from being changed until it ends. That is a warning and no error, for
// today's partition too: the default one takes its rows, whose only cost is that they are deleted
// one by one when their time has come. A service that does not start would cost more.
func Prepare(ctx context.Context, db *postgres.DB, c clock.Clock) error {
	for _, table := range []partitions.Table{eventsTable, deliveredTable, attemptsTable} {
		err := table.Make(ctx, db, c.Time(), daysAhead)
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
}

// run sees to every duty, whatever becomes of the others: a backup may hold one up for hours.
func (u upkeep) run(ctx context.Context) error {
	now := u.clock.Time()
	err := errors.Join(
		Prepare(ctx, u.db, u.clock),
		u.dropEvents(ctx, now),
		deliveredTable.DropBefore(ctx, u.db, now.Add(-keepDelivered)),
		attemptsTable.DropBefore(ctx, u.db, now.Add(-keepAttempts)),
		u.deleteDropped(ctx, now.Add(-keepDropped)),
	)
	if err != nil {
		return fmt.Errorf("webhooks.upkeep: %w", err)
	}
	return nil
}

// dropEvents drops no event before what still waits for it has a copy.
func (u upkeep) dropEvents(ctx context.Context, now time.Time) error {
	if err := u.keepBodies(ctx, now.Add(-keepEvents+upkeepEvery)); err != nil {
		return err
	}
	return eventsTable.DropBefore(ctx, u.db, now.Add(-keepEvents))
}

// keepBodies copies events that are about to go into deliveries that still wait for them, such as
// those of an endpoint that has been disabled for weeks.
func (u upkeep) keepBodies(ctx context.Context, before time.Time) error {
	found, err := selectLanes(ctx, u.db.Planned())
	if err != nil {
		return err
	}
	for _, f := range found {
		err := inBatches(ctx, u.db, `
			WITH old AS MATERIALIZED (
				SELECT id, event_created_at, event_id FROM deliveries_pending
				WHERE account_id = $1 AND endpoint_id = $2 AND event_created_at < $3 AND body IS NULL
				ORDER BY id LIMIT $4 FOR UPDATE
			)
			UPDATE deliveries_pending p SET event = coalesce(e.event, ''), body = coalesce(e.body, '')
			FROM old LEFT JOIN LATERAL (
				SELECT e.event, e.body FROM events e
				WHERE e.account_id = $1 AND e.created_at = old.event_created_at AND e.id = old.event_id LIMIT 1
			) e ON true
			WHERE p.account_id = $1 AND p.id = old.id`, f.Account, f.Endpoint, before, upkeepBatch)
		if err != nil {
			return fmt.Errorf("keepBodies: %w", err)
		}
	}
	return nil
}

// deleteDropped deletes dropped deliveries, account by account.
func (u upkeep) deleteDropped(ctx context.Context, before time.Time) error {
	var accounts []string
	err := u.db.Select(ctx, &accounts, `
		WITH RECURSIVE owner AS (
			(SELECT account_id FROM deliveries_dropped ORDER BY account_id LIMIT 1)
			UNION ALL
			SELECT d.account_id FROM owner, LATERAL (
				SELECT d.account_id FROM deliveries_dropped d WHERE d.account_id > owner.account_id ORDER BY d.account_id LIMIT 1
			) d
		)
		SELECT account_id FROM owner`)
	if err != nil {
		return fmt.Errorf("deleteDropped: %w", err)
	}
	for _, account := range accounts {
		err := inBatches(ctx, u.db, `
			DELETE FROM deliveries_dropped
			WHERE account_id = $1 AND id = ANY(ARRAY(
				SELECT d.id FROM deliveries_dropped d WHERE d.account_id = $1 AND d.dropped_at < $2 ORDER BY d.dropped_at LIMIT $3))`,
			account, before, upkeepBatch)
		if err != nil {
			return fmt.Errorf("deleteDropped: %w", err)
		}
	}
	return nil
}

// inBatches repeats a statement, each time in a transaction of its own, until it changes fewer rows
// than upkeepBatch, which its last argument tells it.
func inBatches(ctx context.Context, db *postgres.DB, statement string, args ...any) error {
	for {
		result, err := db.Exec(ctx, statement, args...)
		if err != nil {
			return err
		}
		if changed, err := result.RowsAffected(); err != nil || changed < upkeepBatch {
			return err
		}
	}
}

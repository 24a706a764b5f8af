package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

type accountClockCmd struct {
	output
	Account string `required:"" help:"The account whose clock is shown."`
	Repair  bool   `help:"Set a clock that is ahead back, and the update times in the future with it."`
}

// clockReport is the command's output as JSON.
type clockReport struct {
	AccountID    string  `json:"account_id"`
	LastChangeAt string  `json:"last_change_at"`
	AheadSeconds float64 `json:"ahead_seconds"` // of the database's clock; 0 if it is not ahead
	Repaired     bool    `json:"repaired"`
	PollFrom     string  `json:"poll_from,omitempty"` // clients must poll from here; only after a repair
	Cards        int     `json:"cards"`               // how many have new times
	Batches      int     `json:"batches"`
	Listings     int     `json:"listings"`
}

// Run implements the command.
func (cmd accountClockCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		reading, err := clock.Read(ctx, a.DB, cmd.Account)
		if err != nil {
			return err
		}
		r := clockReport{AccountID: cmd.Account, LastChangeAt: timestamp.Format(reading.LastAt)}
		r.AheadSeconds = max(0, reading.Ahead()).Seconds()
		if reading.Ahead() <= c.ClockTolerance {
			return cmd.print(t, r, fmt.Sprintf(
				"The clock is right: the account's last change was at %s. There is nothing to repair.", r.LastChangeAt))
		}
		if !cmd.Repair {
			return cmd.print(t, r, fmt.Sprintf(
				"The clock is %v ahead: the account's last change was at %s. Until then, each change is a "+
					"microsecond later than the one before. Correct the clocks of all machines, then repair this "+
					"one with --repair.",
				reading.Ahead().Round(time.Second), r.LastChangeAt))
		}
		if err := r.repair(ctx, a.DB); err != nil {
			return err
		}
		return cmd.print(t, r, fmt.Sprintf(
			"The clock is repaired. %d cards, %d batches and %d listings that were changed in the future have new "+
				"times. Events keep their times. Clients that poll must go back to updated_since=%s.",
			r.Cards, r.Batches, r.Listings, r.PollFrom))
	})
}

// repair repairs the clock, gives new times to changes that lie in the future, and counts them.
func (r *clockReport) repair(ctx context.Context, db *postgres.DB) error {
	restamp := func(ctx context.Context, tx *postgres.Tx, after time.Time) (most int, err error) {
		for _, kind := range []struct {
			given   *int
			restamp func(context.Context, *postgres.Tx, string, time.Time) (int, error)
		}{{&r.Cards, cards.Restamp}, {&r.Batches, batches.Restamp}, {&r.Listings, listings.Restamp}} {
			if *kind.given, err = kind.restamp(ctx, tx, r.AccountID, after); err != nil {
				return 0, err
			}
			most = max(most, *kind.given)
		}
		return most, nil
	}
	after, err := clock.Repair(ctx, db, r.AccountID, restamp)
	r.Repaired, r.PollFrom = err == nil, timestamp.Format(after)
	return err
}

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// webhookResendCmd sends one delivery again, or replays many. A replay does not delay live events.
type webhookResendCmd struct {
	output
	owned
	ID           string    `arg:"" optional:"" help:"The delivery's identifier, dlv_…"`
	DroppedSince time.Time `placeholder:"TIME" help:"All that were dropped at or after this time (RFC 3339)."`
	Endpoint     string    `placeholder:"ID" help:"Only this endpoint's deliveries. Required with --since."`
	Since        time.Time `placeholder:"TIME" help:"All that were delivered or dropped since then, and all pending."`
	Rate         int       `default:"100" help:"Deliveries a second at most."`
}

// Run implements the command.
func (cmd webhookResendCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	if err := cmd.check(); err != nil {
		return err
	}
	return app.With(ctx, c, func(a *app.App) error {
		if cmd.ID == "" {
			return cmd.replay(ctx, a, t)
		}
		return cmd.each(ctx, a, fault.DeliveryNotFound, cmd.ID, func(accountID string) error {
			again, err := a.Deliveries.Resend(ctx, accountID, cmd.ID)
			if err != nil {
				return err
			}
			return cmd.print(t, again, fmt.Sprintf("Delivery %s is sent again.", again.ID))
		})
	})
}

func (cmd webhookResendCmd) check() error {
	options := 0
	for _, set := range []bool{cmd.ID != "", !cmd.DroppedSince.IsZero(), !cmd.Since.IsZero()} {
		if set {
			options++
		}
	}
	switch {
	case options != 1:
		return usageError{"give either a delivery's identifier, or --dropped-since, or --endpoint and --since"}
	case !cmd.Since.IsZero() && cmd.Endpoint == "":
		return usageError{"--since needs an --endpoint; --dropped-since does not"}
	case cmd.Rate < 1:
		return usageError{"--rate must be at least 1"}
	}
	return nil
}

// replay sends many deliveries again and prints how many, even if it fails before the last.
func (cmd webhookResendCmd) replay(ctx context.Context, a *app.App, t *terminal) error {
	total := 0
	one := func(accountID string) error {
		n, err := a.Deliveries.Replay(ctx, webhooks.Replay{
			Account: accountID, Endpoint: cmd.Endpoint, DroppedOnly: cmd.Since.IsZero(),
			Since: latest(cmd.DroppedSince, cmd.Since), Rate: cmd.Rate, Progress: t.progress("Sending again"),
		})
		total += n
		return err
	}
	var err error
	if cmd.Endpoint != "" {
		err = cmd.each(ctx, a, fault.EndpointNotFound, cmd.Endpoint, one)
	} else {
		_, err = perAccount(ctx, a, cmd.Account, func(_ context.Context, accountID string) ([]int, error) {
			return nil, one(accountID)
		})
	}
	if err != nil {
		if total > 0 {
			fmt.Fprintf(t.err, "%d deliveries are sent again; the others are unchanged.\n", total)
		}
		return err
	}
	return cmd.print(t, map[string]int{"resent": total}, fmt.Sprintf("%d deliveries are sent again.", total))
}

// latest returns the later of two times. Either may be zero.
func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

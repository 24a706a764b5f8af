package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// webhookTestCmd sends an example event to an endpoint and prints the result.
type webhookTestCmd struct {
	output
	owned
	ID    string        `arg:"" help:"The endpoint's identifier, whe_…"`
	Event string        `placeholder:"KIND" help:"The kind of event. Default: the first the endpoint subscribes to."`
	Wait  time.Duration `default:"15s" help:"How long to wait for the first attempt. 0 does not wait."`
}

// pollInterval is how often the command reads the delivery while it waits for its first attempt.
const pollInterval = 50 * time.Millisecond

// Run implements the command.
func (cmd webhookTestCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		return cmd.each(ctx, a, fault.EndpointNotFound, cmd.ID, func(accountID string) error {
			d, err := a.Deliveries.SendTest(ctx, accountID, cmd.ID, events.Kind(cmd.Event))
			if err != nil {
				return err
			}
			if d, err = cmd.await(ctx, a, d); err != nil {
				return err
			}
			return cmd.print(t, d, fmt.Sprintf("Delivery %s, event %s: %s", d.ID, d.EventID, outcome(d)))
		})
	})
}

// await returns the delivery as it is after its first attempt, or when the wait is over.
func (cmd webhookTestCmd) await(ctx context.Context, a *app.App, d webhooks.Delivery) (webhooks.Delivery, error) {
	deadline := time.After(cmd.Wait)
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for d.State == webhooks.Pending && d.Attempts == 0 {
		select {
		case <-ctx.Done():
			return d, ctx.Err()
		case <-deadline:
			return d, nil
		case <-poll.C:
		}
		var err error
		if d, err = a.Deliveries.Get(ctx, d.AccountID, d.ID); err != nil {
			return d, err
		}
	}
	return d, nil
}

// outcome describes the state of a delivery.
func outcome(d webhooks.Delivery) string {
	switch {
	case d.State == webhooks.Delivered && d.LastStatus != nil:
		return fmt.Sprintf("answered with %d.", *d.LastStatus)
	case d.LastError != nil:
		return fmt.Sprintf("%s (next attempt: %s).", *d.LastError, when(d.NextAttemptAt))
	}
	return "not sent yet; is a worker running?"
}

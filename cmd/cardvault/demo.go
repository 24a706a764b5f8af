package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/demo"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// demoCmd creates the demo account, or a new token for the existing one.
type demoCmd struct{ output }

// Run implements the command.
func (cmd demoCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return cmd.fill(ctx, c, t, demo.Load, demo.Options{})
}

// sandboxCmd creates a new account to try things in.
type sandboxCmd struct {
	output
	Name   string `default:"Sandbox" help:"The account's name."`
	Limits string `placeholder:"read=N,write=N,ai=N" help:"The token's requests a minute. Default: --rate-limits."`
}

// Run implements the command.
func (cmd sandboxCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	limits, err := ratelimit.ParseLimits(cmd.Limits)
	if err != nil {
		return usageError{err.Error()}
	}
	return cmd.fill(ctx, c, t, demo.New, demo.Options{Name: cmd.Name, Limits: limits})
}

// fill creates the demo's cards in the account that load chooses, and prints its token.
func (o output) fill(
	ctx context.Context, c *config.Config, t *terminal,
	load func(context.Context, demo.Services, demo.Options) (demo.Result, error), options demo.Options,
) error {
	options.Progress = t.progress("Photographing the demo's cards")
	return app.With(ctx, c, func(a *app.App) error {
		parts, err := a.Services(ctx)
		if err != nil {
			return err
		}
		account, err := load(ctx, demo.Services{
			DB: a.DB, Clock: a.Clock, Accounts: a.Accounts, Users: a.Users,
			Batches: a.Batches, Cards: a.Cards, Photos: a.Photos,
			Catalog: a.Catalog, Identify: parts.Identify,
		}, options)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("Account %s with %d fictional cards in %d batches. Its token, shown once:\n%s",
			account.AccountID, account.Cards, account.Batches, account.Token)
		if account.Email != "" {
			text += fmt.Sprintf("\nThe dashboard's log-in: %s with the password %s", account.Email, account.Password)
		}
		return o.print(t, account, text)
	})
}

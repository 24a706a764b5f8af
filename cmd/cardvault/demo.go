package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/demo"
)

// demoCmd makes the demo account, or a new token for the one that is there.
type demoCmd struct{ output }

// Run implements the command.
func (cmd demoCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return withApp(ctx, c, func(a *app) error {
		parts, err := a.services(ctx)
		if err != nil {
			return err
		}
		made, err := demo.Load(ctx, demo.Services{
			DB: a.db, Clock: a.clock, Accounts: a.accounts, Batches: a.batches, Cards: a.cards, Photos: a.photos,
			Catalog: a.catalog, Identify: parts.identify,
		}, demo.Options{Progress: t.progress("Photographing the demo's cards")})
		if err != nil {
			return err
		}
		return cmd.print(t, made, fmt.Sprintf("Account %s with %d fictional cards in %d batches. Its token, shown once:\n%s",
			made.AccountID, made.Cards, made.Batches, made.Token))
	})
}

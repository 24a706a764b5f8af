package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
)

type accountCmd struct {
	Create accountCreateCmd `cmd:"" help:"Create an account."`
	List   accountListCmd   `cmd:"" help:"List the accounts."`
	Delete accountDeleteCmd `cmd:"" help:"Delete an account and everything in it after 14 days, or keep it."`
	Quotas accountQuotasCmd `cmd:"" help:"Show how much an account has and may have, and set its quotas."`
	Clock  accountClockCmd  `cmd:"" help:"Show how far an account's clock is ahead, and repair it."`
}

type accountCreateCmd struct {
	output
	Name     string `required:"" help:"The account's name."`
	Sandbox  bool   `help:"For trying things out: separate data, built-in providers, the sandbox marketplace."`
	Currency string `default:"USD" help:"The currency of filters by price, an ISO 4217 code."`
	TimeZone string `default:"UTC" help:"The time zone, a name such as Europe/Berlin."`
}

// Run implements the command.
func (cmd accountCreateCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		account, err := a.Accounts.CreateWith(ctx, accounts.Settings{
			Name: cmd.Name, Sandbox: cmd.Sandbox, Currency: cmd.Currency, TimeZone: cmd.TimeZone,
		})
		if err != nil {
			return err
		}
		return cmd.print(t, account, fmt.Sprintf("Account %s %q. Next: cardvault token create --account %s --name NAME",
			account.ID, account.Name, account.ID))
	})
}

type accountListCmd struct{ output }

// Run implements the command.
func (cmd accountListCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		all, err := a.Accounts.List(ctx)
		if err != nil {
			return err
		}
		return list(cmd.output, t, all, "ACCOUNT\tSANDBOX\tNAME", func(a accounts.Account) string {
			return fmt.Sprintf("%s\t%v\t%s", a.ID, a.Sandbox, a.Name)
		})
	})
}

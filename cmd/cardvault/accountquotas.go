package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/quota"
)

type accountQuotasCmd struct {
	output
	ID  string  `arg:"" help:"The account's identifier, acc_…"`
	Set *string `placeholder:"NAME=N,…" help:"Replace the account's own quotas. Empty: it has those of --quotas."`
}

// Run implements the command.
func (cmd accountQuotasCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	var own quota.Limits
	if cmd.Set != nil {
		var err error
		if own, err = quota.Parse(*cmd.Set); err != nil {
			return usageError{err.Error()}
		}
	}
	return app.With(ctx, c, func(a *app.App) error {
		if cmd.Set != nil {
			if err := a.Accounts.SetQuotas(ctx, cmd.ID, own); err != nil {
				return err
			}
		}
		uses, err := a.Accounts.Quotas(ctx, cmd.ID)
		if err != nil {
			return err
		}
		return list(cmd.output, t, uses, "QUOTA\tUSED\tLIMIT", quotaLine)
	})
}

func quotaLine(use accounts.QuotaUse) string {
	amount, limit := quota.Format(use.Kind, use.Used, ""), "none"
	if use.Counting {
		amount += " (still counting)"
	}
	if use.Limit > 0 {
		limit = quota.Format(use.Kind, use.Limit, "")
	}
	return fmt.Sprintf("%s\t%s\t%s", use.Kind, amount, limit)
}

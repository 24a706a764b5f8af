package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/accounts/deletion"
	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
)

type accountDeleteCmd struct {
	output
	Account string `required:"" help:"The account that is deleted."`
	Now     bool   `xor:"when" help:"Delete it at once. Nothing can be restored."`
	Cancel  bool   `xor:"when" help:"Keep an account whose deletion was asked for."`
}

// Run implements the command.
func (cmd accountDeleteCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		if cmd.Cancel {
			account, err := a.Deletions.Cancel(ctx, cmd.Account)
			if err != nil {
				return err
			}
			return cmd.print(t, account, fmt.Sprintf("Account %s %q is kept.", account.ID, account.Name))
		}
		wait := deletion.Wait
		if cmd.Now {
			wait = 0
		}
		account, err := a.Deletions.Request(ctx, cmd.Account, wait)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("The workers delete account %s %q at %s. Until then everything works, and "+
			"cardvault account delete --account %s --cancel keeps it.",
			account.ID, account.Name, when(account.DeleteAt), account.ID)
		if cmd.Now {
			text = fmt.Sprintf("The workers delete account %s %q now.", account.ID, account.Name)
		}
		return cmd.print(t, account, text)
	})
}

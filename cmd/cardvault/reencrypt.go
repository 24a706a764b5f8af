package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
)

// webhookReencryptCmd re-encrypts all endpoints' secrets. It is the second step of replacing CARDVAULT_SECRET_KEY: the
// first puts the new key before the old one, the third removes the old one.
type webhookReencryptCmd struct{ output }

// Run implements the command.
func (cmd webhookReencryptCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		done, err := a.Endpoints.Reencrypt(ctx)
		if err != nil {
			fmt.Fprintf(t.err, "%d endpoints' secrets were encrypted with the current key.\n", done.Reencrypted)
			return err
		}
		return cmd.print(t, done, fmt.Sprintf(
			"%d endpoints' secrets were encrypted with the current key; those of %d were already.",
			done.Reencrypted, done.Current))
	})
}

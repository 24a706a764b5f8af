package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// webhookReencryptCmd re-encrypts all endpoints' secrets and the tokens of marketplaces. It is the second step of
// replacing CARDVAULT_SECRET_KEY: the first puts the new key before the old one, the third removes the old one.
type webhookReencryptCmd struct{ output }

// Run implements the command.
func (cmd webhookReencryptCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	return app.With(ctx, c, func(a *app.App) error {
		done, err := a.Endpoints.Reencrypt(ctx)
		if err != nil {
			fmt.Fprintf(t.err, "%d endpoints' secrets were encrypted with the current key.\n", done.Reencrypted)
			return err
		}
		text := fmt.Sprintf("%d endpoints' secrets were encrypted with the current key; those of %d were already.",
			done.Reencrypted, done.Current)
		markets := a.Markets.Connected()
		if len(markets) == 0 {
			return cmd.print(t, reencrypted{ReencryptResult: done}, text)
		}
		var tokens connections.ReencryptResult
		for _, m := range markets {
			of, err := m.Connector.Connections().Reencrypt(ctx)
			tokens.Reencrypted += of.Reencrypted
			tokens.Current += of.Current
			if err != nil {
				return err
			}
		}
		return cmd.print(t, reencrypted{done, &tokens}, fmt.Sprintf(
			"%s\n%d connections' tokens were encrypted with the current key; those of %d were already.",
			text, tokens.Reencrypted, tokens.Current))
	})
}

// reencrypted is the command's output as JSON: the counts of endpoints and, if accounts can be connected to a
// marketplace, the counts of connections.
type reencrypted struct {
	webhooks.ReencryptResult
	Connections *connections.ReencryptResult `json:"connections,omitempty"`
}

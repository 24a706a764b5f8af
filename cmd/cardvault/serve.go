package main

import (
	"context"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
)

// serveCmd serves the API.
type serveCmd struct {
	Workers bool `default:"true" negatable:"" help:"Run the workers in this process too."`
	Migrate bool `help:"Apply missing migrations first, like migrate up."`
}

// Run implements the command.
func (cmd serveCmd) Run(ctx context.Context, c *config.Config) error {
	tuneGC()
	if cmd.Migrate {
		if err := app.Migrate(ctx, c); err != nil {
			return err
		}
	}
	return app.With(ctx, c, func(a *app.App) error { return a.Serve(ctx, cmd.Workers) })
}

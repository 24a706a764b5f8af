package main

import (
	"context"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
)

// serveCmd serves the API.
type serveCmd struct {
	Workers          bool `default:"true" negatable:"" help:"Run the workers in this process too."`
	NoIdentification bool `help:"Leave waiting photos to other processes, and run the other workers."`
	Migrate          bool `help:"Apply missing migrations first, like migrate up."`
}

// Run implements the command.
func (cmd serveCmd) Run(ctx context.Context, c *config.Config) error {
	tuneGC()
	if cmd.Migrate {
		if err := app.Migrate(ctx, c); err != nil {
			return err
		}
	}
	return app.With(ctx, c, func(a *app.App) error { return a.Serve(ctx, cmd.work()) })
}

// work returns the background work of the process.
func (cmd serveCmd) work() app.Background {
	switch {
	case !cmd.Workers:
		return app.NoWork
	case cmd.NoIdentification:
		return app.AllButIdentification
	}
	return app.AllWork
}

package main

import (
	"context"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
)

// workerCmd runs the workers without the API, for servers that run without workers. Any number of processes may run it.
type workerCmd struct {
	NoIdentification   bool `xor:"identification" help:"Leave waiting photos to other processes."`
	OnlyIdentification bool `xor:"identification" help:"Identify waiting photos, and do nothing else."`
}

// Run implements the command.
func (cmd workerCmd) Run(ctx context.Context, c *config.Config) error {
	tuneGC()
	work := app.AllWork
	switch {
	case cmd.OnlyIdentification:
		work = app.Identification
	case cmd.NoIdentification:
		work = app.AllButIdentification
	}
	return app.With(ctx, c, func(a *app.App) error { return a.Work(ctx, work) })
}

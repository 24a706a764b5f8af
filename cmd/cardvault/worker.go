package main

import (
	"context"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
)

// workerCmd runs the workers without the API, for servers that run without workers. Any number of processes may run it.
type workerCmd struct{}

// Run implements the command.
func (workerCmd) Run(ctx context.Context, c *config.Config) error {
	tuneGC()
	return app.With(ctx, c, func(a *app.App) error { return a.Work(ctx) })
}

package main

import (
	"context"
	"log/slog"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/tracing"
)

// workerCmd runs the workers alone: beside servers that run without, on as many machines as wanted.
type workerCmd struct{}

// Run implements the command.
func (workerCmd) Run(ctx context.Context, c *config.Config) error {
	tuneGC()
	return withApp(ctx, c, func(a *app) error {
		if err := a.checkClock(ctx); err != nil {
			return err
		}
		a.warn()
		a.tracer = tracing.Open(ctx)
		services, err := a.services(ctx)
		if err != nil {
			return err
		}
		registry := newRegistry()
		loops, err := a.workers(services, registry)
		if err != nil {
			return err
		}
		admin := api.NewServer(c.AdminAddr, "CARDVAULT_ADMIN_ADDR", api.Admin(a.ready(), registry), slog.Default())
		if err := admin.Listen(); err != nil {
			return err
		}
		slog.Info("working", "admin", admin.Addr())
		return runUntil(a.tracer.With(ctx), loops, admin)
	})
}

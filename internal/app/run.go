package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/worker"
)

// DrainTime is how long requests and workers get to finish once the service is asked to stop.
const DrainTime = 15 * time.Second

// Serve serves the API, and does background work beside it, until ctx ends.
func (a *App) Serve(ctx context.Context, work Background) error {
	services, registry, err := a.prepare(ctx)
	if err != nil {
		return err
	}
	loops, err := a.Workers(services, registry, work)
	if err != nil {
		return err
	}
	loops = append(loops, a.Usage.Loop())
	public, admin, err := a.servers(services, registry)
	if err != nil {
		return err
	}
	if err := errors.Join(public.Listen(), admin.Listen()); err != nil {
		return err
	}
	slog.Info("serving", "address", public.Addr(), "admin", admin.Addr(), "workers", work != NoWork)
	err = runUntil(a.tracer.With(ctx), loops, public, admin)
	a.storeUsage(ctx)
	return err
}

// usageTime limits storeUsage.
const usageTime = time.Second

// storeUsage stores the requests that were counted since the last time, after the server has served its last one.
func (a *App) storeUsage(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), usageTime)
	defer cancel()
	if err := a.Usage.Store(ctx); err != nil {
		slog.Warn("the usage of the last minute was not stored", "error", err)
	}
}

// Work does background work alone until ctx ends.
func (a *App) Work(ctx context.Context, work Background) error {
	services, registry, err := a.prepare(ctx)
	if err != nil {
		return err
	}
	loops, err := a.Workers(services, registry, work)
	if err != nil {
		return err
	}
	admin := a.adminServer(a.Ready(), registry)
	if err := admin.Listen(); err != nil {
		return err
	}
	slog.Info("working", "admin", admin.Addr())
	return runUntil(a.tracer.With(ctx), loops, admin)
}

// adminServer returns the server for operators.
func (a *App) adminServer(ready api.Checks, registry *prometheus.Registry) *api.Server {
	handler := api.RequireHost("CARDVAULT_ADMIN_HOSTS", a.Config.AdminNames(), api.Admin(ready, registry))
	return api.NewServer(a.Config.AdminAddr, "CARDVAULT_ADMIN_ADDR", handler, slog.Default())
}

// prepare returns what both serving and working need. It refuses a machine whose clock is wrong.
func (a *App) prepare(ctx context.Context) (*Services, *prometheus.Registry, error) {
	if err := a.checkClock(ctx); err != nil {
		return nil, nil, err
	}
	a.warn()
	a.tracer = tracing.Open(ctx)
	services, err := a.Services(ctx)
	return services, NewRegistry(), err
}

// NewRegistry returns a registry with the metrics of the process.
func NewRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), quota.Metrics{})
	return registry
}

// ServeAll runs servers that listen until ctx ends, and drains them.
func ServeAll(ctx context.Context, servers ...*api.Server) error {
	return runUntil(ctx, nil, servers...)
}

// runUntil runs loops and servers until ctx ends or a server fails. Then it stops them concurrently and sends the last
// traces, all within DrainTime. Work that does not end by then is requeued for another process.
func runUntil(ctx context.Context, loops worker.Group, servers ...*api.Server) error {
	if err := loops.Start(ctx); err != nil {
		return err
	}
	failures := make(chan error, len(servers))
	for _, s := range servers {
		go func() { failures <- s.Serve() }()
	}
	var err error
	select {
	case <-ctx.Done():
		slog.Info("stopping")
	case err = <-failures:
	}
	tracer := tracing.From(ctx)
	defer tracer.Close(context.WithoutCancel(ctx))
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), DrainTime-usageTime-tracer.FlushTime())
	defer cancel()
	parts := worker.Group{loops}
	for _, s := range servers {
		parts = append(parts, drained{s})
	}
	return errors.Join(err, ignoreUnfinished(parts.Stop(stopping)))
}

// ignoreUnfinished logs that work was cancelled at the end of DrainTime. The command does not fail because of it.
func ignoreUnfinished(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		slog.Warn("stopped before everything was finished; cancelled work is done again", "error", err)
		return nil
	}
	return err
}

// drained is a server as a part that can be stopped beside the workers.
type drained struct{ *api.Server }

// Start implements worker.Loop; servers are started by their own goroutine.
func (drained) Start(context.Context) error { return nil }

// Stop implements worker.Loop.
func (d drained) Stop(ctx context.Context) error { return d.Shutdown(ctx) }

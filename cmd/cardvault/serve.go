package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	v1 "github.com/cardvault/cardvault/internal/api/v1"
	v2 "github.com/cardvault/cardvault/internal/api/v2"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/worker"
)

// drainTime is how long requests and workers get to finish once the service is asked to stop.
const drainTime = 15 * time.Second

// readShare is the part of the connections to the database that reads of one account may hold: a quarter.
const readShare = 4

// serveCmd serves the API.
type serveCmd struct {
	Workers bool `default:"true" negatable:"" help:"Run the workers in this process too."`
	Migrate bool `help:"Bring the database's schema up to date first."`
}

// Run implements the command.
func (cmd serveCmd) Run(ctx context.Context, c *config.Config) error {
	tuneGC()
	if cmd.Migrate {
		if err := migrate(ctx, c); err != nil {
			return err
		}
	}
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
		loops := worker.Group{}
		if cmd.Workers {
			if loops, err = a.workers(services, registry); err != nil {
				return err
			}
		}
		public, admin, err := a.servers(services, registry)
		if err != nil {
			return err
		}
		if err := errors.Join(public.Listen(), admin.Listen()); err != nil {
			return err
		}
		slog.Info("serving", "address", public.Addr(), "admin", admin.Addr(), "workers", cmd.Workers)
		return runUntil(a.tracer.With(ctx), loops, public, admin)
	})
}

func migrate(ctx context.Context, c *config.Config) error {
	db, err := openDatabase(ctx, c)
	if err != nil {
		return err
	}
	defer db.Close()
	return postgres.Migrate(ctx, db)
}

func newRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return registry
}

// servers returns the public server and the one for operators.
func (a *app) servers(s *services, registry *prometheus.Registry) (public, admin *api.Server, err error) {
	limiter, err := a.limiter()
	if err != nil {
		return nil, nil, err
	}
	ready := a.ready()
	handler, err := a.handler(s, registry, limiter, ready)
	if err != nil {
		return nil, nil, err
	}
	public = api.NewServer(a.config.Addr, "CARDVAULT_ADDR", handler, slog.Default())
	admin = api.NewServer(a.config.AdminAddr, "CARDVAULT_ADMIN_ADDR", api.Admin(ready, registry), slog.Default())
	return public, admin, nil
}

// ready returns what must work for the process to be of use.
func (a *app) ready() api.Checks {
	return api.Checks{"database": a.db.Ping, "photos": a.store.Check, "clock": func(ctx context.Context) error {
		if err := a.checkClock(ctx); errors.Is(err, clock.ErrSkewed) {
			return err
		}
		return nil // whether the database answers is another check
	}}
}

// checkClock keeps a machine whose clock is wrong from stamping changes: an account's times only rise, so it would be
// stuck in the future with them. A minute is far above what NTP leaves, and well below the 5 minutes after which
// receivers refuse a webhook's signature.
func (a *app) checkClock(ctx context.Context) error {
	return a.clock.CheckSkew(ctx, a.db, a.config.ClockTolerance)
}

// handler returns what the public server serves.
func (a *app) handler(s *services, registry *prometheus.Registry, limiter ratelimit.Limiter, ready api.Checks) (http.Handler, error) {
	proxies, err := a.config.Proxies()
	if err != nil {
		return nil, err
	}
	versions, err := a.versions(s)
	if err != nil {
		return nil, err
	}
	documents, err := documents()
	if err != nil {
		return nil, err
	}
	return api.New(api.Config{
		Versions: versions, Tokens: a.accounts, Idempotency: idempotency.New(a.db),
		Limiter: limiter, Limits: a.config.Limits(), Reads: max(2, a.config.DatabaseMaxConns/readShare),
		Clock: a.clock, Logger: slog.Default(), Registry: registry,
		Photos: photos.NewHandler(a.photoURLs, a.store, api.WriteError), Other: documents,
		Ready: ready, Tracer: a.tracer, TrustedProxies: proxies,
	})
}

func (a *app) limiter() (ratelimit.Limiter, error) {
	if a.config.RedisURL == "" {
		return ratelimit.NewMemory(), nil
	}
	limiter, err := ratelimit.NewRedis(a.config.RedisURL, slog.Default())
	if err != nil {
		return nil, fmt.Errorf("CARDVAULT_REDIS_URL: %w", err)
	}
	return limiter, nil
}

// handlers returns what answers v1.
func (a *app) handlers(s *services) *v1.Server {
	return &v1.Server{
		Cards: a.cards, Batches: a.batches, Photos: a.photos, PhotoURLs: a.photoURLs, Events: a.events, Clock: a.clock,
		Identification: s.identify, Listings: s.listings, Pricing: s.pricing,
	}
}

// versions returns the API's versions; v1 announces its end once that is set.
func (a *app) versions(s *services) ([]api.Version, error) {
	deprecated, sunset, err := a.config.EndOfV1()
	if err != nil {
		return nil, err
	}
	public, err := a.config.Public()
	if err != nil {
		return nil, err
	}
	first := v1.Version(a.handlers(s))
	first.Deprecation = api.Deprecation{
		Since: deprecated, Sunset: sunset, Guide: public + "/docs/versioning", Successor: public + "/api/v2",
	}
	return []api.Version{first, v2.Version()}, nil
}

// serveAll runs servers that listen until ctx ends, and drains them.
func serveAll(ctx context.Context, servers ...*api.Server) error {
	return runUntil(ctx, nil, servers...)
}

// runUntil runs loops and servers until ctx ends or a server fails, then stops all of them side by
// side and has the last of their traces sent, all within drainTime. What a worker could not finish by
// then is given back, for another process to take.
func runUntil(ctx context.Context, loops worker.Group, servers ...*api.Server) error {
	if err := loops.Start(ctx); err != nil {
		return err
	}
	failed := make(chan error, len(servers))
	for _, s := range servers {
		go func() { failed <- s.Serve() }()
	}
	var err error
	select {
	case <-ctx.Done():
		slog.Info("stopping")
	case err = <-failed:
	}
	tracer := tracing.From(ctx)
	defer tracer.Close(context.WithoutCancel(ctx))
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime-tracer.FlushTime())
	defer cancel()
	parts := worker.Group{loops}
	for _, s := range servers {
		parts = append(parts, drained{s})
	}
	return errors.Join(err, ignoreCut(parts.Stop(stopping)))
}

// ignoreCut logs that something was cut off at the end of drainTime: that is no failure of the command.
func ignoreCut(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		slog.Warn("stopped before everything was finished; what was cut off is taken up again", "error", err)
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

package app

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/heartbeat"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/listings/listingfile"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/sales/orderfile"
	"github.com/cardvault/cardvault/internal/stock"
	"github.com/cardvault/cardvault/internal/usage"
	"github.com/cardvault/cardvault/internal/users"
	"github.com/cardvault/cardvault/internal/webhooks/delivery"
	"github.com/cardvault/cardvault/internal/worker"
)

// photoFetches is how many photos are fetched at once.
const photoFetches = 8

// Background is the background work that a process does.
type Background int

// The processes of a service do all of it together. Identification takes a processor for long, so that a process of its
// own, which the system can give a lower weight, keeps it away from requests.
const (
	NoWork Background = iota
	AllWork
	Identification
	AllButIdentification
)

// Workers returns the loops of the background work. Their metrics are registered.
func (a *App) Workers(s *Services, registry *prometheus.Registry, work Background) (worker.Group, error) {
	imports := a.CSVFiles()
	queues := a.queuesOf(s, imports)
	loops, err := a.loops(s, imports, queues, registry, work)
	if err != nil || len(loops) == 0 {
		return nil, err
	}
	return worker.Group{heartbeat.New(a.DB, a.Config.DatabaseURL, a.releases(s, queues)...).Around(loops)}, nil
}

// loops returns the loops of the background work.
func (a *App) loops(
	s *Services, imports *csvfile.Service, queues []*queue.Queue, registry *prometheus.Registry, work Background,
) (worker.Group, error) {
	switch work {
	case AllWork:
		loops, err := a.otherWorkers(s, imports, queues, registry)
		return append(loops, a.identificationWorkers(s)...), err
	case Identification:
		return a.identificationWorkers(s), a.registerRemote(registry)
	case AllButIdentification:
		return a.otherWorkers(s, imports, queues, registry)
	}
	return nil, nil
}

// queuesOf returns the queues of the background work.
func (a *App) queuesOf(s *Services, imports *csvfile.Service) []*queue.Queue {
	return append(s.Listings.Queues(),
		a.queues.Identifications, a.queues.PhotoFetches, a.queues.Learning, imports.Queue(), s.Jobs.Queue(),
		a.Deletions.Queue())
}

// releases returns the functions that release everything that a process has leased, whether or not this process does
// that kind of work.
func (a *App) releases(s *Services, queues []*queue.Queue) []heartbeat.Release {
	releases := []heartbeat.Release{a.outbox.Release, s.Exports.Release}
	for _, q := range queues {
		releases = append(releases, func(ctx context.Context, process postgres.ProcessID) error {
			return q.Release(ctx, a.DB, process)
		})
	}
	return releases
}

// identificationWorkers returns the loops that compute on photos.
func (a *App) identificationWorkers(s *Services) worker.Group {
	return worker.Group{s.Identify.Background(a.identifyWorkers()), s.Learning.Background()}
}

func (a *App) otherWorkers(
	s *Services, imports *csvfile.Service, queues []*queue.Queue, registry *prometheus.Registry,
) (worker.Group, error) {
	engine, err := delivery.NewEngine(a.DB, a.Clock, a.guard, delivery.Config{
		RetryDelays: a.Config.WebhookRetryDelays, Timeout: a.Config.WebhookTimeout, Keys: a.keyring,
		Lease: a.Config.WebhookLease, ListenURL: a.Config.DatabaseURL,
	}, a.outbox)
	if err != nil {
		return nil, err
	}
	quotas := accounts.NewQuotaMetrics(a.DB, a.Config.AccountQuotas())
	lag := queue.NewLagCollector(a.DB, queues...)
	a.Deletions.UseListings(s.Listings)
	err = errors.Join(registry.Register(engine), registry.Register(lag), registry.Register(quotas),
		registry.Register(a.Deletions.Metrics()),
		a.registerRemote(registry))
	if err != nil {
		return nil, err
	}
	collector := &photos.Collector{
		DB: a.DB, Clock: a.Clock, Accounts: a.Accounts, Cards: a.Cards, Imports: imports, Store: a.store,
	}
	return worker.Group{
		delivery.NewUpkeep(a.DB, a.Clock),
		cards.NewUpkeep(a.DB, a.Clock),
		a.Cards.KeyUpkeep(), a.Cards.CountUpkeep(a.Photos), a.Cards.RecountUpkeep(a.Photos),
		engine,
		a.Photos.Background(a.DB, a.queues.PhotoFetches, photoFetches),
		collector.Loop(),
		stock.NewRecorder(a.DB, a.Accounts, a.Cards).Loop(),
		imports.Background(),
		s.Jobs.Background(),
		s.Exports.Background(),
		a.Deletions.Background(),
		listings.NewWorker(s.Listings),
		lag.Loop(), quotas.Loop(),
		idempotency.New(a.DB).Sweeper(),
		users.NewSweeper(a.DB),
		audit.NewUpkeep(a.DB, a.Clock),
		usage.NewUpkeep(a.DB, a.Clock),
	}, nil
}

// CSVFiles returns the service that imports and exports cards as CSV files.
func (a *App) CSVFiles() *csvfile.Service {
	return csvfile.New(a.DB, a.Clock, a.Cards, a.Batches, a.Photos)
}

// ListingFiles returns the service that exports cards as files for marketplaces.
func (a *App) ListingFiles() *listingfile.Service {
	return listingfile.New(a.DB, a.Cards, a.imageURLs, a.Clock.Time)
}

// OrderFiles returns the service that imports the reports of marketplaces.
func (a *App) OrderFiles(s *Services) *orderfile.Service {
	return orderfile.New(a.DB, a.Cards, s.Sales)
}

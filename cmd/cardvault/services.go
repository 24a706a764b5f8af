package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/providers/fingerprint"
	"github.com/cardvault/cardvault/internal/identify/providers/ocr"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/listings/marketplaces/sandbox"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/pricing"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/webhooks"
	"github.com/cardvault/cardvault/internal/worker"
)

// photosAtOnce bounds the photos held in memory for identification, at about 100 MB each at worst.
const photosAtOnce = 1

// slotWait is how long a photo waits for one of them to be done: half of what a request may take.
const slotWait = 25 * time.Second

// photoFetches is how many photos are fetched at once.
const photoFetches = 8

// services are the parts that only a serving or working process needs.
type services struct {
	identify *identify.Service
	listings *listings.Service
	pricing  *pricing.Service
}

func (a *app) services(ctx context.Context) (*services, error) {
	// Today's partitions had better be there before anything is written: rows never move between them.
	if err := webhooks.Prepare(ctx, a.db, a.clock); err != nil {
		return nil, err
	}
	chain, err := a.chain()
	if err != nil {
		return nil, err
	}
	market, err := sandbox.New(a.config.MarketURL)
	if err != nil {
		return nil, fmt.Errorf("CARDVAULT_MARKET_URL: %w", err)
	}
	return &services{
		identify: identify.New(a.db, a.clock, chain, a.cards, a.photos, a.queues.Identifications),
		listings: listings.New(a.db, a.clock, a.cursors, a.cards, listings.Config{
			Sellers: map[string]listings.Seller{sandbox.Name: market.Seller}, Default: sandbox.Name,
			ImageURLs: a.imageURLs, PollInterval: a.config.MarketPoll,
		}),
		pricing: pricing.New(a.db, a.clock, a.cards, a.catalog),
	}, nil
}

// warn tells of settings that are for development only.
func (a *app) warn() {
	if a.config.SecretKey == "" {
		slog.Warn("CARDVAULT_SECRET_KEY is not set: secrets are sealed with a key that everybody knows")
	}
	if a.config.AllowPrivateNetworks {
		slog.Warn("CARDVAULT_ALLOW_PRIVATE_NETWORKS is set: customers' addresses may lead into this network")
	}
}

// imageURLs returns where a marketplace finds the card's photos: those made for the listing first.
func (a *app) imageURLs(card cards.Card, now time.Time) []string {
	ready := card.ReadyPhotos()
	slices.SortStableFunc(ready, func(p, q cards.Photo) int {
		return order(p.Role) - order(q.Role)
	})
	urls := make([]string, len(ready))
	for i, p := range ready {
		urls[i] = a.photoURLs.For(card.AccountID, p.ID, p.ContentType, now)
	}
	return urls
}

func order(role cards.Role) int {
	return slices.Index([]cards.Role{cards.RoleListing, cards.RoleFront, cards.RoleBack}, role)
}

// chain returns the identification providers in the order configured.
func (a *app) chain() (identify.Chain, error) {
	engine := tesseract.New(tesseract.Config{Concurrency: runtime.NumCPU()})
	if err := engine.Check(); err != nil {
		slog.Warn("cards cannot be read, so many will not be identified", "error", err)
	}
	reader := ocr.New(a.catalog, engine)
	known := map[string]identify.Provider{
		ocr.Name:         reader,
		fingerprint.Name: fingerprint.New(a.catalog, reader), // reads the number to tell twins apart
	}
	chain := identify.Chain{
		Threshold: a.config.IdentifyThreshold, Timeout: a.config.IdentifyTimeout,
		Slots: semaphore.NewWeighted(photosAtOnce), Wait: slotWait,
	}
	for _, name := range a.config.IdentifyProviders {
		provider, ok := known[name]
		if !ok {
			return identify.Chain{}, fmt.Errorf("CARDVAULT_IDENTIFY_PROVIDERS: there is no provider %q; there are fingerprint and ocr", name)
		}
		chain.Providers = append(chain.Providers, provider)
	}
	return chain, nil
}

// workers returns every background part.
func (a *app) workers(s *services, registry *prometheus.Registry) (worker.Group, error) {
	engine, err := webhooks.NewEngine(a.db, a.clock, a.guard, webhooks.Config{
		RetryDelays: a.config.WebhookRetryDelays, Timeout: a.config.WebhookTimeout, Keys: a.keyring,
		Lease: a.config.WebhookLease, ListenURL: a.config.DatabaseURL,
	}, a.outbox)
	if err != nil {
		return nil, err
	}
	imports := a.csvFiles()
	queues := append(s.listings.Queues(), a.queues.Identifications, a.queues.PhotoFetches, imports.Queue())
	lag := queue.NewLagCollector(a.db, queues...)
	if err := errors.Join(registry.Register(engine), registry.Register(lag)); err != nil {
		return nil, err
	}
	collector := &photos.Collector{
		DB: a.db, Clock: a.clock, Accounts: a.accounts, Cards: a.cards, Imports: imports, Store: a.store,
	}
	return worker.Group{
		webhooks.NewUpkeep(a.db, a.clock),
		engine,
		a.photos.Background(a.db, a.queues.PhotoFetches, photoFetches),
		collector.Loop(),
		s.identify.Background(photosAtOnce),
		imports.Background(),
		listings.NewWorker(s.listings),
		lag.Loop(),
		idempotency.New(a.db).Sweeper(),
	}, nil
}

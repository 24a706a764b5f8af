package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/exports"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/learned"
	"github.com/cardvault/cardvault/internal/jobs"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/pricing"
	"github.com/cardvault/cardvault/internal/sales"
	"github.com/cardvault/cardvault/internal/usage"
	"github.com/cardvault/cardvault/internal/webhooks/delivery"
)

// Services are the parts that only some processes need: those that serve, work, or fill an account for a demonstration.
type Services struct {
	Identify *identify.Service
	Learning *learned.Worker
	Jobs     *jobs.Service
	Listings *listings.Service
	Pricing  *pricing.Service
	Sales    *sales.Service
	Exports  *exports.Service
}

// Services returns them, ready for use.
func (a *App) Services(ctx context.Context) (*Services, error) {
	// Today's partitions must exist before anything is written: rows never move between partitions.
	err := errors.Join(
		delivery.Prepare(ctx, a.DB, a.Clock), cards.Prepare(ctx, a.DB, a.Clock), audit.Prepare(ctx, a.DB, a.Clock),
		usage.Prepare(ctx, a.DB, a.Clock))
	if err != nil {
		return nil, err
	}
	chain, trial, err := a.chains(ctx)
	if err != nil {
		return nil, err
	}
	service := listings.New(a.DB, a.Clock, a.cursors, a.Cards, listings.Config{
		Markets: a.markets(), Default: a.Markets.Sandbox(), Sandbox: a.Markets.Sandbox(),
		Sales: sales.NewRecorder(a.recorder, a.Cards), Reviser: a.reviser,
		ImageURLs: a.imageURLs, LoadPhoto: a.Photos.LoadWithin, PollInterval: a.Config.MarketPoll,
	})
	prices := pricing.New(a.DB, a.Clock, a.Cards, a.Catalog)
	sold := sales.New(a.DB, a.Clock, a.cursors, a.recorder, a.Cards, service, a.Markets.Names())
	services := &Services{
		Identify: identify.New(a.DB, a.Clock, chain, trial, a.Accounts, a.Cards, a.Photos, a.queues.Identifications),
		Learning: &learned.Worker{
			DB: a.DB, Clock: a.Clock, Catalogue: a.Catalog, Cards: a.Cards, Photos: a.Photos,
			Queue: a.queues.Learning, Slots: chain.Background.Slots, Survey: chain.Background.Survey,
		},
		Jobs:     jobs.New(a.DB, a.Clock, a.cursors, a.Cards, service, a.Photos, prices, sold),
		Listings: service,
		Pricing:  prices,
		Sales:    sold,
	}
	services.Exports = exports.New(a.DB, a.Clock, a.exported(services), a.store)
	return services, nil
}

// warn logs which settings are for development only.
func (a *App) warn() {
	for _, warning := range a.Config.Warnings() {
		slog.Warn(warning)
	}
	if a.Config.SecretKey == "" {
		slog.Warn("CARDVAULT_SECRET_KEY is not set: secrets are sealed with a published key")
	}
	if a.Config.AllowPrivateNetworks {
		slog.Warn("CARDVAULT_ALLOW_PRIVATE_NETWORKS is set: customers' addresses may lead into this network")
	}
}

// imageURLs returns where a marketplace finds the card's photos.
func (a *App) imageURLs(card cards.Card, now time.Time) []string {
	ready := card.PhotosForSale()
	urls := make([]string, len(ready))
	for i, p := range ready {
		urls[i] = a.photoURLs.For(card.AccountID, p.ID, p.ContentType, now)
	}
	return urls
}

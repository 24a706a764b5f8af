// Package app puts the service together from its settings and runs it: the servers, the workers, and the parts that
// commands need. It may import every package and holds no rule of its own. The commands of cmd/cardvault use it.
package app

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/accounts/deletion"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/identify/photoreader"
	"github.com/cardvault/cardvault/internal/identify/providers/remote"
	"github.com/cardvault/cardvault/internal/identify/spend"
	"github.com/cardvault/cardvault/internal/identify/vision"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/usage"
	"github.com/cardvault/cardvault/internal/users"
	"github.com/cardvault/cardvault/internal/views"
	"github.com/cardvault/cardvault/internal/webhooks"
	"github.com/cardvault/cardvault/internal/webhooks/delivery"
)

// App is the service put together from its settings: what every command that touches the inventory works with. Nothing
// in it runs until it is asked to.
type App struct {
	Config *config.Config
	Clock  clock.Clock
	DB     *postgres.DB

	Accounts   *accounts.Service
	Users      *users.Service
	Views      *views.Service
	Limiter    ratelimit.Limiter // of requests and of log-ins
	Usage      *usage.Counter    // of the requests that this process serves
	Catalog    *catalog.Service
	Cards      *cards.Service
	Batches    *batches.Service
	Events     *events.Reader
	Photos     *photos.Service
	Endpoints  *webhooks.Endpoints
	Deliveries *webhooks.Deliveries
	Deletions  *deletion.Service // of accounts
	Markets    registry.Markets
	Spend      *spend.Budget // of remote identification providers; nil if there are none

	keys      [][]byte // the secret keys, the current one first
	cursors   paging.Cursors
	guard     *netguard.Guard
	keyring   *keyring.Keyring
	outbox    *delivery.Outbox
	recorder  *events.Recorder
	queues    cards.Queues
	reviser   *listings.Reviser
	store     *photos.Bucket
	photoURLs *photos.URLs
	// requestReaders and backgroundReaders are nil unless the models read text.
	requestReaders, backgroundReaders *photoreader.Pool

	remote *remote.Metrics
	tracer *tracing.Tracer // nil except in processes that serve or work
}

// Open puts the service together, with the Marketplaces. The database must be there and migrated.
func Open(ctx context.Context, c *config.Config) (*App, error) { return OpenWith(ctx, c, Marketplaces) }

// OpenWith is Open with other marketplaces.
func OpenWith(ctx context.Context, c *config.Config, kinds []registry.Kind) (*App, error) {
	SetUpLog(c.LogLevel)
	a := &App{
		Config: c, Clock: clock.Clock{Now: clock.System.Now, Quotas: c.AccountQuotas()},
		guard: netguard.New(netguard.Config{AllowPrivate: c.AllowPrivateNetworks}),
	}
	for _, step := range []func(context.Context) error{
		a.openKeys, a.openDatabase, a.openInventory, a.openPhotos, a.openRemote,
	} {
		if err := step(ctx); err != nil {
			a.Close()
			return nil, err
		}
	}
	if err := a.openMarketplaces(kinds); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// SetUpLog has the process log to standard error from this level on.
func SetUpLog(level string) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo // the command line has checked it
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: l})))
}

func (a *App) openKeys(context.Context) (err error) {
	if a.keys, err = a.Config.Keys(); err != nil {
		return err
	}
	if a.cursors, err = paging.NewCursors(a.keys...); err != nil {
		return err
	}
	a.keyring, err = keyring.New(a.keys...)
	return err
}

func (a *App) openDatabase(ctx context.Context) (err error) {
	a.DB, err = OpenMigrated(ctx, a.Config)
	return err
}

func (a *App) openInventory(context.Context) (err error) {
	a.outbox = delivery.NewOutbox(a.DB, a.Clock)
	a.Endpoints = webhooks.NewEndpoints(a.DB, a.Clock, a.guard, a.keyring, a.outbox)
	a.Deliveries = webhooks.NewDeliveries(a.DB, a.Clock, a.outbox)
	a.recorder = events.NewRecorder(a.outbox)
	a.Accounts = accounts.New(a.DB, a.Clock)
	threshold := a.Config.IdentifyThreshold
	a.Accounts.UseIdentification(
		accounts.Identification{Providers: a.Config.IdentifyProviders, Threshold: threshold, Games: cards.Games},
		accounts.Identification{Providers: a.Config.SandboxProviders(), Threshold: threshold, Games: cards.Games})
	if a.Limiter, err = a.newLimiter(); err != nil {
		return err
	}
	a.Usage = usage.NewCounter(a.DB)
	a.Users = users.New(a.DB, a.Clock, a.Accounts, a.Limiter)
	a.Users.UseKeys(a.keyring)
	a.Views = views.New(a.DB, a.Clock)
	a.Catalog = catalog.New(a.DB)
	a.queues = cards.NewQueues()
	a.Batches = batches.New(a.DB, a.Clock, a.cursors, a.recorder)
	a.Cards = cards.New(a.DB, a.Clock, a.cursors, a.recorder, a.Batches, a.queues)
	a.Cards.UseCatalogue(a.Catalog)
	a.reviser = listings.NewReviser()
	a.Cards.UseListings(a.reviser)
	a.Events = events.NewReader(a.DB, a.cursors)
	return nil
}

func (a *App) openPhotos(ctx context.Context) error {
	public, err := a.Config.Public()
	if err != nil {
		return err
	}
	if a.photoURLs, err = photos.NewURLs(public, a.keys...); err != nil {
		return err
	}
	if a.store, err = photos.Open(ctx, a.Config.PhotoStore); err != nil {
		return fmt.Errorf("CARDVAULT_PHOTO_STORE: %w", err)
	}
	a.Photos = photos.NewService(a.Cards, a.store, photos.NewFetcher(a.guard), a.Clock)
	a.Photos.UseSplit(vision.Split)
	a.Deletions = deletion.New(a.DB, a.Accounts, a.Users, accountFiles{a.store})
	return nil
}

// Close gives back what Open took.
func (a *App) Close() {
	for _, readers := range []*photoreader.Pool{a.requestReaders, a.backgroundReaders} {
		if readers != nil {
			readers.Close()
		}
	}
	if a.store != nil {
		a.store.Close()
	}
	if a.DB != nil {
		a.DB.Close()
	}
}

// With opens the service for one command and closes it afterwards.
func With(ctx context.Context, c *config.Config, do func(*App) error) error {
	a, err := Open(ctx, c)
	if err != nil {
		return err
	}
	defer a.Close()
	return do(a)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// app is the service put together from its settings: what every command that touches the
// inventory works with. Nothing in it runs until something is asked of it.
type app struct {
	config  *config.Config
	clock   clock.Clock
	db      *postgres.DB
	keys    [][]byte // the secret keys, the current one first
	cursors page.Cursors
	guard   *netguard.Guard
	tracer  *tracing.Tracer // nil but for processes that serve or work

	accounts   *accounts.Service
	catalog    *catalog.Service
	queues     cards.Queues
	cards      *cards.Service
	batches    *batches.Service
	events     *events.Reader
	store      *photos.Bucket
	photos     *photos.Service
	photoURLs  *photos.URLs
	keyring    *webhooks.Keyring
	outbox     *webhooks.Outbox
	endpoints  *webhooks.Endpoints
	deliveries *webhooks.Deliveries
}

// open puts the service together. The database must be there and migrated.
func open(ctx context.Context, c *config.Config) (*app, error) {
	setUpLog(c.LogLevel)
	a := &app{config: c, clock: clock.System, guard: netguard.New(netguard.Config{AllowPrivate: c.AllowPrivateNetworks})}
	for _, step := range []func(context.Context) error{a.openKeys, a.openDatabase, a.openInventory, a.openPhotos} {
		if err := step(ctx); err != nil {
			a.close()
			return nil, err
		}
	}
	return a, nil
}

func setUpLog(level string) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo // the command line has checked it
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: l})))
}

func (a *app) openKeys(context.Context) (err error) {
	if a.keys, err = a.config.Keys(); err != nil {
		return err
	}
	if a.cursors, err = page.NewCursors(a.keys...); err != nil {
		return err
	}
	a.keyring, err = webhooks.NewKeyring(a.keys...)
	return err
}

func (a *app) openDatabase(ctx context.Context) (err error) {
	a.db, err = openMigrated(ctx, a.config)
	return err
}

// openMigrated returns a pool on a database whose schema is up to date.
func openMigrated(ctx context.Context, c *config.Config) (*postgres.DB, error) {
	db, err := openDatabase(ctx, c)
	if err != nil {
		return nil, err
	}
	migrated, err := postgres.Migrated(ctx, db)
	if err == nil && !migrated {
		err = errors.New("the database's schema is not up to date; run cardvault migrate up, or serve with --migrate")
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// openDatabase returns a pool on a database that answers.
func openDatabase(ctx context.Context, c *config.Config) (*postgres.DB, error) {
	if c.DatabaseURL == "" {
		return nil, errors.New("CARDVAULT_DATABASE_URL is not set; it says which PostgreSQL to use, such as postgres://user:password@host/database")
	}
	db, err := postgres.Open(postgres.Config{
		URL: c.DatabaseURL, MaxConns: c.DatabaseMaxConns, Unprepared: c.DatabaseUnprepared,
		GroupScope: postgres.GroupScope(c.GroupCommit),
	})
	if err != nil {
		return nil, fmt.Errorf("CARDVAULT_DATABASE_URL: %w", err)
	}
	if err := db.Ping(ctx); err != nil {
		db.Close()
		if f, ok := fault.As(err); ok && f.Err != nil {
			err = f.Err // an operator is told what clients are not
		}
		return nil, fmt.Errorf("PostgreSQL at CARDVAULT_DATABASE_URL cannot be used: %w", err)
	}
	return db, nil
}

func (a *app) openInventory(context.Context) error {
	a.outbox = webhooks.NewOutbox(a.db, a.clock)
	a.endpoints = webhooks.NewEndpoints(a.db, a.clock, a.guard, a.keyring, a.outbox)
	a.deliveries = webhooks.NewDeliveries(a.db, a.clock, a.outbox)
	recorder := events.NewRecorder(a.outbox)
	a.accounts = accounts.New(a.db, a.clock)
	a.catalog = catalog.New(a.db)
	a.queues = cards.NewQueues()
	a.batches = batches.New(a.db, a.clock, a.cursors, recorder)
	a.cards = cards.New(a.db, a.clock, a.cursors, recorder, a.batches, a.queues)
	a.events = events.NewReader(a.db, a.cursors)
	return nil
}

func (a *app) openPhotos(ctx context.Context) error {
	public, err := a.config.Public()
	if err != nil {
		return err
	}
	if a.photoURLs, err = photos.NewURLs(public, a.keys...); err != nil {
		return err
	}
	if a.store, err = photos.Open(ctx, a.config.PhotoStore); err != nil {
		return fmt.Errorf("CARDVAULT_PHOTO_STORE: %w", err)
	}
	a.photos = photos.NewService(a.cards, a.store, photos.NewFetcher(a.guard), a.clock)
	return nil
}

// close gives back what open took.
func (a *app) close() {
	if a.store != nil {
		a.store.Close()
	}
	if a.db != nil {
		a.db.Close()
	}
}

// withApp opens the service for one command and closes it afterwards.
func withApp(ctx context.Context, c *config.Config, do func(*app) error) error {
	a, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer a.close()
	return do(a)
}

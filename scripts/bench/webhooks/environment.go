package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
	"github.com/cardvault/cardvault/internal/webhooks/delivery"
)

// environment is a fresh database with an engine and endpoints.
type environment struct {
	*bench
	name      string
	db        *postgres.DB
	engine    *engine
	outbox    *delivery.Outbox
	endpoints *webhooks.Endpoints
	accounts  []string
	secrets   map[string]string // by the endpoint's path
}

// newEnvironment creates the database and the accounts, each with one endpoint for the measured events, and starts an
// engine.
func (b *bench) newEnvironment(ctx context.Context, name string, owners int) (h *environment, err error) {
	h = &environment{bench: b, name: "bench_webhooks_" + name, secrets: map[string]string{}}
	defer func() {
		if err != nil {
			h.close()
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	database, err := h.createDatabase(ctx)
	if err != nil {
		return h, err
	}
	keys, err := keyring.New(b.key)
	if err != nil {
		return h, err
	}
	h.outbox = delivery.NewOutbox(h.db, clock.System)
	h.endpoints = webhooks.NewEndpoints(h.db, clock.System, netguard.New(netguard.Config{AllowPrivate: true}), keys,
		h.outbox)
	for i := range owners {
		if err := h.addAccount(ctx, fmt.Sprintf("/%s/%d", name, i)); err != nil {
			return h, err
		}
	}
	if h.engine, err = b.startEngine(ctx, database); err != nil {
		return h, err
	}
	return h, b.publisher.call(ctx, "Publisher.Open", database, &struct{}{})
}

func (h *environment) createDatabase(ctx context.Context) (address string, err error) {
	for _, statement := range []string{`DROP DATABASE IF EXISTS ` + h.name + ` WITH (FORCE)`,
		`CREATE DATABASE ` + h.name} {
		if _, err := h.cluster.SQL().ExecContext(ctx, statement); err != nil {
			return "", err
		}
	}
	u, err := url.Parse(h.database)
	if err != nil {
		return "", err
	}
	u.Path = "/" + h.name
	if h.db, err = postgres.Open(postgres.Config{URL: u.String()}); err != nil {
		return "", err
	}
	if err := postgres.Migrate(ctx, h.db); err != nil {
		return "", err
	}
	return u.String(), delivery.Prepare(ctx, h.db, clock.System)
}

// addAccount creates an account whose measured events go to a path of the sink.
func (h *environment) addAccount(ctx context.Context, path string) error {
	account, err := accounts.New(h.db, clock.System).Create(ctx, "Benchmark", false)
	if err != nil {
		return err
	}
	_, secret, err := h.endpoints.Register(ctx, account.ID, h.sinkURL+path, []events.Kind{events.KindBatchCompleted})
	h.accounts = append(h.accounts, account.ID)
	h.secrets[path] = secret
	return err
}

// publish publishes the measured events and returns when each was committed and when it arrived.
func (h *environment) publish(ctx context.Context, o Publication) (times Times, got Arrivals, err error) {
	o.Accounts = h.accounts
	if err := h.sink.call(ctx, "Sink.Expect", Expectation{h.secrets, o.Count}, &struct{}{}); err != nil {
		return nil, got, err
	}
	if err := h.publisher.call(ctx, "Publisher.Publish", o, &times); err != nil {
		return nil, got, err
	}
	got, err = h.arrivals(ctx)
	return times, got, err
}

// waitStored waits until every result of the measured events is stored.
func (h *environment) waitStored(ctx context.Context) error {
	for {
		var left int
		if err := h.db.Get(ctx, &left, `SELECT count(*) FROM deliveries_pending`); err != nil || left == 0 {
			return err
		}
		if err := sleepUntil(ctx, time.Now().Add(50*time.Millisecond)); err != nil {
			return err
		}
	}
}

func (h *environment) close() {
	if h.engine != nil {
		h.engine.stop()
	}
	if h.db != nil {
		h.db.Close()
	}
	// The next run drops what this one could not, such as after Ctrl-C.
	_, _ = h.cluster.SQL().ExecContext(context.Background(), `DROP DATABASE IF EXISTS `+h.name+` WITH (FORCE)`)
}

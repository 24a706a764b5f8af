package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// database is made anew by each run.
const database = "soak_webhooks"

// owners is how many accounts the events are spread over, with one endpoint each.
const owners = 16

// house is the database with its accounts, the engines and the sink.
type house struct {
	settings
	key       []byte // seals the endpoints' secrets
	cluster   *postgres.DB
	db        *postgres.DB
	address   string // of the database
	outbox    *webhooks.Outbox
	accounts  []string
	sink      *sink
	workers   []*engine
	committed atomic.Int64 // events
}

func newHouse(ctx context.Context, s settings) (h *house, err error) {
	h = &house{settings: s, key: make([]byte, 32)}
	rand.Read(h.key) // never fails
	defer func() {
		if err != nil {
			err = errors.Join(err, h.close())
		}
	}()
	if err := h.makeDatabase(ctx); err != nil {
		return h, err
	}
	if h.sink, err = newSink(int(s.duration.Seconds()) * s.rate); err != nil {
		return h, err
	}
	if err := h.register(ctx); err != nil {
		return h, err
	}
	for i := range s.engines {
		e, err := h.startEngine(ctx, i)
		if err != nil {
			return h, err
		}
		h.workers = append(h.workers, e)
	}
	return h, nil
}

func (h *house) makeDatabase(ctx context.Context) (err error) {
	if h.cluster, err = postgres.Open(postgres.Config{URL: h.settings.database, MaxConns: 1}); err != nil {
		return err
	}
	for _, statement := range []string{`DROP DATABASE IF EXISTS ` + database + ` WITH (FORCE)`, `CREATE DATABASE ` + database} {
		if _, err := h.cluster.SQL().ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	u, err := url.Parse(h.settings.database)
	if err != nil {
		return err
	}
	u.Path = "/" + database
	h.address = u.String()
	if h.db, err = postgres.Open(postgres.Config{URL: h.address, MaxConns: publishers + 2}); err != nil {
		return err
	}
	if err := postgres.Migrate(ctx, h.db); err != nil {
		return err
	}
	return webhooks.Prepare(ctx, h.db, clock.System)
}

// register makes the accounts and has the sink receive their events.
func (h *house) register(ctx context.Context) error {
	keys, err := webhooks.NewKeyring(h.key)
	if err != nil {
		return err
	}
	h.outbox = webhooks.NewOutbox(h.db, clock.System)
	endpoints := webhooks.NewEndpoints(h.db, clock.System, netguard.New(netguard.Config{AllowPrivate: true}), keys, h.outbox)
	for i := range owners {
		made, err := accounts.New(h.db, clock.System).Create(ctx, "Soak", false)
		if err != nil {
			return err
		}
		path := fmt.Sprintf("/%d", i)
		_, secret, err := endpoints.Register(ctx, made.ID, h.sink.url+path, nil)
		if err != nil {
			return err
		}
		h.sink.expect(path, secret)
		h.accounts = append(h.accounts, made.ID)
	}
	return nil
}

// drainWithin is far more than it takes to send what is under way.
const drainWithin = time.Minute

// drain waits until every delivery's result is stored.
func (h *house) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, drainWithin)
	defer cancel()
	for {
		var left int
		if err := h.db.Get(ctx, &left, `SELECT count(*) FROM deliveries_pending`); err != nil {
			return fmt.Errorf("waiting for the last deliveries: %w", err)
		}
		if left == 0 {
			return nil
		}
		if err := sleepUntil(ctx, time.Now().Add(100*time.Millisecond)); err != nil {
			return fmt.Errorf("%d deliveries are left %v after the last event: %w", left, drainWithin, err)
		}
	}
}

func (h *house) close() (err error) {
	for _, e := range h.workers {
		err = errors.Join(err, e.stop())
	}
	if h.sink != nil {
		h.sink.close()
	}
	if h.db != nil {
		h.db.Close()
	}
	if h.cluster != nil {
		// The next run drops what this one could not, such as after Ctrl-C.
		_, _ = h.cluster.SQL().ExecContext(context.Background(), `DROP DATABASE IF EXISTS `+database+` WITH (FORCE)`)
		h.cluster.Close()
	}
	return err
}

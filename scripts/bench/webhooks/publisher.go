package main

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// Publisher is the helper that commits events as the service does: one transaction each, through
// the outbox. No engine runs in its process.
type Publisher struct {
	db     *postgres.DB
	outbox *webhooks.Outbox
}

// Publication says what to publish: Count events numbered from 0, spread over the accounts, one
// every Interval, or as fast as it goes if that is 0.
type Publication struct {
	Accounts []string
	Count    int
	Interval time.Duration
}

// Open connects to a database. The one before, if any, is left.
func (p *Publisher) Open(url string, _ *struct{}) (err error) {
	if p.db != nil {
		p.db.Close()
	}
	p.db, err = postgres.Open(postgres.Config{URL: url, MaxConns: workersAtOnce})
	if err != nil {
		return err
	}
	p.outbox = webhooks.NewOutbox(p.db, clock.System)
	return nil
}

// Publish publishes and returns when each commit was known to be durable.
func (p *Publisher) Publish(o Publication, committed *Times) (err error) {
	recorder := events.NewRecorder(p.outbox)
	*committed, err = paced(context.Background(), o.Count, workersAtOnce, o.Interval, func(ctx context.Context, i int) (time.Time, error) {
		account := o.Accounts[i%len(o.Accounts)]
		err := clock.System.Write(ctx, p.db, account, func(tx *postgres.Tx, stamp clock.Stamp) error {
			return recorder.Record(ctx, tx, stamp, numbered(i))
		})
		return time.Now(), err
	})
	return err
}

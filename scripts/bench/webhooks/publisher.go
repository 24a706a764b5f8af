package main

import (
	"context"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/groupcommit"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks/delivery"
)

// Publisher is the helper that commits events through the outbox, as the service does. No engine runs in its process.
type Publisher struct {
	db     *postgres.DB
	writes *groupcommit.Committer[[]events.Data]
}

// together is how many of the publisher's writes may share a commit.
const together = 64

// Publication describes a publication: Count events numbered from 0, Together events per transaction (0 means 1). The
// transactions are spread over the accounts. One begins every Interval or, if that is 0, as soon as possible.
type Publication struct {
	Accounts []string
	Count    int
	Together int
	Interval time.Duration
}

// Open connects to a database and closes the connections to the previous one.
func (p *Publisher) Open(url string, _ *struct{}) (err error) {
	if p.db != nil {
		p.db.Close()
	}
	p.db, err = postgres.Open(postgres.Config{URL: url, MaxConns: workersAtOnce})
	if err != nil {
		return err
	}
	debug.SetGCPercent(400) // as in cardvault serve
	recorder := events.NewRecorder(delivery.NewOutbox(p.db, clock.System))
	p.writes = groupcommit.New(clock.System, p.db, groupcommit.Options[[]events.Data]{
		MaxBatch: together,
		Apply: func(ctx context.Context, tx *postgres.Tx, batch []*groupcommit.Write[[]events.Data]) error {
			for _, w := range batch {
				if err := recorder.Record(ctx, tx, w.Stamp, w.Value...); err != nil {
					return err
				}
			}
			return nil
		},
	})
	return nil
}

// Publish publishes events and returns when each commit returned.
func (p *Publisher) Publish(o Publication, times *Times) (err error) {
	batches := slices.Collect(slices.Chunk(numberedUpTo(o.Count), max(1, o.Together)))
	*times, err = paced(context.Background(), len(batches), workersAtOnce, o.Interval,
		func(ctx context.Context, i int) (time.Time, error) {
			account := o.Accounts[i%len(o.Accounts)]
			err := p.writes.Write(ctx, account, batches[i])
			return time.Now(), err
		})
	return err
}

// Commit commits a number of transactions that insert one small row, as fast as possible.
func (p *Publisher) Commit(count int, _ *struct{}) error {
	ctx := context.Background()
	if _, err := p.db.Exec(ctx, `CREATE TABLE IF NOT EXISTS bench_rows (n bigint NOT NULL)`); err != nil {
		return err
	}
	_, err := paced(ctx, count, workersAtOnce, 0, func(ctx context.Context, i int) (time.Time, error) {
		err := p.db.InTx(ctx, func(tx *postgres.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO bench_rows (n) VALUES ($1)`, i)
			return err
		})
		return time.Now(), err
	})
	return err
}

// readers is the number of connections of Read, the same as when the aims were set.
const readers = 16

// Read reads a number of rows by primary key with a prepared statement, as fast as possible.
func (p *Publisher) Read(count int, _ *struct{}) error {
	ctx := context.Background()
	const rows = 100_000
	for _, text := range []string{
		`CREATE TABLE IF NOT EXISTS bench_read (n bigint PRIMARY KEY, v text NOT NULL)`,
		`INSERT INTO bench_read SELECT n, 'value ' || n FROM generate_series(1, ` + strconv.Itoa(rows) +
			`) AS n ON CONFLICT DO NOTHING`,
		`ANALYZE bench_read`,
	} {
		if _, err := p.db.Exec(ctx, text); err != nil {
			return err
		}
	}
	statement, err := p.db.SQL().PrepareContext(ctx, `SELECT v FROM bench_read WHERE n = $1`)
	if err != nil {
		return err
	}
	defer statement.Close()
	_, err = paced(ctx, count, readers, 0, func(_ context.Context, i int) (at time.Time, err error) {
		var v string
		return at, statement.QueryRow(1 + i*7919%rows).Scan(&v)
	})
	return err
}

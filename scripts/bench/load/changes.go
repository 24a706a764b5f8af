package main

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"

	"golang.org/x/sync/errgroup"
)

// The aims for many changes of prices in a row.
const (
	maxLongest = 50 * time.Millisecond
	minHOT     = 0.95
)

// measureChanges changes many prices over all connections, enough for events that occur once in ten thousand changes,
// and reads the statistics of the tables afterwards.
func measureChanges(ctx context.Context, s settings, t *table) error {
	var rates []float64
	for name, b := range s.builds() {
		rate, err := manyChanges(ctx, s, name, b, t)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rates = append(rates, rate)
	}
	if len(rates) == 2 {
		ratio := rates[0] / rates[1]
		t.add(fmt.Sprintf("PATCH a price, %d times, against the build before", s.changes),
			fmt.Sprintf("%.0f/s", rates[0]), fmt.Sprintf("%.0f/s", rates[1]),
			times(ratio), "≥ "+times(patchFaster), ratio >= patchFaster)
	}
	return nil
}

// manyChanges adds the rows of one build and returns its changes a second.
func manyChanges(ctx context.Context, s settings, who string, b build, t *table) (rate float64, err error) {
	p, err := startService(ctx, s, who, b)
	if err != nil {
		return 0, err
	}
	defer p.stop()
	stock, err := readStock(ctx, p, b.token)
	if err != nil {
		return 0, err
	}
	o := operation{name: "changes", next: reprices(stock, s.connections, b.token)}
	if _, err := round(ctx, s, entrant{p, o}, warmUp); err != nil {
		return 0, err
	}
	db, err := sql.Open("postgres", b.database)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	before, err := readTables(ctx, db)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	took, err := counted(ctx, p, o, s.changes)
	if err != nil {
		return 0, err
	}
	rate = float64(s.changes) / time.Since(began).Seconds()
	after, err := readTables(ctx, db)
	if err != nil {
		return 0, err
	}
	name := fmt.Sprintf("PATCH a price at %d connections, %d times, %s: ", s.connections, s.changes, who)
	longest := measure.Percentile(took, 1)
	t.note(name+"rate", fmt.Sprintf("%.0f/s", rate), "", "")
	all := sample{took: took}
	t.add(name+spreadNames, all.spread(), "", "", "longest ≤ "+measure.Milliseconds(maxLongest), longest <= maxLongest)
	hot := float64(after.hot-before.hot) / float64(max(1, after.updated-before.updated))
	t.add(name+"heap-only updates of cards", fmt.Sprintf("%.1f %%", 100*hot), "", "",
		fmt.Sprintf("≥ %.0f %%", 100*minHOT), hot >= minHOT)
	t.note(name+"size of the cards' indexes, before and after",
		mebibytes(before.indexes)+", "+mebibytes(after.indexes), "",
		times(float64(after.indexes)/float64(before.indexes)))
	return rate, nil
}

// tables are PostgreSQL's statistics of the cards' tables.
type tables struct {
	updated, hot int64 // updates of cards, and the ones that touched no index
	indexes      int64 // bytes of the indexes of all tables of cards
}

// readTables waits until the statistics of ended transactions have arrived, which is at most a second.
func readTables(ctx context.Context, db *sql.DB) (t tables, err error) {
	for last := int64(-1); ; last = t.updated {
		err = db.QueryRowContext(ctx, `
			SELECT n_tup_upd, n_tup_hot_upd,
			       (SELECT sum(pg_relation_size(indexrelid))::bigint
			        FROM pg_stat_user_indexes WHERE relname LIKE 'card%')
			FROM pg_stat_user_tables WHERE relname = 'cards'`).Scan(&t.updated, &t.hot, &t.indexes)
		if err != nil || t.updated == last {
			return t, err
		}
		select {
		case <-ctx.Done():
			return t, ctx.Err()
		case <-time.After(2 * time.Second):
		}
	}
}

// counted sends a number of requests over all connections and returns how long each took.
func counted(ctx context.Context, p *process, o operation, requests int) ([]time.Duration, error) {
	took := make([]time.Duration, requests)
	var sent atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for _, next := range o.next {
		group.Go(func() error {
			c, err := dial(ctx, p.addr)
			if err != nil {
				return err
			}
			defer c.Close()
			for i := sent.Add(1) - 1; i < int64(requests) && ctx.Err() == nil; i = sent.Add(1) - 1 {
				began := time.Now()
				if err := c.do(next()); err != nil {
					return err
				}
				took[i] = time.Since(began)
			}
			return ctx.Err()
		})
	}
	return took, group.Wait()
}

package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// sampleEvery is the time between two looks; the peaks of what they find are judged.
const sampleEvery = 2 * time.Second

// queue is what the database tells of unfinished deliveries.
type queue struct {
	Backlog   int     `db:"backlog"`
	OldestDue float64 `db:"oldest_due"` // for how many seconds the oldest that nobody has leased has been due
	Bytes     int64   `db:"bytes"`      // of the table with its indexes
	Live      int64   `db:"live"`       // rows, as PostgreSQL estimates
	Dead      int64   `db:"dead"`       // row versions to be vacuumed
	Vacuums   int64   `db:"vacuums"`    // by autovacuum
}

func (h *house) queue(ctx context.Context) (q queue, err error) {
	err = h.db.Get(ctx, &q, `
		SELECT p.backlog, p.oldest_due, pg_total_relation_size(s.relid) AS bytes,
		       s.n_live_tup AS live, s.n_dead_tup AS dead, s.autovacuum_count AS vacuums
		FROM pg_stat_user_tables s, (
			SELECT count(*) AS backlog,
			       coalesce(extract(epoch FROM now() - min(due_at) FILTER (WHERE leased_until IS NULL)), 0)::float8 AS oldest_due
			FROM deliveries_pending
		) p
		WHERE s.relname = 'deliveries_pending'`)
	return q, err
}

// watch looks at everything that could grow.
type watch struct {
	house  *house
	began  time.Time
	shown  time.Time
	server measure.Process // PostgreSQL's postmaster
	peaks  []peak          // the table, then memory by process
}

func newWatch(h *house) *watch {
	w := &watch{house: h, began: time.Now(), shown: time.Now()}
	// What autovacuum, which comes once a minute, leaves between two visits: half a kilobyte an event.
	w.peaks = []peak{{name: "table", spare: int64(h.rate) * 60 * 512}}
	for _, e := range h.workers {
		w.peaks = append(w.peaks, peak{name: e.name, spare: spareMemory})
	}
	w.peaks = append(w.peaks, peak{name: "publisher and sink", spare: spareMemory}, peak{name: "PostgreSQL", spare: spareMemory})
	return w
}

// until looks again and again until publishing has ended.
func (w *watch) until(ctx context.Context, published <-chan error) (err error) {
	if w.server, err = measure.Postmaster(ctx, w.house.db.SQL()); err != nil {
		return err
	}
	w.header()
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-published:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if err := w.look(ctx); err != nil {
				return err
			}
		}
	}
}

// lookAndPrint takes a sample and prints it.
func (w *watch) lookAndPrint(ctx context.Context) error {
	w.shown = time.Time{}
	return w.look(ctx)
}

// look takes a sample, and prints it when it is time.
func (w *watch) look(ctx context.Context) error {
	for _, e := range w.house.workers {
		if err := e.alive(); err != nil {
			return err
		}
	}
	q, err := w.house.queue(ctx)
	if err != nil {
		return fmt.Errorf("looking at the deliveries: %w", err)
	}
	memory, err := w.memory(ctx)
	if err != nil {
		return fmt.Errorf("looking at memory: %w", err)
	}
	warm := time.Since(w.began) >= w.house.warmUp
	for i, bytes := range append([]int64{q.Bytes}, memory...) {
		w.peaks[i].note(bytes, warm)
	}
	if time.Since(w.shown) >= w.house.every-sampleEvery/2 {
		w.shown = time.Now()
		w.print(q, memory)
	}
	return nil
}

// memory is what each process has in memory: engines, this process, and what PostgreSQL's processes have
// of their own beside what they share.
func (w *watch) memory(ctx context.Context) (bytes []int64, err error) {
	for _, p := range append(processes(w.house.workers), measure.Process(os.Getpid())) {
		resident, err := p.Memory("VmRSS")
		if err != nil {
			return nil, err
		}
		bytes = append(bytes, resident)
	}
	var backends []int64
	if err := w.house.db.Select(ctx, &backends, `SELECT pid FROM pg_stat_activity`); err != nil {
		return nil, err
	}
	private, err := w.server.Memory("RssAnon")
	if err != nil {
		return nil, err
	}
	for _, pid := range backends {
		own, err := measure.Process(pid).Memory("RssAnon")
		if err == nil { // else it has ended meanwhile
			private += own
		}
	}
	return append(bytes, private), nil
}

func processes(engines []*engine) (list []measure.Process) {
	for _, e := range engines {
		list = append(list, e.process())
	}
	return list
}

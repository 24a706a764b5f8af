package delivery

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// The completer stores results in batches of up to maxStoreBatch, each in one transaction. A batch costs PostgreSQL
// about 0.5 ms, and 0.01 ms for each result. But if the process crashes, every delivery is sent again whose result was
// not stored. So a batch waits for minStoreDelay, and then until it has goodStoreBatch results, but at most
// maxStoreDelay: a crash repeats few requests at any rate, and none that was answered more than 200 ms before.
const (
	maxStoreBatch  = 500
	goodStoreBatch = 50
	minStoreDelay  = 50 * time.Millisecond
	maxStoreDelay  = 150 * time.Millisecond
	// maxConcurrentStores limits the batches that are stored at the same time. One is usually enough. More are needed
	// when a batch waits for a dead connection or a locked row.
	maxConcurrentStores = 4
	// storeTimeout limits one attempt to store a batch. The next attempt uses another connection.
	storeTimeout = 5 * time.Second
	// maxStoreBackoff limits the delay before a batch is stored again. It is short, because leases expire during the
	// delay.
	maxStoreBackoff = time.Second
	// finalStoreTimeout replaces storeTimeout after the shutdown timeout of Stop.
	finalStoreTimeout = time.Second
)

// completer stores the results of attempts. It keeps results in memory while the database is not available; their
// number is limited by the number of leased deliveries.
type completer struct {
	engine *Engine
	wake   chan struct{}
	good   chan struct{} // goodStoreBatch results wait
	full   chan struct{}
	quit   chan struct{}
	done   chan struct{}
	slots  chan struct{}
	stores sync.WaitGroup

	mu      sync.Mutex
	results []result
}

func newCompleter(e *Engine) *completer {
	return &completer{
		engine: e, wake: make(chan struct{}, 1), good: make(chan struct{}, 1), full: make(chan struct{}, 1),
		slots: make(chan struct{}, maxConcurrentStores),
	}
}

// add queues results to be stored.
func (c *completer) add(results ...result) {
	if len(results) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.results = append(c.results, results...)
	signal(c.wake)
	if len(c.results) >= goodStoreBatch {
		signal(c.good)
	}
	if len(c.results) >= maxStoreBatch {
		signal(c.full)
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (c *completer) start(ctx context.Context) {
	c.quit, c.done = make(chan struct{}), make(chan struct{})
	go c.run(ctx)
}

// stop stores the queued results and stops the completer. If the context of start ends, it tries once more and then
// gives up: the leases of results that are not stored simply expire. add must not be called after stop.
func (c *completer) stop() {
	close(c.quit)
	<-c.done
	c.stores.Wait()
}

// run stores each batch in a goroutine of its own.
func (c *completer) run(ctx context.Context) {
	defer close(c.done)
	for stopping := false; !stopping; {
		stopping = c.waitForBatch()
		for batch := c.nextBatch(); len(batch) > 0; batch = c.nextBatch() {
			for _, part := range c.groupByScope(batch) {
				c.stores.Go(func() { c.storeUntilDone(ctx, part) })
			}
		}
	}
}

// waitForBatch waits until a batch should be stored. It returns true at once if the completer is stopped.
func (c *completer) waitForBatch() (stopping bool) {
	select {
	case <-c.quit:
		return true
	case <-c.wake:
	}
	if c.waitFor(c.full, minStoreDelay) {
		return true
	}
	select {
	case <-c.good: // of this batch or of an earlier one
	default:
	}
	if c.isGood() {
		return false
	}
	return c.waitFor(c.good, maxStoreDelay-minStoreDelay)
}

// waitFor waits for a signal, at most for limit. It returns true at once if the completer is stopped.
func (c *completer) waitFor(signal <-chan struct{}, limit time.Duration) (stopping bool) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-c.quit:
		return true
	case <-signal:
	case <-timer.C:
	}
	return false
}

// isGood reports whether goodStoreBatch results wait.
func (c *completer) isGood() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.results) >= goodStoreBatch
}

// nextBatch removes and returns the next batch of queued results.
func (c *completer) nextBatch() []result {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(len(c.results), maxStoreBatch)
	batch := c.results[:n:n]
	c.results = c.results[n:]
	return batch
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// storeUntilDone stores a batch and retries until it succeeds or ctx ends. If the database works but the batch fails,
// it is split by account, so that a problem with one account's rows does not block the others. Storing a result twice
// is harmless because results are fenced by claim.
func (c *completer) storeUntilDone(ctx context.Context, batch []result) {
	for delay := minBackoff; ; delay = min(2*delay, maxStoreBackoff) {
		last := ctx.Err() != nil
		err := c.storeBatch(ctx, batch)
		if err == nil {
			return
		}
		slog.Warn("storing webhook results failed",
			"first_account", batch[0].job.key.Account, "results", len(batch), "error", err)
		if last {
			return
		}
		if parts := byAccount(batch); len(parts) > 1 && isPartial(err) {
			for _, part := range parts {
				c.stores.Go(func() { c.storeUntilDone(ctx, part) })
			}
			return
		}
		sleep(ctx, delay)
	}
}

// groupByScope splits a batch into parts that may share a transaction in this database.
func (c *completer) groupByScope(batch []result) [][]result {
	if c.engine.db.GroupScope() == postgres.GroupAll {
		return [][]result{batch}
	}
	return slices.Collect(maps.Values(byAccount(batch)))
}

// isPartial reports whether the error may concern only one account's rows: the statement failed or timed out.
func isPartial(err error) bool {
	return !fault.Is(err, fault.Unavailable) || errors.Is(err, context.DeadlineExceeded)
}

// byAccount splits a batch by account.
func byAccount(batch []result) map[string][]result {
	parts := map[string][]result{}
	for _, r := range batch {
		parts[r.job.key.Account] = append(parts[r.job.key.Account], r)
	}
	return parts
}

func (c *completer) storeBatch(ctx context.Context, batch []result) error {
	c.slots <- struct{}{}
	defer func() { <-c.slots }()
	// After the shutdown timeout of Stop, one short attempt is left.
	timeout := storeTimeout
	if ctx.Err() != nil {
		timeout = finalStoreTimeout
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	claims := c.engine.beginStore(batch)
	start := time.Now()
	err := storeResults(ctx, c.engine.db, batch, claims, c.engine.clock.Time())
	if err != nil {
		c.engine.onStoreFailed(batch, err)
		return err
	}
	c.engine.onStored(batch)
	c.engine.planner.observe(ctx, time.Since(start))
	return nil
}

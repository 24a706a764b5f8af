package webhooks

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

// Results are stored in batches of up to completeBatch, each in one transaction. completeAfter is
// how long the first of a batch waits for others: nobody waits for it, and it is far within the lease.
const (
	maxStoreBatch = 500
	storeDelay    = 200 * time.Millisecond
	// completersMax is how many batches are stored at once, so that one whose connection or whose account's rows
	// are stuck delays no other. Usually one is enough.
	maxConcurrentStores = 4
	// completeTimeout bounds one attempt to store a batch: the next one goes by another connection.
	storeTimeout = 5 * time.Second
	// completeLast is the same once Stop's patience has ended.
	finalStoreTimeout = time.Second
)

// completer stores results. While the database is away it keeps them: at most as many as are leased.
type completer struct {
	engine *Engine
	wake   chan struct{}
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
		engine: e, wake: make(chan struct{}, 1), full: make(chan struct{}, 1), slots: make(chan struct{}, maxConcurrentStores),
	}
}

// add has a result stored soon.
func (c *completer) add(results ...result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.results = append(c.results, results...)
	signal(c.wake)
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

// stop stores what there is and ends the completer. It gives up when start's context has ended: the leases
// end by themselves. Nothing may be added any more.
func (c *completer) stop() {
	close(c.quit)
	<-c.done
	c.stores.Wait()
}

// run starts a goroutine for each batch.
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

// await returns when there is something to store and a batch is full or old enough, at once and with true when
// the completer is stopped.
func (c *completer) waitForBatch() (stopping bool) {
	select {
	case <-c.quit:
		return true
	case <-c.wake:
	}
	timer := time.NewTimer(storeDelay)
	defer timer.Stop()
	select {
	case <-c.quit:
		return true
	case <-c.full:
	case <-timer.C:
	}
	return false
}

// take removes the next batch from what was added.
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

// storeUntilDone stores a batch, again and again until it is stored or ctx has ended. A batch that fails while
// the database answers is divided by account: what keeps one account's results from being stored holds up no
// other's. Storing twice does no harm, because results are fenced by their claims.
func (c *completer) storeUntilDone(ctx context.Context, batch []result) {
	for pause := minRetryPause; ; pause = min(2*pause, maxRetryPause) {
		last := ctx.Err() != nil
		err := c.storeBatch(ctx, batch)
		if err == nil {
			return
		}
		slog.Warn("webhook results wait to be stored",
			"first_account", batch[0].job.key.account, "results", len(batch), "error", err)
		if last {
			return
		}
		if parts := byAccount(batch); len(parts) > 1 && isPartial(err) {
			for _, part := range parts {
				c.stores.Go(func() { c.storeUntilDone(ctx, part) })
			}
			return
		}
		sleep(ctx, pause)
	}
}

// inScope divides a batch into what may share a transaction of this database.
func (c *completer) groupByScope(batch []result) [][]result {
	if c.engine.db.GroupScope() == postgres.GroupAll {
		return [][]result{batch}
	}
	return slices.Collect(maps.Values(byAccount(batch)))
}

// isPartial reports whether an error may be due to one account's rows: a refusal, or a time-out.
func isPartial(err error) bool {
	return !fault.Is(err, fault.Unavailable) || errors.Is(err, context.DeadlineExceeded)
}

// byAccount divides a batch.
func byAccount(batch []result) map[string][]result {
	parts := map[string][]result{}
	for _, r := range batch {
		parts[r.job.key.account] = append(parts[r.job.key.account], r)
	}
	return parts
}

func (c *completer) storeBatch(ctx context.Context, batch []result) error {
	c.slots <- struct{}{}
	defer func() { <-c.slots }()
	// When Stop's patience has ended, there is still one quick try.
	timeout := storeTimeout
	if ctx.Err() != nil {
		timeout = finalStoreTimeout
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	claims := c.engine.beginStore(batch)
	begun := time.Now()
	err := storeResults(ctx, c.engine.db, batch, claims, c.engine.clock.Time())
	if err != nil {
		c.engine.onStoreFailed(batch)
		return err
	}
	c.engine.onStored(batch)
	c.engine.planner.observe(ctx, time.Since(begun))
	return nil
}

// storing returns the claims that the results' deliveries are held under now.
func (e *Engine) beginStore(batch []result) []int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	claims := make([]int64, len(batch))
	for i, r := range batch {
		claims[i] = r.job.claimID
		r.job.storing = true
	}
	return claims
}

func (e *Engine) onStoreFailed(batch []result) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range batch {
		r.job.storing = false
		if again := r.job.nextClaim; again != nil {
			r.job.nextClaim = nil
			r.job.renew(again)
		}
	}
}

// stored lets go of deliveries whose results are durable, and has retries that are due before the next poll
// found in time.
func (e *Engine) onStored(batch []result) {
	e.mu.Lock()
	defer e.mu.Unlock()
	soon := e.cfg.PollEvery
	for _, r := range batch {
		if e.leased[r.job.id] == r.job {
			delete(e.leased, r.job.id)
		}
		if again := r.job.nextClaim; again != nil {
			e.enqueue(e.endpointQueue(again.key), again)
		}
		switch r.outcome {
		case outcomeRetried:
			soon = min(soon, time.Until(r.retryAt))
		case outcomeReleased:
			soon = 0
		}
	}
	if soon < e.cfg.PollEvery {
		time.AfterFunc(soon, e.requestPoll)
	}
	e.dispatch()
}

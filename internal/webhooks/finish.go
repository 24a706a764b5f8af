package webhooks

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

// Results are stored together, up to finishBatch in one transaction. finishAfter is
// how long the first waits for company: nobody waits for it, and it is far within the lease.
const (
	finishBatch = 500
	finishAfter = 200 * time.Millisecond
)

// finisher stores results. While the database is away it keeps them: at most as many as are leased.
type finisher struct {
	engine *Engine
	wake   chan struct{}
	full   chan struct{}
	quit   chan struct{}
	done   chan struct{}

	mu      sync.Mutex
	results []result
}

func newFinisher(e *Engine) *finisher {
	return &finisher{engine: e, wake: make(chan struct{}, 1), full: make(chan struct{}, 1)}
}

// add has a result stored soon.
func (f *finisher) add(r result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.results = append(f.results, r)
	signal(f.wake)
	if len(f.results) >= finishBatch {
		signal(f.full)
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (f *finisher) start(ctx context.Context) {
	f.quit, f.done = make(chan struct{}), make(chan struct{})
	go f.run(ctx)
}

// stop stores what there is and ends the finisher. Nothing may be added any more.
func (f *finisher) stop() {
	close(f.quit)
	<-f.done
}

func (f *finisher) run(ctx context.Context) {
	defer close(f.done)
	pause := pauseMin
	for stopping := false; ; {
		stopping = f.await(stopping)
		left := f.store(ctx)
		switch {
		case left == 0:
			pause = pauseMin
		case ctx.Err() != nil:
			return // out of patience; the leases end
		default:
			sleep(ctx, pause)
			pause = min(2*pause, pauseMax)
			signal(f.wake)
		}
		if stopping && left == 0 {
			return
		}
	}
}

// await returns when there is something to store and a batch is full or old enough, at once when
// stopping.
func (f *finisher) await(stopping bool) bool {
	if stopping {
		return true
	}
	select {
	case <-f.quit:
		return true
	case <-f.wake:
	}
	timer := time.NewTimer(finishAfter)
	defer timer.Stop()
	select {
	case <-f.quit:
		return true
	case <-f.full:
	case <-timer.C:
	}
	return false
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// store stores everything collected and returns how many results could not be.
func (f *finisher) store(ctx context.Context) (left int) {
	f.mu.Lock()
	results := f.results
	f.results = nil
	f.mu.Unlock()
	var kept []result
	for len(results) > 0 {
		batch := results[:min(len(results), finishBatch)]
		err := f.storeBatch(ctx, batch)
		if fault.Is(err, fault.Unavailable) || err != nil && ctx.Err() != nil {
			slog.Warn("webhook results wait to be stored", "results", len(results), "error", err)
			break
		}
		if err != nil {
			kept = append(kept, f.storeApart(ctx, batch)...)
		}
		results = results[len(batch):]
	}
	return f.putBack(append(kept, results...))
}

// storeApart stores the results account by account, and returns those that could not be: what keeps one
// account's from being stored holds up no other's.
func (f *finisher) storeApart(ctx context.Context, batch []result) (kept []result) {
	byAccount := map[string][]result{}
	for _, r := range batch {
		byAccount[r.work.key.account] = append(byAccount[r.work.key.account], r)
	}
	for account, list := range byAccount {
		if err := f.storeBatch(ctx, list); err != nil {
			slog.Warn("webhook results wait to be stored", "account", account, "results", len(list), "error", err)
			kept = append(kept, list...)
		}
	}
	return kept
}

func (f *finisher) putBack(list []result) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.results = append(f.results, list...)
	return len(list)
}

func (f *finisher) storeBatch(ctx context.Context, batch []result) error {
	// When Stop's patience has ended, there is still one quick try.
	timeout := databaseTimeout
	if ctx.Err() != nil {
		timeout = time.Second
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	claims := f.engine.storing(batch)
	now := f.engine.clock.Time()
	begun := time.Now()
	err := storeResults(ctx, f.engine.db, batch, claims, now)
	if err != nil {
		f.engine.notStored(batch)
		return err
	}
	f.engine.stored(batch)
	f.engine.stats.observe(ctx, time.Since(begun))
	return nil
}

// storing returns the claims that the results' deliveries are held under now.
func (e *Engine) storing(batch []result) []int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	claims := make([]int64, len(batch))
	for i, r := range batch {
		claims[i] = r.work.claim
		r.work.storing = true
	}
	return claims
}

func (e *Engine) notStored(batch []result) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range batch {
		r.work.storing = false
		if again := r.work.again; again != nil {
			r.work.again = nil
			r.work.renew(again)
		}
	}
}

// stored lets go of deliveries whose results are durable, and sees to it that retries which are due
// before the next poll are not late.
func (e *Engine) stored(batch []result) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.clock.Time()
	soon := e.cfg.PollEvery
	for _, r := range batch {
		delete(e.held, r.work.id)
		if again := r.work.again; again != nil {
			e.take(e.lane(again.key), again)
		}
		if r.state == stateRetried {
			soon = min(soon, r.due.Sub(now))
		}
	}
	if soon < e.cfg.PollEvery {
		time.AfterFunc(soon, e.Wake)
	}
	e.serve()
}

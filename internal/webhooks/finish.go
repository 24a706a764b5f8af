package webhooks

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Results are stored together, up to finishBatch of an account in one transaction. finishAfter is
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
	results map[string][]result // by account
	count   int
}

func newFinisher(e *Engine) *finisher {
	return &finisher{engine: e, results: map[string][]result{}, wake: make(chan struct{}, 1), full: make(chan struct{}, 1)}
}

// add has a result stored soon.
func (f *finisher) add(r result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	account := r.work.key.account
	f.results[account] = append(f.results[account], r)
	f.count++
	signal(f.wake)
	if f.count >= finishBatch {
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
	f.results, f.count = make(map[string][]result, len(results)), 0
	f.mu.Unlock()
	for account, list := range results {
		for len(list) > 0 {
			batch := list[:min(len(list), finishBatch)]
			if err := f.storeBatch(ctx, account, batch); err != nil {
				slog.Warn("webhook results wait to be stored", "results", len(list), "error", err)
				break
			}
			list = list[len(batch):]
		}
		left += f.putBack(account, list)
	}
	return left
}

func (f *finisher) putBack(account string, list []result) int {
	if len(list) > 0 {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.results[account] = append(f.results[account], list...)
		f.count += len(list)
	}
	return len(list)
}

func (f *finisher) storeBatch(ctx context.Context, account string, batch []result) error {
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
	err := storeResults(ctx, f.engine.db, account, batch, claims, now)
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
	soon := pollEvery
	for _, r := range batch {
		delete(e.held, r.work.id)
		if again := r.work.again; again != nil {
			e.take(e.lane(again.key), again)
		}
		if r.state == stateRetried {
			soon = min(soon, r.due.Sub(now))
		}
	}
	if soon < pollEvery {
		time.AfterFunc(soon, e.Wake)
	}
	e.serve()
}

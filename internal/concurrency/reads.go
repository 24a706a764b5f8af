package concurrency

import (
	"cmp"
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

// DefaultReads is the number of concurrent reads of an account if none is given.
const DefaultReads = 6

// readWait is how long a read waits for another read of its account to finish. It holds no connection meanwhile.
const readWait = 3 * time.Second

// ReadLimiter limits the concurrent reads of an account, so that slow reads, such as searches, do not occupy all
// database connections. The reads of an account run in order of arrival.
type ReadLimiter struct {
	running *Semaphore // by account
	limit   int
}

// NewReadLimiter returns a limiter of so many reads per account, or of DefaultReads for 0.
func NewReadLimiter(limit int) ReadLimiter {
	limit = cmp.Or(limit, DefaultReads)
	return ReadLimiter{NewSemaphore(Unlimited, int64(limit)), limit}
}

// Turn is a read that runs. It ends while the read waits for something else than the database, such as a slow client.
type Turn struct {
	limiter ReadLimiter
	key     string
	held    Held
	running bool
	// Waited reports whether the turn had to wait when it began last.
	Waited bool
}

// Begin is Acquire for a read that waits for a client in between.
func (l ReadLimiter) Begin(ctx context.Context, key string) (*Turn, error) {
	t := &Turn{limiter: l, key: key}
	return t, t.Resume(ctx)
}

// End lets another read of the key run. It does nothing if the turn has ended.
func (t *Turn) End() {
	if t.running {
		t.running = false
		t.held.Release()
	}
}

// Resume begins the turn again as Acquire does. It does nothing while the turn runs.
func (t *Turn) Resume(ctx context.Context) (err error) {
	if t.running {
		return nil
	}
	if t.held, t.running = t.limiter.running.TryAcquire(t.key, 1); t.running {
		t.Waited = false
		return nil
	}
	t.held, err = t.limiter.Acquire(ctx, t.key)
	t.running, t.Waited = err == nil, true
	return err
}

// Acquire waits until the account may run another read, which lasts until the result is released. It fails with
// rate_limited if none of those that run ends in time, and with the error of ctx if ctx ends before.
func (l ReadLimiter) Acquire(ctx context.Context, accountID string) (Held, error) {
	if result, ok := l.running.TryAcquire(accountID, 1); ok {
		return result, nil
	}
	waiting, cancel := context.WithTimeout(ctx, readWait)
	defer cancel()
	result, err := l.running.Acquire(waiting, accountID, 1)
	if err != nil && ctx.Err() == nil {
		err = fault.New(fault.RateLimited,
			"%d reads of your account are running, and none ended in %d seconds. Send fewer at the same time.",
			l.limit, int(readWait.Seconds())).WithRetryAfter(time.Second)
	}
	return result, err
}

// Package readlimit limits the concurrent reads of each account, so that the slow reads of one account, such as
// searches, do not occupy all database connections. It does not limit rates: package ratelimit does.
package readlimit

import (
	"cmp"
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/keyed"
)

// Default is the number of concurrent reads of an account if none is given.
const Default = 6

// wait is how long a read waits for another read of its account to finish. It holds no connection meanwhile.
const wait = 3 * time.Second

// Limiter limits the concurrent reads of each account. The reads of an account run in order of arrival.
type Limiter struct {
	running *keyed.Semaphore // by account
	limit   int
}

// New returns a Limiter of so many reads of each account, or of Default for 0.
func New(limit int) Limiter {
	limit = cmp.Or(limit, Default)
	return Limiter{keyed.NewSemaphore(keyed.Unlimited, int64(limit)), limit}
}

// TryAcquire is Acquire without the wait. It reports whether the account may run another read now.
func (l Limiter) TryAcquire(accountID string) (keyed.Held, bool) {
	return l.running.TryAcquire(accountID, 1)
}

// Acquire waits until the account may run another read, which lasts until the result is released. It fails with
// rate_limited if none of those that run ends in time, and with the error of ctx if ctx ends before.
func (l Limiter) Acquire(ctx context.Context, accountID string) (keyed.Held, error) {
	if held, ok := l.TryAcquire(accountID); ok {
		return held, nil
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	held, err := l.running.Acquire(waiting, accountID, 1)
	if err != nil && ctx.Err() == nil {
		err = fault.New(fault.RateLimited,
			"%d reads of your account are running, and none ended in %d seconds. Send fewer at the same time.",
			l.limit, int(wait.Seconds())).WithRetryAfter(time.Second)
	}
	return held, err
}

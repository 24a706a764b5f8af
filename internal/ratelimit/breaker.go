package ratelimit

import (
	"sync/atomic"
	"time"
)

// breaker is a circuit breaker that stops requests to a failing Redis. The zero value with a clock is closed.
type breaker struct {
	now func() time.Time
	// until is the time of the next attempt, in Unix nanoseconds; 0 means closed.
	until atomic.Int64
}

// allow reports whether a request may use Redis. After a pause it allows one request, and starts another pause for the
// others.
func (b *breaker) allow() bool {
	until := b.until.Load()
	if until == 0 {
		return true
	}
	now := b.now()
	return now.UnixNano() >= until && b.until.CompareAndSwap(until, now.Add(breakerPause).UnixNano())
}

// open starts a pause and reports whether the breaker was closed before.
func (b *breaker) open() bool { return b.until.Swap(b.now().Add(breakerPause).UnixNano()) == 0 }

// close ends the pause and reports whether the breaker was open before.
func (b *breaker) close() bool { return b.until.Load() != 0 && b.until.Swap(0) != 0 }

package ratelimit

import (
	"sync/atomic"
	"time"
)

// breaker keeps requests away from a failing Redis. The zero state, with a clock, is closed.
type breaker struct {
	now func() time.Time
	// until is when the next attempt may be made, in Unix nanoseconds; 0 means closed.
	until atomic.Int64
}

// allow reports whether this request may try. When a pause is over, one request gets through and
// the others wait another pause for its outcome.
func (b *breaker) allow() bool {
	until := b.until.Load()
	if until == 0 {
		return true
	}
	now := b.now()
	return now.UnixNano() >= until && b.until.CompareAndSwap(until, now.Add(breakerPause).UnixNano())
}

// open begins a pause and reports whether the breaker was closed before.
func (b *breaker) open() bool { return b.until.Swap(b.now().Add(breakerPause).UnixNano()) == 0 }

// close ends the pause and reports whether the breaker was open before.
func (b *breaker) close() bool { return b.until.Load() != 0 && b.until.Swap(0) != 0 }

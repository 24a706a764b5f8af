package remote

import (
	"sync"
	"time"
)

const (
	// maxFailures is the number of consecutive failures that open the breaker.
	maxFailures = 5
	// breakTime is how long the breaker stays open unless the company names a time.
	breakTime = 30 * time.Second
	// maxBreakTime limits the time that a company names.
	maxBreakTime = time.Hour
)

// breaker keeps photos from waiting for a company that does not answer. It opens after consecutive failures, or at once
// if the company asks to be left alone. When its time is over, one call is let through: if it succeeds, the breaker
// closes, otherwise it opens again.
//
// The libraries for breakers open for a fixed time, so they cannot keep to a Retry-After.
type breaker struct {
	now func() time.Time

	mu       sync.Mutex
	failures int
	until    time.Time // zero if the breaker is closed
	probing  bool      // whether the call that decides is under way
}

// allow reports whether a call may be made now, or else how long calls wait. One of succeed, fail and release must
// follow a call that is allowed.
func (b *breaker) allow() (wait time.Duration, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return 0, true
	}
	if left := b.until.Sub(b.now()); left > 0 {
		return left, false
	}
	if b.probing {
		return time.Second, false
	}
	b.probing = true
	return 0, true
}

// succeed closes the breaker. It does nothing for a call that began before the breaker opened.
func (b *breaker) succeed() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.until.IsZero() && !b.probing {
		return
	}
	b.failures, b.until, b.probing = 0, time.Time{}, false
}

// release ends a call that says nothing about the company.
func (b *breaker) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
}

// fail counts a failure. wait is how long the company asks to be left alone, or 0. It returns whether the breaker was
// closed and is open now.
func (b *breaker) fail(wait time.Duration) (opened bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures++
	wasOpen := !b.until.IsZero()
	if wait > 0 || wasOpen || b.failures >= maxFailures {
		if wait == 0 {
			wait = breakTime
		}
		if until := b.now().Add(min(wait, maxBreakTime)); until.After(b.until) {
			b.until = until
		}
	}
	b.probing = false
	return !wasOpen && !b.until.IsZero()
}

// isOpen reports whether calls wait.
func (b *breaker) isOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.until.IsZero()
}

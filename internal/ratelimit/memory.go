package ratelimit

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/ulule/limiter/v3/drivers/store/memory"
)

// Memory counts requests in this process. It keeps the keys of the last two windows.
type Memory struct {
	// The store's cache is used directly, because the store rounds the end of a window down to the second, so that
	// clients would retry too early.
	cache *memory.Cache
	// sweepAt is the next time at which expired counters are removed, in Unix nanoseconds.
	sweepAt atomic.Int64
}

// NewMemory returns a limiter without counts. It has no background goroutine and need not be closed.
func NewMemory() *Memory {
	m := &Memory{cache: memory.NewCache(0).Cache} // 0 means no clean-up goroutine, as that could not be stopped
	m.sweepAt.Store(time.Now().Add(Window).UnixNano())
	return m
}

// Take implements Limiter.
func (m *Memory) Take(_ context.Context, key string, class Class, limit int) Decision {
	return m.take(counterKey(key, class), limit)
}

func (m *Memory) take(counter string, limit int) Decision {
	now := time.Now()
	m.sweep(now)
	count, end := m.cache.Increment(counter, 1, Window)
	return decide(count, limit, end, now)
}

// TakeBoth implements Limiter.
func (m *Memory) TakeBoth(_ context.Context, class Class, inner, outer Counter) Both {
	both := Both{Inner: m.take(counterKey(inner.Key, class), inner.Limit)}
	if both.Inner.Allowed {
		both.Outer = m.take(counterKey(outer.Key, class), outer.Limit)
	}
	return both
}

// Peek implements Limiter.
func (m *Memory) Peek(_ context.Context, key string, class Class, limit int) Decision {
	return m.peek(counterKey(key, class), limit)
}

func (m *Memory) peek(counter string, limit int) Decision {
	count, end := m.cache.Get(counter, Window)
	return decide(count+1, limit, end, time.Now())
}

// sweep removes expired counters once per window, in the background of a request.
func (m *Memory) sweep(now time.Time) {
	due := m.sweepAt.Load()
	if now.UnixNano() < due || !m.sweepAt.CompareAndSwap(due, now.Add(Window).UnixNano()) {
		return
	}
	go m.cache.Clean()
}

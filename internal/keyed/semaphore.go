// Package keyed bounds concurrent work per key, such as an account or an address, so that the work of
// one key cannot use up what all keys share. It knows nothing of the work.
package keyed

import (
	"context"
	"math"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Unlimited is a total that bounds nothing: only the share of each key is bounded.
const Unlimited = math.MaxInt64

// Semaphore is a weighted semaphore of which each key may hold a share. Callers of one key wait for
// one another in the order they came, and only those who are within their key's share wait for other keys.
type Semaphore struct {
	total  *semaphore.Weighted
	perKey int64

	mu     sync.Mutex
	shares map[string]*share
	unused sync.Pool // of shares that no key has
}

// share is what one key holds. It is removed when nobody holds or waits for a part of it.
type share struct {
	weighted *semaphore.Weighted
	users    int
}

// Held is a part of a Semaphore that a key holds until Release.
type Held struct {
	semaphore *Semaphore
	share     *share
	key       string
	weight    int64
}

// NewSemaphore returns a semaphore of which all keys together hold at most total, and each at most perKey.
func NewSemaphore(total, perKey int64) *Semaphore {
	s := &Semaphore{total: semaphore.NewWeighted(total), perKey: perKey, shares: map[string]*share{}}
	s.unused.New = func() any { return &share{weighted: semaphore.NewWeighted(perKey)} }
	return s
}

// Acquire waits until key may hold weight more. A weight larger than the share of a key counts as the
// whole share. The error is ctx's.
func (s *Semaphore) Acquire(ctx context.Context, key string, weight int64) (Held, error) {
	h := s.enter(key, weight)
	if err := h.share.weighted.Acquire(ctx, h.weight); err != nil {
		s.exit(h)
		return Held{}, err
	}
	if err := s.total.Acquire(ctx, h.weight); err != nil {
		h.share.weighted.Release(h.weight)
		s.exit(h)
		return Held{}, err
	}
	return h, nil
}

// TryAcquire is Acquire without waiting; ok is false if key would have to wait.
func (s *Semaphore) TryAcquire(key string, weight int64) (h Held, ok bool) {
	h = s.enter(key, weight)
	if h.share.weighted.TryAcquire(h.weight) {
		if s.total.TryAcquire(h.weight) {
			return h, true
		}
		h.share.weighted.Release(h.weight)
	}
	s.exit(h)
	return Held{}, false
}

// Release gives back what is held. It must be called once.
func (h Held) Release() {
	h.semaphore.total.Release(h.weight)
	h.share.weighted.Release(h.weight)
	h.semaphore.exit(h)
}

func (s *Semaphore) enter(key string, weight int64) Held {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.shares[key]
	if own == nil {
		own = s.unused.Get().(*share)
		s.shares[key] = own
	}
	own.users++
	return Held{semaphore: s, share: own, key: key, weight: min(weight, s.perKey)}
}

func (s *Semaphore) exit(h Held) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.share.users--; h.share.users == 0 {
		delete(s.shares, h.key)
		s.unused.Put(h.share)
	}
}

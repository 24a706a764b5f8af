// Package concurrency limits concurrent work per key, such as an account or an address, so that one key cannot use a
// shared resource alone. It does not limit rates: package ratelimit does.
//
// Semaphore limits each key and all keys together. ReadLimiter limits the reads of an account and refuses a read that
// waits for too long.
package concurrency

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Unlimited is the total of a semaphore that only limits each key.
const Unlimited = math.MaxInt64

// ErrShare means that a caller waited for weight that its own key holds. It wraps the error of the context.
var ErrShare = errors.New("the key holds its share")

// Semaphore is a weighted semaphore with a limit for each key and a limit for all keys. Callers of one
// key wait in order of arrival. A caller waits for the limit of its key first and then for the limit of
// all keys, so the waiters of one key do not block other keys.
type Semaphore struct {
	total  *semaphore.Weighted
	perKey int64

	mu     sync.Mutex
	shares map[string]*share
	unused sync.Pool // of *share, for reuse by other keys
}

// share is the semaphore of one key. It is removed when it has no users.
type share struct {
	weighted *semaphore.Weighted
	users    int // callers that hold or wait for weight
}

// Held is weight that a key holds until Release.
type Held struct {
	semaphore *Semaphore
	share     *share
	key       string
	weight    int64
}

// NewSemaphore returns a semaphore. All keys together hold at most total, and each key at most perKey.
func NewSemaphore(total, perKey int64) *Semaphore {
	s := &Semaphore{total: semaphore.NewWeighted(total), perKey: perKey, shares: map[string]*share{}}
	s.unused.New = func() any { return &share{weighted: semaphore.NewWeighted(perKey)} }
	return s
}

// Acquire waits until key may hold weight more. A weight above perKey counts as perKey. It returns the
// error of ctx if ctx ends first, with ErrShare if only the limit of the key was in the way.
func (s *Semaphore) Acquire(ctx context.Context, key string, weight int64) (Held, error) {
	h := s.enter(key, weight)
	if err := h.share.weighted.Acquire(ctx, h.weight); err != nil {
		s.exit(h)
		return Held{}, fmt.Errorf("%w: %w", ErrShare, err)
	}
	if err := s.total.Acquire(ctx, h.weight); err != nil {
		h.share.weighted.Release(h.weight)
		s.exit(h)
		return Held{}, err
	}
	return h, nil
}

// TryAcquire is like Acquire but does not wait. It returns false if Acquire would wait.
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

// Release returns the weight. It must be called exactly once.
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

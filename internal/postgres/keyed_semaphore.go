package postgres

import (
	"context"
	"sync"
)

// keyedSemaphore admits a fixed number of holders for each key, in the order in which they asked.
// Unused entries are removed.
type keyedSemaphore struct {
	perKey int

	mu      sync.Mutex
	entries map[string]*semaphoreEntry
}

type semaphoreEntry struct {
	slots   chan struct{}
	waiters int // holders included
}

// acquire waits for a slot of key and returns how to release it.
func (s *keyedSemaphore) acquire(ctx context.Context, key string) (release func(), err error) {
	entry := s.enter(key)
	select {
	case entry.slots <- struct{}{}:
		return func() { <-entry.slots; s.leave(key, entry) }, nil
	case <-ctx.Done():
		s.leave(key, entry)
		return nil, ctx.Err()
	}
}

func (s *keyedSemaphore) enter(key string) *semaphoreEntry {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry := s.entries[key]
	if entry == nil {
		entry = &semaphoreEntry{slots: make(chan struct{}, s.perKey)}
		if s.entries == nil {
			s.entries = map[string]*semaphoreEntry{}
		}
		s.entries[key] = entry
	}
	entry.waiters++
	return entry
}

func (s *keyedSemaphore) leave(key string, entry *semaphoreEntry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if entry.waiters--; entry.waiters == 0 {
		delete(s.entries, key)
	}
}

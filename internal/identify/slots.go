package identify

import (
	"context"
	"slices"
	"sync"
)

// Slots limits how many photos are identified at once, because each takes memory and a processor. They get a slot in
// the order in which they came. Work that can wait gets one when no photo waits.
type Slots struct {
	mu   sync.Mutex
	free int
	// photos and idle are those that wait, in order. A slot is passed on by closing the channel.
	photos, idle []chan struct{}
}

// NewSlots returns n free slots, at least one.
func NewSlots(n int) *Slots { return &Slots{free: max(n, 1)} }

// acquire waits for a slot until ctx ends, whose error it then returns.
func (s *Slots) acquire(ctx context.Context) error { return s.await(ctx, &s.photos) }

// AcquireIdle waits until a slot is free and no photo waits for it, or until ctx ends, whose error it then returns. The
// caller must call release when the work is done.
func (s *Slots) AcquireIdle(ctx context.Context) (release func(), err error) {
	if err := s.await(ctx, &s.idle); err != nil {
		return nil, err
	}
	return s.release, nil
}

// await is acquire for those of a list.
func (s *Slots) await(ctx context.Context, list *[]chan struct{}) error {
	turn := s.enqueue(list)
	if turn == nil {
		return nil
	}
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	if !s.leave(turn) { // the slot came at the same time
		s.release()
	}
	return ctx.Err()
}

// enqueue takes a free slot and returns nil, or returns the channel that is closed when the caller gets one.
func (s *Slots) enqueue(list *[]chan struct{}) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 {
		s.free--
		return nil
	}
	turn := make(chan struct{})
	*list = append(*list, turn)
	return turn
}

// leave removes one that does not wait any more, or reports false if it has got a slot.
func (s *Slots) leave(turn chan struct{}) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, waiting := range []*[]chan struct{}{&s.photos, &s.idle} {
		if i := slices.Index(*waiting, turn); i >= 0 {
			*waiting = slices.Delete(*waiting, i, i+1)
			return true
		}
	}
	return false
}

// release passes the slot on to the next one, or makes it free.
func (s *Slots) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, waiting := range []*[]chan struct{}{&s.photos, &s.idle} {
		if len(*waiting) > 0 {
			close((*waiting)[0])
			*waiting = slices.Delete(*waiting, 0, 1)
			return
		}
	}
	s.free++
}

package identify

import (
	"context"
	"slices"
	"sync"
)

// Slots limits how many photos are identified at once, because each takes memory and a processor. A photo of a request
// gets a free slot before those of the background, however long they have waited.
type Slots struct {
	mu   sync.Mutex
	free int
	// requests and background are the photos that wait, in order. A slot is passed on by closing the channel.
	requests, background []chan struct{}
}

// NewSlots returns n free slots, at least one.
func NewSlots(n int) *Slots { return &Slots{free: max(n, 1)} }

// acquire waits for a slot until ctx ends, whose error it then returns.
func (s *Slots) acquire(ctx context.Context, background bool) error {
	turn := s.enqueue(background)
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

// enqueue takes a free slot and returns nil, or returns the channel that is closed when the photo gets one.
func (s *Slots) enqueue(background bool) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 {
		s.free--
		return nil
	}
	turn := make(chan struct{})
	if background {
		s.background = append(s.background, turn)
	} else {
		s.requests = append(s.requests, turn)
	}
	return turn
}

// leave removes a photo that does not wait any more, or reports false if it has got a slot.
func (s *Slots) leave(turn chan struct{}) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, waiting := range []*[]chan struct{}{&s.requests, &s.background} {
		if i := slices.Index(*waiting, turn); i >= 0 {
			*waiting = slices.Delete(*waiting, i, i+1)
			return true
		}
	}
	return false
}

// release passes the slot on to the next photo, or makes it free.
func (s *Slots) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, waiting := range []*[]chan struct{}{&s.requests, &s.background} {
		if len(*waiting) > 0 {
			close((*waiting)[0])
			*waiting = slices.Delete(*waiting, 0, 1)
			return
		}
	}
	s.free++
}

package identify

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Slots limits how many photos are identified at once, because each takes memory and a processor. Accounts take turns:
// a slot goes to the waiting account that came or had one first, and to its photos in the order in which they came. If
// there are several slots, an account leaves one to others, unless no other account has used them for a minute. Work
// that can wait gets a slot when no photo waits that may have it.
type Slots struct {
	size int

	mu     sync.Mutex
	free   int
	turns  uint64
	shares map[string]*slotShare // of the accounts that hold a slot or wait for one
	// latest and other are the two accounts that were the last ones to stop using slots.
	latest, other slotUse
}

// slotUse is when an account stopped using slots.
type slotUse struct {
	accountID string
	at        time.Time
}

// aloneAfter is the time without other users of slots after which an account may hold all slots.
const aloneAfter = time.Minute

// slotShare counts the slots that an account holds and waits for.
type slotShare struct {
	accountID string
	held      int
	turn      uint64 // when it came, or got or gave back its last slot; larger is later
	// photos and idle are the waiters of acquire and AcquireIdle, in order. A slot is passed on by closing the channel.
	photos, idle []chan struct{}
}

// NewSlots returns n free slots, at least one.
func NewSlots(n int) *Slots {
	n = max(n, 1)
	return &Slots{size: n, free: n, shares: map[string]*slotShare{}}
}

// limit returns how many slots an account may hold.
func (s *Slots) limit(accountID string) int {
	other := s.latest
	if other.accountID == accountID {
		other = s.other
	}
	if alone := len(s.shares) == 1 && time.Since(other.at) > aloneAfter; alone {
		return s.size
	}
	return max(1, s.size-1)
}

// acquire waits for a slot for a photo of the account until ctx ends, whose error it then returns. The caller must call
// release when the photo is done.
func (s *Slots) acquire(ctx context.Context, accountID string) (release func(), err error) {
	return s.await(ctx, accountID, (*slotShare).waitingPhotos)
}

// AcquireIdle waits until a slot is free and no photo waits for it, or until ctx ends, whose error it then returns. The
// caller must call release when the work is done.
func (s *Slots) AcquireIdle(ctx context.Context, accountID string) (release func(), err error) {
	return s.await(ctx, accountID, (*slotShare).waitingIdle)
}

func (a *slotShare) waitingPhotos() *[]chan struct{} { return &a.photos }
func (a *slotShare) waitingIdle() *[]chan struct{}   { return &a.idle }

// await waits for a slot in one of the lists.
func (s *Slots) await(
	ctx context.Context, accountID string, list func(*slotShare) *[]chan struct{},
) (release func(), err error) {
	turn := s.enqueue(accountID, list)
	release = sync.OnceFunc(func() { s.release(accountID) })
	select {
	case <-turn:
		return release, nil
	case <-ctx.Done():
	}
	if !s.leave(accountID, turn) { // it has got a slot
		return release, nil
	}
	return nil, ctx.Err()
}

// enqueue returns the channel that is closed when the account gets a slot, which can be at once.
func (s *Slots) enqueue(accountID string, list func(*slotShare) *[]chan struct{}) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.shares[accountID]
	if own == nil {
		own = &slotShare{accountID: accountID}
		s.shares[accountID] = own
		s.behind(own)
	}
	turn := make(chan struct{})
	waiting := list(own)
	*waiting = append(*waiting, turn)
	s.pass()
	return turn
}

// leave removes one that does not wait any more, or reports false if it has got a slot.
func (s *Slots) leave(accountID string, turn chan struct{}) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.shares[accountID]
	for _, waiting := range []*[]chan struct{}{&own.photos, &own.idle} {
		if i := slices.Index(*waiting, turn); i >= 0 {
			*waiting = slices.Delete(*waiting, i, i+1)
			s.forget(accountID)
			return true
		}
	}
	return false
}

// release makes a slot of the account free.
func (s *Slots) release(accountID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.shares[accountID]
	own.held--
	s.free++
	s.behind(own)
	s.pass()
	s.forget(accountID)
}

// pass passes free slots on to the waiters.
func (s *Slots) pass() {
	for _, list := range []func(*slotShare) *[]chan struct{}{
		(*slotShare).waitingPhotos, (*slotShare).waitingIdle,
	} {
		for s.free > 0 {
			next := s.next(list)
			if next == nil {
				break
			}
			waiting := list(next)
			close((*waiting)[0])
			*waiting = slices.Delete(*waiting, 0, 1)
			s.free--
			next.held++
			s.behind(next)
		}
	}
}

// behind puts an account behind all others.
func (s *Slots) behind(a *slotShare) {
	s.turns++
	a.turn = s.turns
}

// next returns the first account that waits in a list and may hold another slot, or nil.
func (s *Slots) next(list func(*slotShare) *[]chan struct{}) (next *slotShare) {
	for _, a := range s.shares {
		if len(*list(a)) > 0 && a.held < s.limit(a.accountID) && (next == nil || a.turn < next.turn) {
			next = a
		}
	}
	return next
}

// forget removes an account that holds no slot and waits for none.
func (s *Slots) forget(accountID string) {
	if a := s.shares[accountID]; a.held == 0 && len(a.photos) == 0 && len(a.idle) == 0 {
		delete(s.shares, accountID)
		if s.latest.accountID != accountID {
			s.other = s.latest
		}
		s.latest = slotUse{accountID, time.Now()}
	}
}

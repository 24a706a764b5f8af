package identify

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// line is photos and work that wait for slots. Each gives back its slot at once.
type line struct {
	s *Slots

	mu    sync.Mutex
	order []string
}

// wait makes an account wait. It returns when it does.
func (l *line) wait(t *testing.T, accountID, name string, acquire func(context.Context, string) (func(), error)) {
	t.Helper()
	go func() {
		release, err := acquire(t.Context(), accountID)
		if err != nil {
			t.Error(err)
			return
		}
		l.mu.Lock()
		l.order = append(l.order, accountID+" "+name)
		l.mu.Unlock()
		release()
	}()
	synctest.Wait()
}

// Accounts take turns, however many photos one of them sends, and with however many tokens. Work that can wait comes
// last.
func TestSlots_Order(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(1)
		release, err := s.acquire(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		l := &line{s: s}
		l.wait(t, "a", "idle", s.AcquireIdle)
		for n := range 4 {
			l.wait(t, "a", fmt.Sprint(n), s.acquire)
		}
		l.wait(t, "b", "idle", s.AcquireIdle)
		l.wait(t, "b", "0", s.acquire)
		l.wait(t, "c", "0", s.acquire)
		l.wait(t, "c", "1", s.acquire)
		release()
		synctest.Wait()
		want := []string{"b 0", "c 0", "a 0", "c 1", "a 1", "a 2", "a 3", "b idle", "a idle"}
		if diff := cmp.Diff(want, l.order); diff != "" {
			t.Errorf("order of slots (-want +got):\n%s", diff)
		}
		if len(s.shares) > 0 {
			t.Errorf("afterwards, %d accounts are still known", len(s.shares))
		}
	})
}

// An account that is not alone leaves a slot to others, who get it at once, however many photos and other work it has.
func TestSlots_LeavesOneToOthers(t *testing.T) {
	t.Parallel()
	for _, slots := range []int{2, 3, 4} {
		synctest.Test(t, func(t *testing.T) {
			s := NewSlots(slots)
			use := func() {
				t.Helper()
				at := time.Now()
				release, err := s.acquire(t.Context(), "acc_other")
				if err != nil || time.Since(at) > 0 {
					t.Fatalf("another account waited for %v, %v", time.Since(at), err)
				}
				release()
			}
			use()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			flood(ctx, s)
			if got := s.shares["acc_hostile"].held; got != slots-1 {
				t.Errorf("of %d slots, an account that is not alone holds %d, want %d", slots, got, slots-1)
			}
			for range 3 {
				use()
			}
		})
	}
}

// flood makes an account ask for many slots.
func flood(ctx context.Context, s *Slots) {
	for range 50 {
		go func() { _, _ = s.acquire(ctx, "acc_hostile") }()
		go func() { _, _ = s.AcquireIdle(ctx, "acc_hostile") }()
	}
	synctest.Wait()
}

// An account that is alone uses all slots.
func TestSlots_Alone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(4)
		release, err := s.acquire(t.Context(), "acc_other")
		if err != nil {
			t.Fatal(err)
		}
		release()
		time.Sleep(aloneAfter + time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		flood(ctx, s)
		if got := s.shares["acc_hostile"].held; got != 4 {
			t.Errorf("an account that is alone holds %d slots, want 4", got)
		}
	})
}

// TestSlots_NoneLost gives up waiting at random times, and checks that all slots are free in the end and that no more
// photos than slots had one.
func TestSlots_NoneLost(t *testing.T) {
	t.Parallel()
	const slots, photos = 3, 400
	s := NewSlots(slots)
	var held, most int
	var mu sync.Mutex
	add := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		held += n
		most = max(most, held)
	}
	var all sync.WaitGroup
	for n := range photos {
		all.Go(func() {
			account := fmt.Sprint("acc_", n%5)
			ctx, cancel := context.WithCancel(t.Context())
			if n%3 == 0 {
				go cancel()
			}
			defer cancel()
			release, err := s.acquire(ctx, account)
			if err != nil {
				return
			}
			add(1)
			add(-1)
			release()
		})
	}
	all.Wait()
	if s.free != slots || len(s.shares) > 0 || most > slots {
		t.Errorf("got %d free slots, %d accounts, and up to %d at once; want %d, 0 and %d",
			s.free, len(s.shares), most, slots, slots)
	}
}

package identify

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// TestSlots_Order holds the only slot while photos and work that can wait wait for it.
func TestSlots_Order(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(1)
		if err := s.acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var order []string
		wait := func(name string, acquire func(context.Context) error) {
			go func() {
				if err := acquire(t.Context()); err != nil {
					t.Error(err)
				}
				mu.Lock()
				order = append(order, name)
				mu.Unlock()
				s.release()
			}()
			synctest.Wait()
		}
		wait("idle", func(ctx context.Context) error {
			_, err := s.AcquireIdle(ctx)
			return err
		})
		for n := range 2 {
			wait(fmt.Sprint("photo ", n), s.acquire)
		}
		s.release()
		synctest.Wait()
		want := []string{"photo 0", "photo 1", "idle"}
		if diff := cmp.Diff(want, order); diff != "" {
			t.Errorf("order of slots (-want +got):\n%s", diff)
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
			ctx, cancel := context.WithCancel(t.Context())
			if n%3 == 0 {
				go cancel()
			}
			defer cancel()
			if s.acquire(ctx) != nil {
				return
			}
			add(1)
			add(-1)
			s.release()
		})
	}
	all.Wait()
	if s.free != slots || len(s.photos) > 0 || most > slots {
		t.Errorf("got %d free slots, %d waiting, and up to %d at once; want %d, 0 and %d",
			s.free, len(s.photos), most, slots, slots)
	}
}

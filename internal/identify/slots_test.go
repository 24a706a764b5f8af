package identify

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// TestSlots_RequestsFirst holds the only slot while photos of the background and of requests wait for it.
func TestSlots_RequestsFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(1)
		if err := s.acquire(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var order []string
		wait := func(name string, background bool) {
			go func() {
				if err := s.acquire(t.Context(), background); err != nil {
					t.Error(err)
				}
				mu.Lock()
				order = append(order, name)
				mu.Unlock()
				s.release()
			}()
			synctest.Wait()
		}
		go func() {
			release, err := s.AcquireIdle(t.Context())
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			order = append(order, "idle")
			mu.Unlock()
			release()
		}()
		synctest.Wait()
		for n := range 2 {
			wait(fmt.Sprint("background ", n), true)
		}
		for n := range 2 {
			wait(fmt.Sprint("request ", n), false)
		}
		s.release()
		synctest.Wait()
		want := []string{"request 0", "request 1", "background 0", "background 1", "idle"}
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
			if s.acquire(ctx, n%2 == 0) != nil {
				return
			}
			add(1)
			add(-1)
			s.release()
		})
	}
	all.Wait()
	if s.free != slots || len(s.requests)+len(s.background) > 0 || most > slots {
		t.Errorf("got %d free slots, %d waiting, and up to %d at once; want %d, 0 and %d",
			s.free, len(s.requests)+len(s.background), most, slots, slots)
	}
}

package postgres

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func TestKeyedSemaphore_BoundsHoldersOfAKey(t *testing.T) {
	t.Parallel()
	s := keyedSemaphore{perKey: 2}
	var inside, admitted atomic.Int32
	var callers sync.WaitGroup
	for range 50 {
		callers.Go(func() {
			release, err := s.acquire(context.Background(), "acc_a")
			if err != nil {
				t.Error(err)
				return
			}
			if now := inside.Add(1); now > 2 {
				t.Errorf("%d holders at once, want at most 2", now)
			}
			runtime.Gosched()
			admitted.Add(1)
			inside.Add(-1)
			release()
		})
	}
	callers.Wait()
	if admitted.Load() != 50 {
		t.Errorf("%d callers were admitted, want 50", admitted.Load())
	}
	if len(s.entries) != 0 {
		t.Errorf("%d unused entries are kept", len(s.entries))
	}
}

func TestKeyedSemaphore_KeysAreIndependent(t *testing.T) {
	t.Parallel()
	s := keyedSemaphore{perKey: 1}
	release, err := s.acquire(t.Context(), "acc_a")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	other, err := s.acquire(t.Context(), "acc_b")
	if err != nil {
		t.Fatal(err)
	}
	other()

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.acquire(ended, "acc_a"); !errors.Is(err, context.Canceled) {
		t.Errorf("a full key and an ended context: got %v", err)
	}
	if waiters := s.entries["acc_a"].waiters; waiters != 1 {
		t.Errorf("%d waiters are counted, want 1", waiters)
	}
}

package concurrency

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestSemaphore_LimitsEachKeyAndAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewSemaphore(5, 3)
		var all []Held
		acquire := func(key string, weight int64) (acquired bool) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			held, err := s.Acquire(ctx, key, weight)
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			if err == nil {
				all = append(all, held)
			}
			return err == nil
		}
		for i, step := range []struct {
			key    string
			weight int64
			want   bool
		}{
			{"a", 2, true}, {"a", 2, false}, {"a", 1, true}, {"a", 1, false}, // limit of a key
			{"b", 3, false}, {"b", 2, true}, {"c", 1, false}, // limit of all keys
		} {
			if held, ok := s.TryAcquire(step.key, step.weight); ok {
				held.Release()
			} else if step.want {
				t.Errorf("step %d: TryAcquire of %d for %s failed", i, step.weight, step.key)
			}
			if got := acquire(step.key, step.weight); got != step.want {
				t.Errorf("step %d: Acquire of %d for %s = %v, want %v", i, step.weight, step.key, got, step.want)
			}
		}
		for _, held := range all {
			held.Release()
		}
		if len(s.shares) != 0 {
			t.Errorf("%d shares are left after all releases, want none", len(s.shares))
		}
		if !acquire("a", 100) {
			t.Error("a weight above the limit of a key was not acquired")
		}
	})
}

func TestSemaphore_WaitersDoNotBlockOtherKeys(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewSemaphore(3, 2)
		first, err := s.Acquire(t.Context(), "a", 2)
		if err != nil {
			t.Fatal(err)
		}
		waited := make(chan error)
		go func() {
			held, err := s.Acquire(t.Context(), "a", 2)
			if err == nil {
				held.Release()
			}
			waited <- err
		}()
		synctest.Wait()
		other, err := s.Acquire(t.Context(), "b", 1)
		if err != nil {
			t.Fatal(err)
		}
		other.Release()
		first.Release()
		if err := <-waited; err != nil {
			t.Errorf("waiting Acquire = %v", err)
		}
	})
}

package postgres

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func TestTurnsLetFewInAndAllThrough(t *testing.T) {
	t.Parallel()
	var line turns
	var inside, through atomic.Int32
	var writers sync.WaitGroup
	for range 50 {
		writers.Go(func() {
			leave, err := line.join(context.Background(), "acc_a")
			if err != nil {
				t.Error(err)
				return
			}
			if now := inside.Add(1); now > turnsAtOnce {
				t.Errorf("%d at once", now)
			}
			runtime.Gosched()
			through.Add(1)
			inside.Add(-1)
			leave()
		})
	}
	writers.Wait()
	if through.Load() != 50 {
		t.Errorf("%d came through", through.Load())
	}
	if len(line.lines) != 0 {
		t.Errorf("%d lines are left", len(line.lines))
	}
}

func TestTurnsOfOtherKeysDoNotWait(t *testing.T) {
	t.Parallel()
	var line turns
	for range turnsAtOnce {
		leave, err := line.join(t.Context(), "acc_a")
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
	}
	leave, err := line.join(t.Context(), "acc_b")
	if err != nil {
		t.Fatal(err)
	}
	leave()

	// Whoever gives up waiting leaves nothing behind.
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := line.join(gone, "acc_a"); !errors.Is(err, context.Canceled) {
		t.Errorf("a full line and an ended context: %v", err)
	}
	if people := line.lines["acc_a"].people; people != turnsAtOnce {
		t.Errorf("%d stand in line", people)
	}
}

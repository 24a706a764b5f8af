package worker

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestWakeCallsWorkAndStopWaitsForIt(t *testing.T) {
	t.Parallel()
	started, release := make(chan struct{}), make(chan struct{})
	calls := 0
	p := NewPeriodic("test", time.Hour, func(context.Context) (bool, error) {
		calls++
		started <- struct{}{}
		<-release
		return false, nil
	})
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-started // the first call comes without a wake
	p.Wake()
	p.Wake()
	release <- struct{}{}
	<-started // the wakes before it were one
	stopped := make(chan error)
	go func() { stopped <- p.Stop(t.Context()) }()
	release <- struct{}{}
	if err := <-stopped; err != nil || calls != 2 {
		t.Fatalf("Stop = %v after %d calls, want 2", err, calls)
	}
}

func TestMoreIsCalledAgainAtOnce(t *testing.T) {
	t.Parallel()
	third := make(chan struct{})
	calls := 0
	p := NewPeriodic("test", time.Hour, func(context.Context) (bool, error) {
		if calls++; calls == 3 {
			close(third)
		}
		return calls < 3, nil
	})
	p.Start(t.Context())
	<-third
	if err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestErrorAndPanicDoNotEndTheLoop(t *testing.T) {
	t.Parallel()
	calls := make(chan int, 3)
	n := 0
	p := NewPeriodic("test", time.Millisecond, func(context.Context) (bool, error) {
		n++
		calls <- n
		switch n {
		case 1:
			return true, errors.New("boom")
		case 2:
			panic("boom")
		}
		return false, nil
	})
	p.Start(t.Context())
	for range 3 {
		<-calls
	}
	if err := p.Stop(t.Context()); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestStopGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	p := NewPeriodic("test", time.Hour, func(ctx context.Context) (bool, error) {
		close(begun)
		<-ctx.Done()
		return false, ctx.Err()
	})
	p.Start(t.Context())
	<-begun
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Stop(ended); !errors.Is(err, context.Canceled) {
		t.Fatalf("Stop = %v", err)
	}
}

type failing struct{ started, stopped *atomic.Int32 }

func (f failing) Start(context.Context) error { f.started.Add(1); return nil }
func (f failing) Stop(context.Context) error  { f.stopped.Add(1); return nil }

type broken struct{}

func (broken) Start(context.Context) error { return errors.New("no") }
func (broken) Stop(context.Context) error  { panic("a loop that never started must not be stopped") }

func TestGroupStopsWhatRanWhenOneFails(t *testing.T) {
	t.Parallel()
	var started, stopped atomic.Int32
	good := failing{&started, &stopped}
	err := Group{good, good, broken{}, good}.Start(t.Context())
	if err == nil || started.Load() != 2 || stopped.Load() != 2 {
		t.Fatalf("err %v, started %d, stopped %d", err, started.Load(), stopped.Load())
	}
}

// What is due again, or woken, while Stop waits is left to another process.
func TestStopTakesUpNothingNew(t *testing.T) {
	t.Parallel()
	for range 20 { // a select that could go either way must not
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			calls := 0
			p := NewPeriodic("test", time.Hour, func(context.Context) (bool, error) {
				calls++
				<-release
				return true, nil
			})
			p.Start(t.Context())
			synctest.Wait()
			go p.Stop(t.Context())
			synctest.Wait()
			p.Wake()
			if !p.Stopping() {
				t.Fatal("Work is not told that it is to stop")
			}
			close(release)
			synctest.Wait()
			if calls != 1 {
				t.Fatalf("Work was called %d times", calls)
			}
		})
	}
}

func TestStopWaitsForJobsThatTheLoopDoesNotWaitFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p *Periodic
		ended := make(chan error, 2)
		p = NewPeriodic("test", time.Hour, func(ctx context.Context) (bool, error) {
			p.Go(func() {
				<-ctx.Done()
				ended <- ctx.Err()
			})
			return false, nil
		})
		p.Start(t.Context())
		synctest.Wait()
		p.Wake()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		err := p.Stop(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || len(ended) != 2 || time.Since(begun) != time.Second {
			t.Fatalf("Stop = %v after %v, %d jobs have ended", err, time.Since(begun), len(ended))
		}
	})
}

package worker

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestPeriodic_Wake(t *testing.T) {
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
	<-started // the first call needs no Wake
	p.Wake()
	p.Wake()
	release <- struct{}{}
	<-started // both calls of Wake cause one call of Work
	stopped := make(chan error)
	go func() { stopped <- p.Stop(t.Context()) }()
	release <- struct{}{}
	if err := <-stopped; err != nil || calls != 2 {
		t.Fatalf("Stop: got %v after %d calls of Work, want 2", err, calls)
	}
}

func TestPeriodic_RepeatsForMore(t *testing.T) {
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

func TestPeriodic_ContinuesAfterErrorAndPanic(t *testing.T) {
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

func TestPeriodic_StopEndsWithItsContext(t *testing.T) {
	t.Parallel()
	started := make(chan struct{})
	p := NewPeriodic("test", time.Hour, func(ctx context.Context) (bool, error) {
		close(started)
		<-ctx.Done()
		return false, ctx.Err()
	})
	p.Start(t.Context())
	<-started
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Stop(canceled); !errors.Is(err, context.Canceled) {
		t.Fatalf("Stop: got %v, want the error of its context", err)
	}
}

// counting is a Loop that counts calls.
type counting struct{ started, stopped *atomic.Int32 }

func (c counting) Start(context.Context) error { c.started.Add(1); return nil }
func (c counting) Stop(context.Context) error  { c.stopped.Add(1); return nil }

// failing is a Loop that does not start.
type failing struct{}

func (failing) Start(context.Context) error { return errors.New("no") }
func (failing) Stop(context.Context) error  { panic("a loop that never started must not be stopped") }

func TestGroup_StopsStartedLoopsOnFailure(t *testing.T) {
	t.Parallel()
	var started, stopped atomic.Int32
	loop := counting{&started, &stopped}
	err := Group{loop, loop, failing{}, loop}.Start(t.Context())
	if err == nil || started.Load() != 2 || stopped.Load() != 2 {
		t.Fatalf("Start: got %v, started %d and stopped %d loops, want an error and 2 of both",
			err, started.Load(), stopped.Load())
	}
}

// Work that becomes due while Stop waits is left to other processes.
func TestPeriodic_StopStartsNothing(t *testing.T) {
	t.Parallel()
	for range 20 { // because select chooses at random
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
				t.Fatal("Stopping: got false during Stop")
			}
			close(release)
			synctest.Wait()
			if calls != 1 {
				t.Fatalf("calls of Work: got %d, want none after Stop", calls)
			}
		})
	}
}

func TestPeriodic_StopWaitsForJobs(t *testing.T) {
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
		begin := time.Now()
		err := p.Stop(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || len(ended) != 2 || time.Since(begin) != time.Second {
			t.Fatalf("Stop: got %v after %v and %d jobs, want a timeout after 1s that cancels both jobs",
				err, time.Since(begin), len(ended))
		}
	})
}

// Package worker runs the background loops of the service. A Group starts and stops several Loops, and a Periodic is a
// Loop that calls a function at intervals. The package does not know what the loops do.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// Loop runs in the background. Start starts it and returns. Stop stops it from starting new work and waits until the
// running work ends. If ctx ends first, Stop cancels the work and returns the error of ctx. Canceled work is requeued
// at once, or claimed again when its lease expires.
type Loop interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
}

// Group starts its loops in order and stops them in parallel.
type Group []Loop

// Start starts all loops. If a loop fails to start, Start stops the loops that it has started.
func (g Group) Start(ctx context.Context) error {
	for i, loop := range g {
		if err := loop.Start(ctx); err != nil {
			return errors.Join(err, g[:i].Stop(ctx))
		}
	}
	return nil
}

// Stop stops all loops in parallel and returns their errors.
func (g Group) Stop(ctx context.Context) error {
	errs := make([]error, len(g))
	var stopping sync.WaitGroup
	for i, loop := range g {
		stopping.Go(func() { errs[i] = loop.Stop(ctx) })
	}
	stopping.Wait()
	return errors.Join(errs...)
}

// Periodic is a Loop that calls Work after each Wake and after each interval.
type Periodic struct {
	Name string
	// Every is the longest time between two calls.
	Every time.Duration
	// Work does the work that is due and reports whether there may be more. If so, it is called again at once. Its
	// context ends when Stop's context ends, not when Stop is called: Work that starts several jobs should check
	// Stopping before each.
	Work func(ctx context.Context) (more bool, err error)

	wake   chan struct{}
	quit   chan struct{}
	done   chan struct{}
	jobs   sync.WaitGroup
	cancel context.CancelFunc
}

// NewPeriodic returns a stopped loop.
func NewPeriodic(name string, every time.Duration, work func(context.Context) (bool, error)) *Periodic {
	return &Periodic{Name: name, Every: every, Work: work, wake: make(chan struct{}, 1)}
}

// Wake makes the loop call Work soon. Several calls of Wake before that have the effect of one.
func (p *Periodic) Wake() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Go runs job in a goroutine, which Stop waits for. Only Work may call it.
func (p *Periodic) Go(job func()) { p.jobs.Go(job) }

// Stopping reports whether Stop was called. Work should then start no more jobs.
func (p *Periodic) Stopping() bool {
	select {
	case <-p.quit:
		return true
	default:
		return false
	}
}

// Once calls Work without the loop, and waits for its jobs.
func (p *Periodic) Once(ctx context.Context) (more bool, err error) {
	defer p.jobs.Wait()
	return p.try(ctx)
}

// Start implements Loop.
func (p *Periodic) Start(ctx context.Context) error {
	ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	p.quit, p.done = make(chan struct{}), make(chan struct{})
	go p.run(ctx)
	return nil
}

// Stop implements Loop.
func (p *Periodic) Stop(ctx context.Context) error {
	close(p.quit)
	select {
	case <-p.done:
		p.cancel()
		return nil
	case <-ctx.Done():
		p.cancel()
		<-p.done
		return ctx.Err()
	}
}

func (p *Periodic) run(ctx context.Context) {
	defer close(p.done)
	defer p.jobs.Wait()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-p.quit:
		case <-p.wake:
		case <-timer.C:
		}
		if p.Stopping() { // select chooses any case that is ready
			return
		}
		if more := p.once(ctx); more {
			p.Wake()
		}
		timer.Reset(p.Every)
	}
}

// once calls Work. It logs an error or panic, after which the loop continues.
func (p *Periodic) once(ctx context.Context) bool {
	more, err := p.try(ctx)
	if err != nil {
		slog.WarnContext(ctx, "worker failed; it will try again", "worker", p.Name, "error", err)
		return false
	}
	return more
}

func (p *Periodic) try(ctx context.Context) (more bool, err error) {
	defer Recover(&err)
	return p.Work(ctx)
}

// Recover turns a panic into an error with the stack. Use it in a defer statement, with the address of the result.
func Recover(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
	}
}

// Package worker starts, stops and drains the service's background parts. It never decides what
// they do.
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

// Loop is a background part. Start returns once it runs. Stop makes it take no new work and waits until running work
// ends. If ctx ends first, Stop cancels the work and returns the error of ctx. Cancelled work is done again: it is
// requeued at once, or claimed again when its lease expires.
type Loop interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
}

// Group starts its loops in order and stops them all at once.
type Group []Loop

// Start starts every loop. If one fails, those already running are stopped.
func (g Group) Start(ctx context.Context) error {
	for i, loop := range g {
		if err := loop.Start(ctx); err != nil {
			return errors.Join(err, g[:i].Stop(ctx))
		}
	}
	return nil
}

// Stop stops all loops side by side and returns their errors.
func (g Group) Stop(ctx context.Context) error {
	errs := make([]error, len(g))
	var stopping sync.WaitGroup
	for i, loop := range g {
		stopping.Go(func() { errs[i] = loop.Stop(ctx) })
	}
	stopping.Wait()
	return errors.Join(errs...)
}

// Periodic is a Loop that calls Work when woken and at least every Every.
type Periodic struct {
	Name string
	// Every is the longest pause between two calls.
	Every time.Duration
	// Work does what is due and reports whether there may be more: then it is called again at
	// once. Its context outlives Stop and ends when Stop's own does: Work that begins many things
	// asks Stopping before each.
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

// Wake has Work called soon, by the running loop. Many calls before then are one.
func (p *Periodic) Wake() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Go runs job beside the loop, which goes on meanwhile; Stop waits for it. Only Work may call it.
func (p *Periodic) Go(job func()) { p.jobs.Go(job) }

// Stopping reports whether Stop has begun: nothing new is to be taken up.
func (p *Periodic) Stopping() bool {
	select {
	case <-p.quit:
		return true
	default:
		return false
	}
}

// Once calls Work and waits for it and its jobs, for whoever wants that done now and not by the loop.
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
		if p.Stopping() { // select picks any of those that are ready
			return
		}
		if more := p.once(ctx); more {
			p.Wake()
		}
		timer.Reset(p.Every)
	}
}

// once calls Work and keeps its error or panic from ending the loop: both are logged, and the next
// call comes at its time.
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

// Recover turns a panic into an error with its stack; defer it with the address of the result.
func Recover(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
	}
}

// Package heartbeat announces this process in the database and releases the leases of dead processes, so that their
// work continues within seconds and not at the end of the leases.
//
// A Heart sets the time of its row of the table processes every half second, on its own connection. With the same beat
// it looks for rows that have not changed. A process is dead if its row was not renewed for goneAfter by the database's
// clock, and did not change during a watchTime in which this Heart reached the database without a break. So a process
// that was stopped for a moment loses nothing, and after an outage of the database every process has watchTime to
// announce itself again.
//
// One process marks the row of the dead process and calls the Release functions. If it fails or dies, another process
// repeats these calls. A marked process that was only slow continues under a new identity (postgres.Process): its
// leases belong to other processes, and its claims are no longer valid.
//
// The package does not depend on the kind of work that is leased.
package heartbeat

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// interval is the time between two beats.
	interval = 500 * time.Millisecond
	// beatTimeout limits one beat. The next one uses another connection.
	beatTimeout = time.Second
	// goneAfter is the silence after which a process is dead. A process that is stopped for 3 s is silent for at most
	// 3.5 s, and the work that a dead process has leased has to be available within 5 s.
	goneAfter = 4200 * time.Millisecond
	// watchTime is how long a row must stay unchanged while this process reaches the database.
	watchTime = 3 * time.Second
	// maxPause is the longest time between two beats that does not count as a break.
	maxPause = interval + beatTimeout
	// releaseTimeout limits one call of a Release.
	releaseTimeout = 10 * time.Second
	// takeoverTime is how long the process that marked a dead one may take to release its leases before other processes
	// help.
	takeoverTime = 3 * time.Second
	// farewellTimeout limits what Stop does after the other loops have stopped.
	farewellTimeout = 2 * time.Second
)

// Release releases everything of one kind that a process has leased.
type Release func(ctx context.Context, process postgres.ProcessID) error

// Heart announces a process. It implements worker.Loop.
type Heart struct {
	db       *postgres.DB // announces the identity and releases leases
	url      string
	releases []Release

	beats     *postgres.DB // one connection, so that a beat never waits for another user of the pool
	last      time.Time    // start of the last beat that succeeded
	watched   map[postgres.ProcessID]watch
	known     bool // the current identity has a row, as far as this process knows
	failing   bool // the last beat failed
	quit      chan struct{}
	done      chan struct{}
	ctx       context.Context // of beats and takeovers, until Stop
	cancel    context.CancelFunc
	takeovers sync.WaitGroup

	mu     sync.Mutex
	taking map[postgres.ProcessID]bool // whose leases are being released
}

// watch records how a Heart has observed another process.
type watch struct {
	seen  time.Time // the time in its row
	since time.Time // since when this Heart has seen that time without a break, by this process's clock
}

var _ worker.Loop = (*Heart)(nil)

// New returns a Heart for the processes on the database at url. It announces the identity of db.
func New(db *postgres.DB, url string, releases ...Release) *Heart {
	return &Heart{
		db: db, url: url, releases: releases,
		watched: map[postgres.ProcessID]watch{}, taking: map[postgres.ProcessID]bool{},
	}
}

// Start implements worker.Loop. It announces the process before it returns, unless the database is not available.
func (h *Heart) Start(ctx context.Context) (err error) {
	h.beats, err = postgres.Open(postgres.Config{URL: h.url, MaxConns: 1, Unprepared: true})
	if err != nil {
		return fmt.Errorf("open the connection of the heartbeat: %w", err)
	}
	h.quit, h.done = make(chan struct{}), make(chan struct{})
	h.ctx, h.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go h.run(h.beat())
	return nil
}

// Stop implements worker.Loop. Call it when nothing leases any more: it releases the leases that are left and removes
// the process's row.
func (h *Heart) Stop(ctx context.Context) error {
	close(h.quit)
	<-h.done
	h.cancel()
	h.takeovers.Wait()
	defer h.beats.Close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewellTimeout)
	defer cancel()
	if err := h.release(ctx, h.db.Process().ID()); err != nil {
		slog.WarnContext(ctx, "the process could not take its leave; another one takes over from it", "error", err)
	}
	return nil
}

// run beats until Stop.
func (h *Heart) run(next time.Duration) {
	defer close(h.done)
	timer := time.NewTimer(next)
	defer timer.Stop()
	for {
		select {
		case <-h.quit:
			return
		case <-timer.C:
		}
		timer.Reset(h.beat())
	}
}

// beat announces the process, takes over from dead processes, and returns the time until the next beat.
func (h *Heart) beat() time.Duration {
	start := time.Now()
	ctx, cancel := context.WithTimeout(h.ctx, beatTimeout)
	defer cancel()
	next, err := h.tryBeat(ctx, start)
	if err != nil && !h.failing {
		slog.WarnContext(ctx, "announcing the process failed; it will try again", "error", err)
	}
	h.failing = err != nil
	return max(next-time.Since(start), 0)
}

// tryBeat makes one beat and returns the time from its start to the next one.
func (h *Heart) tryBeat(ctx context.Context, start time.Time) (next time.Duration, err error) {
	if err := h.announce(ctx, start); err != nil {
		return interval, err
	}
	rows, err := h.others(ctx)
	if err != nil {
		return interval, err
	}
	next = interval
	for _, row := range h.observe(rows, start) {
		if row.left > 0 {
			next = min(next, row.left)
			continue
		}
		if err := h.mark(ctx, row); err != nil {
			return interval, err
		}
	}
	return next, nil
}

// Around returns a loop that runs loops while the process is announced.
func (h *Heart) Around(loops worker.Group) worker.Loop { return announced{h, loops} }

type announced struct {
	heart *Heart
	loops worker.Group
}

// Start implements worker.Loop.
func (a announced) Start(ctx context.Context) error {
	return worker.Group{a.heart, a.loops}.Start(ctx)
}

// Stop implements worker.Loop.
func (a announced) Stop(ctx context.Context) error {
	return errors.Join(a.loops.Stop(ctx), a.heart.Stop(ctx))
}

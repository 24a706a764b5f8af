package webhooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// startRefill gets for a lane what it lacks: its endpoint's address and secrets, due deliveries, or,
// if the endpoint is deleted, their end.
func (e *Engine) startRefill(l *lane) {
	l.refilling = true
	e.refills++
	wakes, limit := l.wakes, 0
	if l.due && !l.resting {
		limit = max(l.appetite(), 0)
	}
	known := l.target
	deleted := l.deleted
	e.flying.Go(func() {
		ctx, cancel := context.WithTimeout(e.sendCtx, databaseTimeout)
		defer cancel()
		var got refill
		var err error
		if deleted {
			got.more, err = e.dropDeleted(ctx, l.key)
		} else {
			got, err = e.fetch(ctx, l.key, known, limit)
		}
		if err != nil {
			e.pause(fmt.Errorf("endpoint %s: %w", l.key.endpoint, err))
		}
		e.refilled(l, got, wakes, err)
	})
}

// refill is what a lane gets.
type refill struct {
	target   *target
	inactive bool // the endpoint is disabled or deleted
	works    []*work
	more     bool // there may be more due
}

// fetch claims up to limit deliveries and loads the endpoint if known is not its newest version.
func (e *Engine) fetch(ctx context.Context, key laneKey, known *target, limit int) (refill, error) {
	got := refill{target: known}
	if limit > 0 {
		lease := e.newLease()
		begun := time.Now()
		works, err := claim(ctx, e.db.Planned(), key, e.clock.Time(), limit, lease)
		if err != nil {
			return got, err
		}
		e.stats.observe(ctx, time.Since(begun))
		if err := loadBodies(ctx, e.db, key.account, works); err != nil {
			e.release(works)
			return got, err
		}
		got.works, got.more = works, len(works) == limit
		e.metrics.claimed(len(works))
	}
	if known != nil && (len(got.works) == 0 || known.version.Equal(got.works[0].version)) {
		return got, nil
	}
	t, err := loadTarget(ctx, e.db, e.cfg.Keys, key, e.clock.Time())
	if errors.Is(err, errUnusable) {
		slog.Error("a webhook endpoint cannot be used", "account", key.account, "endpoint", key.endpoint, "error", err)
		t, err = nil, nil
	}
	got.target = t
	got.inactive = err == nil && t == nil
	return got, err
}

// refilled hands a lane what it got. After an error its claims, if any, wait in the lane.
func (e *Engine) refilled(l *lane, got refill, wakes int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	l.refilling = false
	e.refills--
	l.target = got.target
	l.used = time.Now()
	for _, w := range got.works {
		e.take(l, w)
	}
	if err == nil {
		l.due = got.more || l.wakes != wakes
	}
	if rest := e.tempo.claimed(l, time.Now()); !got.more {
		e.rest(l, rest)
	}
	if unsent := e.strand(l, got.inactive); len(unsent) > 0 {
		e.flying.Go(func() { e.release(unsent) })
	}
	e.settle(l)
	e.serve()
}

// strand empties a lane whose deliveries cannot go on now.
func (e *Engine) strand(l *lane, inactive bool) []*work {
	if inactive {
		l.due = l.deleted
	}
	if inactive || !e.running {
		return e.empty(l)
	}
	return nil
}

// dropBatch bounds one transaction that moves deliveries.
const dropBatch = 500

// dropDeleted ends deliveries of a deleted endpoint.
func (e *Engine) dropDeleted(ctx context.Context, key laneKey) (more bool, err error) {
	dropped, err := dropUnleased(ctx, e.db, key, e.clock.Time(), dropBatch)
	return dropped == dropBatch, err
}

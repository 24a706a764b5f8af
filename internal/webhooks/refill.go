package webhooks

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// startRefill gets for a lane what it lacks: its endpoint's address and secrets, due deliveries, or,
// if the endpoint is deleted, their end.
func (e *Engine) startRefill(l *lane) {
	l.refilling = true
	e.refills++
	wakes, known, deleted := l.wakes, l.target, l.deleted
	request := claimRequest{key: l.key, lease: e.newLease()}
	claiming := l.due && !l.resting
	if claiming {
		request.limit = max(l.appetite(), 0)
		request.dueFrom, request.woken, request.wakeAt, request.cover = l.dueFrom, l.woken, l.wakeAt, l.cover
		l.woken = false
	}
	e.flying.Go(func() {
		ctx, cancel := context.WithTimeout(e.sendCtx, claimTimeout)
		defer cancel()
		var got refill
		var err error
		if deleted {
			got.deleted = true
			got.more, err = e.dropDeleted(ctx, l.key)
		} else {
			got, err = e.fetch(ctx, known, request, claiming)
		}
		e.refilled(l, got, request, wakes, err)
	})
}

// refill is what a lane gets.
type refill struct {
	target   *target
	inactive bool // the endpoint is disabled or deleted
	deleted  bool
	works    []*work
	claimed  bool      // a claim was made
	more     bool      // there may be more due
	last     time.Time // what is left was due no earlier, if something was claimed
	cover    cover     // after the claim
}

// fetch makes a claim if asked for, and loads the endpoint if known is not its newest version.
func (e *Engine) fetch(ctx context.Context, known *target, request claimRequest, claiming bool) (refill, error) {
	got := refill{target: known}
	if claiming {
		state, err := e.claim(ctx, request, &got)
		if err != nil {
			return got, err
		}
		if !state.Active {
			got.target, got.inactive, got.deleted = nil, true, state.Deleted
			return got, nil
		}
		if known != nil && known.version.Equal(state.Version) || known == nil && request.limit == 0 {
			return got, nil
		}
	}
	t, err := loadTarget(ctx, e.db, e.cfg.Keys, request.key, e.clock.Time())
	if errors.Is(err, errUnusable) {
		slog.Error("a webhook endpoint cannot be used",
			"account", request.key.account, "endpoint", request.key.endpoint, "error", err)
	}
	got.target = t
	got.inactive = t == nil && (err == nil || errors.Is(err, errUnusable))
	return got, err
}

// claim adds claimed deliveries with their bodies to got.
func (e *Engine) claim(ctx context.Context, request claimRequest, got *refill) (endpointState, error) {
	begun := time.Now()
	c, err := claim(ctx, e.db.Unprepared(), e.clock, request)
	if err != nil {
		return c.endpointState, err
	}
	e.stats.observe(ctx, time.Since(begun))
	if err := loadBodies(ctx, e.db, request.key.account, c.works); err != nil {
		e.release(c.works)
		return c.endpointState, err
	}
	got.works, got.last, got.cover, got.claimed, got.more = c.works, c.last, c.cover, true, len(c.works) == request.limit
	e.metrics.claimed(len(c.works))
	return c.endpointState, nil
}

// refilled hands a lane what it got. After an error its claims, if any, wait in the lane.
func (e *Engine) refilled(l *lane, got refill, request claimRequest, wakes int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	l.refilling = false
	e.refills--
	l.target = got.target
	l.used = time.Now()
	for _, w := range got.works {
		e.take(l, w)
	}
	if err != nil {
		e.failed(l, request, err)
	} else {
		l.failed = 0
		l.deleted = l.deleted || got.deleted
		e.claimed(l, got, wakes)
	}
	if got.inactive || !e.running {
		e.release(e.empty(l))
	}
	e.settle(l)
	e.serve()
}

// claimed notes what a refill says of deliveries that are still to be claimed.
func (e *Engine) claimed(l *lane, got refill, wakes int) {
	switch {
	case got.deleted:
		l.due = got.inactive || got.more || l.wakes != wakes
	case got.inactive:
		l.due = l.wakes != wakes
	case got.claimed:
		l.cover = got.cover
		if l.due = got.more || l.wakes != wakes; !l.due {
			l.dueFrom = nil
		} else if len(got.works) > 0 && l.wakes == wakes {
			l.dueFrom = &got.last
		}
	}
	if rest := e.tempo.claimed(l, time.Now()); !got.more {
		e.rest(l, rest)
	}
}

// failed keeps a lane whose claim failed from the database for a while. The others go on.
func (e *Engine) failed(l *lane, request claimRequest, err error) {
	slog.Warn("webhook deliveries cannot be claimed", "account", l.key.account, "endpoint", l.key.endpoint, "error", err)
	if request.woken {
		l.foundDue(foundEndpoint{woken: true, wakeAt: request.wakeAt, dueFrom: *request.dueFrom})
	}
	pause := min(pauseMin<<min(l.failed, 10), pauseMax)
	l.failed++
	l.failing = true
	time.AfterFunc(pause, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		l.failing = false
		e.settle(l)
		e.serve()
	})
}

// dropBatch bounds one transaction that moves deliveries.
const dropBatch = 500

// dropDeleted ends deliveries of a deleted endpoint.
func (e *Engine) dropDeleted(ctx context.Context, key laneKey) (more bool, err error) {
	dropped, err := dropUnleased(ctx, e.db, drop{key: key, message: ErrorEndpointDeleted}, e.clock.Time())
	return dropped == dropBatch, err
}

package webhooks

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// startRefill gets for a lane what it lacks: its endpoint's address and secrets, due deliveries, or,
// if the endpoint is deleted, their end.
func (e *Engine) startFetch(q *endpointQueue) {
	q.fetching = true
	e.fetches++
	wakes, known, deleted := q.wakeups, q.target, q.deleted
	request := claimRequest{key: q.key, lease: e.newLease()}
	claiming := q.due && !q.throttled
	if claiming {
		request.limit = max(q.claimLimit(), 0)
		request.dueFrom, request.woken, request.wakeAt, request.cover = q.dueFrom, q.woken, q.wakeAt, q.cover
		q.woken = false
	}
	e.tasks.Go(func() {
		ctx, cancel := context.WithTimeout(e.sendCtx, claimTimeout)
		defer cancel()
		var got fetchResult
		var err error
		if deleted {
			got.deleted = true
			got.more, err = e.dropDeleted(ctx, q.key)
		} else {
			got, err = e.fetch(ctx, known, request, claiming)
		}
		e.onFetched(q, got, request, wakes, err)
	})
}

// refill is what a lane gets.
type fetchResult struct {
	target   *target
	inactive bool // the endpoint is disabled or deleted
	deleted  bool
	jobs     []*job
	claimed  bool      // a claim was made
	more     bool      // there may be more due
	last     time.Time // what is left was due no earlier, if something was claimed
	cover    cover     // after the claim
}

// fetch makes a claim if asked for, and loads the endpoint if known is not its newest version.
func (e *Engine) fetch(ctx context.Context, known *target, request claimRequest, claiming bool) (fetchResult, error) {
	result := fetchResult{target: known}
	if claiming {
		state, err := e.claim(ctx, request, &result)
		if err != nil {
			return result, err
		}
		if !state.Active {
			result.target, result.inactive, result.deleted = nil, true, state.Deleted
			return result, nil
		}
		if known != nil && known.version.Equal(state.Version) || known == nil && request.limit == 0 {
			return result, nil
		}
	}
	t, err := loadTarget(ctx, e.db, e.cfg.Keys, request.key, e.clock.Time())
	if errors.Is(err, errUndecryptable) {
		slog.Error("a webhook endpoint cannot be used",
			"account", request.key.account, "endpoint", request.key.endpoint, "error", err)
	}
	result.target = t
	result.inactive = t == nil && (err == nil || errors.Is(err, errUndecryptable))
	return result, err
}

// claim adds claimed deliveries with their bodies to got.
func (e *Engine) claim(ctx context.Context, request claimRequest, result *fetchResult) (endpointState, error) {
	begun := time.Now()
	c, err := claim(ctx, e.db.Unprepared(), e.clock, request)
	if err != nil {
		return c.endpointState, err
	}
	e.planner.observe(ctx, time.Since(begun))
	if err := loadBodies(ctx, e.db, request.key.account, c.jobs); err != nil {
		e.release(c.jobs)
		return c.endpointState, err
	}
	result.jobs, result.last, result.cover, result.claimed, result.more = c.jobs, c.last, c.cover, true, len(c.jobs) == request.limit
	e.metrics.claimed(len(c.jobs))
	return c.endpointState, nil
}

// refilled hands a lane what it got. After an error its claims, if any, wait in the lane.
func (e *Engine) onFetched(q *endpointQueue, got fetchResult, request claimRequest, wakes int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	q.fetching = false
	e.fetches--
	q.target = got.target
	q.lastUsed = time.Now()
	for _, j := range got.jobs {
		e.enqueue(q, j)
	}
	if err != nil {
		e.pauseClaims(q, request, err)
	} else {
		q.claimFailures = 0
		q.deleted = q.deleted || got.deleted
		e.updateDue(q, got, wakes)
	}
	if got.inactive || !e.running {
		e.release(e.drain(q))
	}
	e.schedule(q)
	e.dispatch()
}

// claimed notes what a refill says of deliveries that are still to be claimed.
func (e *Engine) updateDue(q *endpointQueue, got fetchResult, wakes int) {
	switch {
	case got.deleted:
		q.due = got.inactive || got.more || q.wakeups != wakes
	case got.inactive:
		q.due = q.wakeups != wakes
	case got.claimed:
		q.cover = got.cover
		if q.due = got.more || q.wakeups != wakes; !q.due {
			q.dueFrom = nil
		} else if len(got.jobs) > 0 && q.wakeups == wakes {
			q.dueFrom = &got.last
		}
	}
	if rest := e.throttle.recordClaim(q, time.Now()); !got.more {
		e.throttleClaims(q, rest)
	}
}

// failed keeps a lane whose claim failed from the database for a while. The others go on.
func (e *Engine) pauseClaims(q *endpointQueue, request claimRequest, err error) {
	slog.Warn("webhook deliveries cannot be claimed", "account", q.key.account, "endpoint", q.key.endpoint, "error", err)
	if request.woken {
		q.markDue(dueEndpoint{woken: true, wakeAt: request.wakeAt, dueFrom: *request.dueFrom})
	}
	pause := min(minRetryPause<<min(q.claimFailures, 10), maxRetryPause)
	q.claimFailures++
	q.claimPaused = true
	time.AfterFunc(pause, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		q.claimPaused = false
		e.schedule(q)
		e.dispatch()
	})
}

// dropBatch bounds one transaction that moves deliveries.
const dropBatch = 500

// dropDeleted ends deliveries of a deleted endpoint.
func (e *Engine) dropDeleted(ctx context.Context, key endpointKey) (more bool, err error) {
	dropped, err := dropUnleased(ctx, e.db, dropRequest{key: key, message: ErrorEndpointDeleted}, e.clock.Time())
	return dropped == dropBatch, err
}

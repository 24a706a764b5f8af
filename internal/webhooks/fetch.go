package webhooks

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// startFetch loads in the background what the queue needs: the endpoint's target and due deliveries. If the endpoint
// was deleted, it drops deliveries instead.
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

// fetchResult is the result of a fetch.
type fetchResult struct {
	target   *target
	inactive bool // the endpoint is disabled or deleted
	deleted  bool
	jobs     []*job
	claimed  bool      // a claim was made
	more     bool      // there may be more due deliveries
	last     time.Time // latest due time of the claimed deliveries; the remaining ones are not due earlier
	cover    cover     // after the claim
}

// fetch claims deliveries if claiming is set, and loads the target if known is not the current version.
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
		slog.Error("cannot decrypt webhook endpoint secret",
			"account", request.key.account, "endpoint", request.key.endpoint, "error", err)
	}
	result.target = t
	result.inactive = t == nil && (err == nil || errors.Is(err, errUndecryptable))
	return result, err
}

// claim claims deliveries, loads their bodies and adds them to result.
func (e *Engine) claim(ctx context.Context, request claimRequest, result *fetchResult) (endpointState, error) {
	start := time.Now()
	c, err := claim(ctx, e.db.Unprepared(), e.clock, request)
	if err != nil {
		return c.endpointState, err
	}
	e.planner.observe(ctx, time.Since(start))
	if err := loadBodies(ctx, e.db, request.key.account, c.jobs); err != nil {
		e.release(c.jobs)
		return c.endpointState, err
	}
	result.jobs, result.last, result.cover, result.claimed, result.more = c.jobs, c.last, c.cover, true,
		len(c.jobs) == request.limit
	e.metrics.claimed(len(c.jobs))
	return c.endpointState, nil
}

// onFetched adds the result of a fetch to the queue. The queue keeps deliveries that were claimed before an error.
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

// updateDue records what a fetch found out about deliveries that are still to be claimed.
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
	if pause := e.throttle.recordClaim(q, time.Now()); !got.more {
		e.throttleClaims(q, pause)
	}
}

// pauseClaims stops the queue's database access for a while after an error. Other queues are not affected.
func (e *Engine) pauseClaims(q *endpointQueue, request claimRequest, err error) {
	slog.Warn("fetching webhook deliveries failed", "account", q.key.account, "endpoint", q.key.endpoint, "error", err)
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

// dropBatch limits the deliveries that one transaction moves.
const dropBatch = 500

// dropDeleted drops a batch of deliveries of a deleted endpoint.
func (e *Engine) dropDeleted(ctx context.Context, key endpointKey) (more bool, err error) {
	dropped, err := dropUnleased(ctx, e.db, dropRequest{key: key, message: ErrorEndpointDeleted}, e.clock.Time())
	return dropped == dropBatch, err
}

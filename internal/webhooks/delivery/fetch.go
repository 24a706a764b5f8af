package delivery

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// runFetch loads the target and the deliveries of a queue and passes them to the scheduler.
func (e *Engine) runFetch(f fetchAction) {
	ctx, cancel := context.WithTimeout(e.sendCtx, claimTimeout)
	defer cancel()
	got, err := e.fetch(ctx, f)
	if err != nil {
		slog.Warn("fetching webhook deliveries failed",
			"account", f.request.key.Account, "endpoint", f.request.key.Endpoint, "error", err)
	}
	e.update(func(s *scheduler, now time.Time) { s.onFetched(f, got, err != nil, now) })
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
	// unconfirmed are claims without an answer whose leases are not released yet.
	unconfirmed []int64
}

// fetch releases the leases of unconfirmed claims and then loads the queue's target and deliveries.
func (e *Engine) fetch(ctx context.Context, f fetchAction) (got fetchResult, err error) {
	key := f.request.key
	if err := e.releaseClaims(ctx, key, f.unconfirmed); err != nil {
		return fetchResult{target: f.known, unconfirmed: f.unconfirmed}, err
	}
	if f.deleted {
		got.deleted = true
		got.more, err = e.dropDeleted(ctx, key)
		return got, err
	}
	return e.fetchLive(ctx, f.known, f.request, f.claiming)
}

// fetchLive claims deliveries if claiming is set, and loads the target if cached is not the current version.
func (e *Engine) fetchLive(
	ctx context.Context, cached *target, request claimRequest, claiming bool,
) (fetchResult, error) {
	result := fetchResult{target: cached}
	if claiming {
		state, err := e.claim(ctx, request, &result)
		if err != nil {
			return result, err
		}
		if !state.Active {
			result.target, result.inactive, result.deleted = nil, true, state.Deleted
			return result, nil
		}
		if cached != nil && cached.version.Equal(state.Version) || cached == nil && request.limit == 0 {
			return result, nil
		}
	}
	t, err := loadTarget(ctx, e.db, e.cfg.Keys, request.key, e.clock.Time())
	if errors.Is(err, webhooks.ErrUndecryptable) {
		slog.Error("cannot decrypt webhook endpoint secret",
			"account", request.key.Account, "endpoint", request.key.Endpoint, "error", err)
	}
	result.target = t
	result.inactive = t == nil && (err == nil || errors.Is(err, webhooks.ErrUndecryptable))
	return result, err
}

// claim claims deliveries, loads their bodies and adds them to result.
func (e *Engine) claim(ctx context.Context, request claimRequest, result *fetchResult) (endpointState, error) {
	start := time.Now()
	c, err := claim(ctx, e.db.Unprepared(), e.clock, request)
	if err != nil {
		result.unconfirmed = []int64{request.lease.id}
		return c.endpointState, err
	}
	e.planner.observe(ctx, time.Since(start))
	if err := loadBodies(ctx, e.db, request.key.Account, c.jobs); err != nil {
		e.release(c.jobs)
		return c.endpointState, err
	}
	result.jobs, result.last, result.cover, result.claimed, result.more = c.jobs, c.last, c.cover, true,
		len(c.jobs) == request.limit
	e.metrics.claimed(len(c.jobs))
	return c.endpointState, nil
}

// dropBatch limits the deliveries that one transaction moves.
const dropBatch = 500

// dropDeleted drops a batch of deliveries of a deleted endpoint.
func (e *Engine) dropDeleted(ctx context.Context, key webhooks.EndpointKey) (more bool, err error) {
	count, err := dropUnleased(ctx, e.db, dropRequest{key: key, message: ErrorEndpointDeleted}, e.clock.Time())
	return count == dropBatch, err
}

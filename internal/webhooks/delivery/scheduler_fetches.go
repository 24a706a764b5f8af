package delivery

import (
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// wake marks the endpoints as having due deliveries.
func (s *scheduler) wake(keys []webhooks.EndpointKey, now time.Time) {
	for _, key := range keys {
		q := s.queue(key, now)
		q.due = true
		q.wakeups++
		s.schedule(q, now)
	}
	s.dispatch(now)
}

// startFetch starts to load the queue's data: the endpoint's target and due deliveries. If the endpoint was deleted,
// the fetch drops deliveries instead.
func (s *scheduler) startFetch(q *endpointQueue, now time.Time) {
	s.lines.started(q)
	f := fetchAction{
		queue: q, request: claimRequest{key: q.key}, known: q.target, deleted: q.deleted, wakeups: q.wakeups,
		claiming: q.canClaim(now), unconfirmed: q.unconfirmed,
	}
	q.unconfirmed = nil
	if f.claiming {
		f.request.limit = max(q.claimLimit(), 0)
		f.request.dueFrom, f.request.woken, f.request.wakeAt, f.request.cover = q.dueFrom, q.woken, q.wakeAt, q.cover
		q.woken = false
	}
	s.actions.fetches = append(s.actions.fetches, f)
}

// onFetched adds the result of a fetch to the queue. The queue keeps deliveries that were claimed before an error.
func (s *scheduler) onFetched(f fetchAction, got fetchResult, failed bool, now time.Time) {
	q := f.queue
	s.lines.finished(q)
	q.target = got.target
	q.lastUsed = now
	q.doubt(got.unconfirmed...)
	for _, j := range got.jobs {
		s.enqueue(q, j, now)
	}
	if failed {
		s.backOff(q, f.request, now)
	} else {
		q.fetchFailures = 0
		q.deleted = q.deleted || got.deleted
		s.updateDue(q, got, f.wakeups, now)
	}
	if got.inactive || !s.running {
		s.release(s.drain(q))
	}
	s.schedule(q, now)
	s.dispatch(now)
}

// updateDue records the fetch's information about deliveries that are still to be claimed.
func (s *scheduler) updateDue(q *endpointQueue, got fetchResult, wakeups int, now time.Time) {
	switch {
	case got.deleted:
		q.due = got.inactive || got.more || q.wakeups != wakeups
	case got.inactive:
		q.due = q.wakeups != wakeups
	case got.claimed:
		q.cover = got.cover
		if q.due = got.more || q.wakeups != wakeups; !q.due {
			q.dueFrom = nil
		} else if len(got.jobs) > 0 && q.wakeups == wakeups {
			q.dueFrom = &got.last
		}
	}
	if delay := s.claimThrottle.recordClaim(q, now); delay > 0 && !got.more {
		q.claimsThrottledUntil = now.Add(delay)
		s.actions.resumes = append(s.actions.resumes, resumeAction{q, delay})
	}
}

// backOff stops the queue's database access for a while after an error. Other queues are not affected.
func (s *scheduler) backOff(q *endpointQueue, request claimRequest, now time.Time) {
	if request.woken {
		q.markDue(dueEndpoint{woken: true, wakeAt: request.wakeAt, dueFrom: *request.dueFrom})
	}
	delay := min(minBackoff<<min(q.fetchFailures, 10), maxBackoff)
	q.fetchFailures++
	q.backoffUntil = now.Add(delay)
	s.actions.resumes = append(s.actions.resumes, resumeAction{q, delay})
}

// resume lets a queue claim again after a delay.
func (s *scheduler) resume(q *endpointQueue, now time.Time) {
	s.schedule(q, now)
	s.dispatch(now)
}

// buffered returns the endpoints with queued deliveries.
func (s *scheduler) buffered() (keys []webhooks.EndpointKey) {
	for key, q := range s.queues {
		if len(q.jobs) > 0 {
			keys = append(keys, key)
		}
	}
	return keys
}

// onPoll updates the queues with the endpoints that a poll found, and with the states of the endpoints in buffer.
func (s *scheduler) onPoll(endpoints []dueEndpoint, buffer []webhooks.EndpointKey,
	states map[webhooks.EndpointKey]endpointState,
	now time.Time) {
	for _, key := range buffer {
		s.applyEndpointState(s.queue(key, now), states[key], now)
	}
	for _, one := range endpoints {
		q := s.queue(one.key, now)
		q.markDue(one)
		s.schedule(q, now)
	}
	s.removeIdleQueues(now)
	s.dispatch(now)
}

// applyEndpointState updates the queue with the endpoint's state. If the endpoint is disabled or deleted, the queued
// deliveries are released.
func (s *scheduler) applyEndpointState(q *endpointQueue, state endpointState, now time.Time) {
	q.deleted = state.Deleted
	if q.target != nil && !q.target.version.Equal(state.Version) {
		q.target = nil
	}
	if !state.Active {
		s.release(s.drain(q))
		q.due = state.Deleted
	}
	s.schedule(q, now)
}

// dueQueues returns the number of queues with due deliveries, and how long the oldest of these has been due at
// databaseNow, by the database's clock.
func (s *scheduler) dueQueues(databaseNow time.Time) (n int, oldest time.Duration) {
	for _, q := range s.queues {
		if !q.due {
			continue
		}
		n++
		if q.dueFrom != nil && !q.dueFrom.IsZero() {
			oldest = max(oldest, databaseNow.Sub(*q.dueFrom))
		}
	}
	return n, oldest
}

package delivery

import (
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// scheduler decides which attempts and fetches start. It holds the engine's state in memory: the queues of endpoints
// with their windows, the leased deliveries, the attempts in flight and the claim throttle.
//
// The scheduler has no side effects. Its methods take the time and collect in actions what the engine has to do. It
// is not safe for concurrent use: the engine guards it with a mutex.
type scheduler struct {
	inFlightLimit    int // Config.InFlight
	perEndpointLimit int // Config.InFlightPerEndpoint

	running        bool
	queues         map[webhooks.EndpointKey]*endpointQueue
	ready          []*endpointQueue // queues that wait for a slot, in round-robin order
	waitingToClaim []*endpointQueue // queues that wait for a fetch, in round-robin order
	fetches        int              // number of running fetches
	leased         map[string]*job  // leased deliveries by id, until their result is stored
	saturated      map[string]int   // number of saturated queues by account
	claimThrottle  claimThrottle
	inFlight       int
	retrying       int // part of inFlight: attempts that are not first attempts

	actions actions
}

// actions is what the engine has to do after a change of the scheduler.
type actions struct {
	attempts []attemptAction
	fetches  []fetchAction
	releases []*job // leases to release
	resumes  []resumeAction
}

// attemptAction starts an attempt. Its result goes to onResult.
type attemptAction struct {
	queue  *endpointQueue
	target *target
	job    *job
}

// fetchAction starts a fetch. Its result goes to onFetched.
type fetchAction struct {
	queue    *endpointQueue
	request  claimRequest // without a lease
	claiming bool         // make the claim
	known    *target      // nil if the target must be loaded
	deleted  bool         // drop deliveries of the deleted endpoint instead
	wakeups  int          // endpointQueue.wakeups at the start
}

// resumeAction calls resume for the queue after a delay.
type resumeAction struct {
	queue *endpointQueue
	after time.Duration
}

func newScheduler(inFlightLimit, perEndpointLimit int) *scheduler {
	return &scheduler{
		inFlightLimit: inFlightLimit, perEndpointLimit: perEndpointLimit,
		queues: map[webhooks.EndpointKey]*endpointQueue{}, leased: map[string]*job{}, saturated: map[string]int{},
	}
}

// takeActions returns the collected actions and clears them.
func (s *scheduler) takeActions() actions {
	taken := s.actions
	s.actions = actions{}
	return taken
}

// canReserve reports whether deliveries of the account that are about to be committed could be sent soon.
func (s *scheduler) canReserve(account string) bool {
	return s.running && s.saturated[account] == 0 && !s.leasedMax()
}

// leasedMax reports whether the scheduler holds as many leased deliveries as it may.
func (s *scheduler) leasedMax() bool { return len(s.leased) >= leasedFactor*s.inFlightLimit }

// accept enqueues committed deliveries that were reserved.
func (s *scheduler) accept(jobs []*job, now time.Time) {
	if !s.running { // stopped after canReserve
		s.release(jobs)
		return
	}
	for _, j := range jobs {
		s.enqueue(s.queue(j.key, now), j, now)
	}
	s.dispatch(now)
}

// enqueue adds a leased delivery to its endpoint's queue.
func (s *scheduler) enqueue(q *endpointQueue, j *job, now time.Time) {
	if held := s.leased[j.id]; held != nil {
		held.renew(j)
		return
	}
	s.leased[j.id] = j
	q.jobs = append(q.jobs, j)
	q.lastUsed = now
	if q.target != nil && q.target.version.Before(j.version) {
		q.target = nil
	}
	if q.isFull() && !q.saturated {
		q.saturated = true
		s.saturated[q.key.Account]++
	}
	s.schedule(q, now)
}

// renew replaces the lease of a delivery that this engine already holds. This happens when the old lease expired before
// the attempt finished, or when the attempt's result was just stored and the next attempt is due.
func (j *job) renew(claimed *job) {
	if j.storing {
		j.nextClaim = claimed
		return
	}
	j.claimID, j.sendBy = claimed.claimID, claimed.sendBy
}

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

// queue returns the endpoint's queue and creates it if necessary.
func (s *scheduler) queue(key webhooks.EndpointKey, now time.Time) *endpointQueue {
	q := s.queues[key]
	if q == nil {
		q = &endpointQueue{key: key, window: min(initialWindow, s.perEndpointLimit), lastUsed: now}
		s.queues[key] = q
	}
	return q
}

func (s *scheduler) removeIdleQueues(now time.Time) {
	for key, q := range s.queues {
		if q.isIdle(now) && now.Sub(q.lastUsed) > queueIdleTimeout {
			delete(s.queues, key)
		}
	}
}

// schedule puts the queue in line for what it needs: a fetch from the database, a free slot, or both.
func (s *scheduler) schedule(q *endpointQueue, now time.Time) {
	if q.needsClaim(now) && !q.waitingToClaim && !q.fetching {
		q.waitingToClaim = true
		s.waitingToClaim = append(s.waitingToClaim, q)
	}
	if q.sendable() && !q.ready {
		q.ready = true
		s.ready = append(s.ready, q)
	}
}

// dispatch starts all attempts and fetches that can start now, in round-robin order.
func (s *scheduler) dispatch(now time.Time) {
	if !s.running {
		return
	}
	for progress := true; progress; {
		progress = false
		for range len(s.ready) {
			if s.inFlight >= s.inFlightLimit {
				break
			}
			q := s.ready[0]
			s.ready = s.ready[1:]
			progress = s.dispatchQueue(q, now) || progress
		}
	}
	for s.fetches < maxFetches && len(s.waitingToClaim) > 0 && !s.leasedMax() {
		q := s.waitingToClaim[0]
		s.waitingToClaim = s.waitingToClaim[1:]
		q.waitingToClaim = false
		if q.needsClaim(now) {
			s.startFetch(q, now)
		}
	}
}

// dispatchQueue starts the queue's next attempt if it can start, and puts the queue back in line if it has more to
// send.
func (s *scheduler) dispatchQueue(q *endpointQueue, now time.Time) (started bool) {
	q.ready = false
	for len(q.jobs) > 0 && now.After(q.jobs[0].sendBy) {
		delete(s.leased, s.dequeue(q).id) // too late to send; it is claimed again when its lease expires
	}
	if q.sendable() && s.canStart(q, q.jobs[0]) {
		s.startAttempt(q, s.dequeue(q))
		started = true
	}
	s.schedule(q, now)
	return started
}

// canStart reports whether the queue may start another attempt. A quarter of all slots is reserved for endpoints
// without an attempt in flight, and at most half are used for retries. So neither slow endpoints nor a large number of
// retries block the others.
func (s *scheduler) canStart(q *endpointQueue, j *job) bool {
	if q.inFlight > 0 && s.inFlight >= max(s.inFlightLimit*3/4, 1) {
		return false
	}
	return j.attempts == 0 || s.retrying < max(s.inFlightLimit/2, 1)
}

func (s *scheduler) dequeue(q *endpointQueue) *job {
	j := q.jobs[0]
	q.jobs[0] = nil
	q.jobs = q.jobs[1:]
	if q.saturated && len(q.jobs) <= q.window {
		s.clearSaturated(q)
	}
	return j
}

func (s *scheduler) clearSaturated(q *endpointQueue) {
	q.saturated = false
	if s.saturated[q.key.Account]--; s.saturated[q.key.Account] == 0 {
		delete(s.saturated, q.key.Account)
	}
}

func (s *scheduler) startAttempt(q *endpointQueue, j *job) {
	q.inFlight++
	s.inFlight++
	if j.attempts > 0 {
		s.retrying++
	}
	s.actions.attempts = append(s.actions.attempts, attemptAction{q, q.target, j})
}

// onResult frees the slot of a finished attempt and adjusts the endpoint's window.
func (s *scheduler) onResult(q *endpointQueue, j *job, class string, now time.Time) {
	q.inFlight--
	s.inFlight--
	if j.attempts > 0 {
		s.retrying--
	}
	q.window = nextWindow(q.window, s.perEndpointLimit, class)
	q.lastUsed = now
	if class == classSuccess {
		s.claimThrottle.recordDelivery(now)
	}
	s.schedule(q, now)
	s.dispatch(now)
}

// startFetch starts to load what the queue needs: the endpoint's target and due deliveries. If the endpoint was
// deleted, the fetch drops deliveries instead.
func (s *scheduler) startFetch(q *endpointQueue, now time.Time) {
	q.fetching = true
	s.fetches++
	f := fetchAction{
		queue: q, request: claimRequest{key: q.key}, known: q.target, deleted: q.deleted, wakeups: q.wakeups,
		claiming: q.due && !q.claimsThrottled(now),
	}
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
	q.fetching = false
	s.fetches--
	q.target = got.target
	q.lastUsed = now
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

// updateDue records what a fetch found out about deliveries that are still to be claimed.
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

// drain removes and returns the queue's deliveries that are not in flight.
func (s *scheduler) drain(q *endpointQueue) (unsent []*job) {
	unsent, q.jobs = q.jobs, nil
	for _, j := range unsent {
		delete(s.leased, j.id)
	}
	if q.saturated {
		s.clearSaturated(q)
	}
	return unsent
}

// release releases leases, so that other engines can claim the deliveries at once. Best effort: leases that are not
// released simply expire.
func (s *scheduler) release(unsent []*job) {
	s.actions.releases = append(s.actions.releases, unsent...)
}

// stop starts nothing more and releases all deliveries that are not in flight.
func (s *scheduler) stop() {
	s.running = false
	for _, q := range s.queues {
		s.release(s.drain(q))
	}
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

// onPoll updates the queues with the endpoints that a poll found, and with the states of the endpoints in buffered.
func (s *scheduler) onPoll(found []dueEndpoint, buffered []webhooks.EndpointKey,
	states map[webhooks.EndpointKey]endpointState,
	now time.Time) {
	for _, key := range buffered {
		s.applyEndpointState(s.queue(key, now), states[key], now)
	}
	for _, one := range found {
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

// beginStore marks the results as being stored and returns the claims under which their deliveries are leased now.
func (s *scheduler) beginStore(batch []result) []int64 {
	claims := make([]int64, len(batch))
	for i, r := range batch {
		claims[i] = r.job.claimID
		r.job.storing = true
	}
	return claims
}

// onStoreFailed keeps the deliveries leased, under a new claim if one was made.
func (s *scheduler) onStoreFailed(batch []result) {
	for _, r := range batch {
		r.job.storing = false
		if next := r.job.nextClaim; next != nil {
			r.job.nextClaim = nil
			r.job.renew(next)
		}
	}
}

// onStored removes the stored deliveries from the leased ones, and returns the time until the first of them may be due
// again, at most limit.
func (s *scheduler) onStored(batch []result, limit time.Duration, now time.Time) (nextDue time.Duration) {
	nextDue = limit
	for _, r := range batch {
		if s.leased[r.job.id] == r.job {
			delete(s.leased, r.job.id)
		}
		if next := r.job.nextClaim; next != nil {
			s.enqueue(s.queue(next.key, now), next, now)
		}
		switch r.outcome {
		case outcomeRetried:
			nextDue = min(nextDue, r.retryAt.Sub(now))
		case outcomeReleased:
			nextDue = 0
		}
	}
	s.dispatch(now)
	return nextDue
}

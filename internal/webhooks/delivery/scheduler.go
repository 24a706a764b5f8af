package delivery

import (
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// scheduler decides which attempts and fetches start. It holds the engine's state in memory: the queues of endpoints
// with their windows, the leased deliveries, the attempts in flight and the claim throttle.
//
// The scheduler has no side effects. Its methods take the time and collect in actions what the engine has to do. It
// is not safe for concurrent use: the engine guards it with a mutex.
//
// This file starts attempts. scheduler_fetches.go starts fetches and records which endpoints have due deliveries;
// scheduler_leases.go queues leased deliveries until their result is stored.
type scheduler struct {
	inFlightLimit    int // Config.InFlight
	perEndpointLimit int // Config.InFlightPerEndpoint

	process   postgres.ProcessID // the identity of this process; claims of a previous one are lost
	uncertain bool               // another process may take this one for dead, so nothing is sent

	running       bool
	queues        map[webhooks.EndpointKey]*endpointQueue
	ready         []*endpointQueue // queues that wait for a slot, in round-robin order
	lines         fetchLines       // queues that wait for a fetch
	leased        map[string]*job  // leased deliveries by id, until their result is stored
	saturated     map[string]int   // number of saturated queues by account
	claimThrottle claimThrottle
	inFlight      int
	retrying      int // part of inFlight: attempts that are not first attempts

	actions actions
}

// actions are the engine's tasks after a change of the scheduler.
type actions struct {
	attempts []attemptAction
	fetches  []fetchAction
	releases []*job   // leases to release
	unstored []result // results to store again
	resumes  []resumeAction
}

// reset removes the actions and keeps their memory, because nearly every change of the scheduler causes some.
func (a *actions) reset() {
	clear(a.attempts)
	clear(a.fetches)
	clear(a.releases)
	clear(a.unstored)
	clear(a.resumes)
	*a = actions{a.attempts[:0], a.fetches[:0], a.releases[:0], a.unstored[:0], a.resumes[:0]}
}

// attemptAction starts an attempt. Its result goes to onResult.
type attemptAction struct {
	queue  *endpointQueue
	target *target
	job    *job
}

// fetchAction starts a fetch. Its result goes to onFetched.
type fetchAction struct {
	queue       *endpointQueue
	request     claimRequest // without a lease
	claiming    bool         // make the claim
	known       *target      // nil if the target must be loaded
	deleted     bool         // drop deliveries of the deleted endpoint instead
	wakeups     int          // endpointQueue.wakeups at the start
	unconfirmed []int64      // claims whose leases are released first
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

// schedule queues an endpoint queue for a fetch from the database, a free slot, or both.
func (s *scheduler) schedule(q *endpointQueue, now time.Time) {
	if q.needsFetch(now) && q.fetchesIn == noLine {
		s.lines.add(q)
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
	s.startFetches(now)
}

// dispatchQueue starts the queue's next attempt if it can start, and puts the queue back in line if it has more to
// send.
func (s *scheduler) dispatchQueue(q *endpointQueue, now time.Time) (started bool) {
	q.ready = false
	for len(q.jobs) > 0 && s.isLate(q.jobs[0], now) {
		s.giveUp(s.dequeue(q))
	}
	if q.sendable() && s.canStart(q, q.jobs[0]) {
		s.startAttempt(q, s.dequeue(q))
		started = true
	}
	s.schedule(q, now)
	return started
}

// isLate reports whether a delivery must not be sent any more: its lease ends soon, or another process has released it.
func (s *scheduler) isLate(j *job, now time.Time) bool {
	return now.After(j.sendBy) || postgres.ProcessOf(j.claimID) != s.process
}

// canStart reports whether the queue may start another attempt. A quarter of all slots is reserved for endpoints
// without an attempt in flight, and at most half are used for retries. So neither slow endpoints nor a large number of
// retries block the others.
func (s *scheduler) canStart(q *endpointQueue, j *job) bool {
	if s.uncertain || q.inFlight > 0 && s.inFlight >= max(s.inFlightLimit*3/4, 1) {
		return false
	}
	return j.attempts == 0 || s.retrying < max(s.inFlightLimit/2, 1)
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
	q.responding = class == classSuccess || class == classStatus
	q.lastUsed = now
	if class == classSuccess {
		s.claimThrottle.recordDelivery(now)
	}
	s.schedule(q, now)
	s.dispatch(now)
}

// stop starts nothing more and releases all deliveries that are not in flight.
func (s *scheduler) stop() {
	s.running = false
	for _, q := range s.queues {
		s.release(s.drain(q))
	}
}

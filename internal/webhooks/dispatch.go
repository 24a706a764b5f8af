package webhooks

import "time"

// reserve returns a lease for deliveries that are about to be committed. It returns the zero lease if this engine
// could not send them soon.
func (e *Engine) reserve(account string) lease {
	if e == nil {
		return lease{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.running || e.saturated[account] > 0 || len(e.leased) >= leasedFactor*e.cfg.InFlight {
		return lease{}
	}
	return e.newLease()
}

// accept enqueues committed deliveries that have a lease from reserve.
func (e *Engine) accept(jobs []*job) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.running {
		// The engine was stopped after reserve.
		e.release(jobs)
		return
	}
	for _, j := range jobs {
		e.enqueue(e.endpointQueue(j.key), j)
	}
	e.dispatch()
}

// enqueue adds a leased delivery to its endpoint's queue.
func (e *Engine) enqueue(q *endpointQueue, j *job) {
	if held := e.leased[j.id]; held != nil {
		held.renew(j)
		return
	}
	e.leased[j.id] = j
	q.jobs = append(q.jobs, j)
	q.lastUsed = time.Now()
	if q.target != nil && q.target.version.Before(j.version) {
		q.target = nil
	}
	if q.isFull() && !q.saturated {
		q.saturated = true
		e.saturated[q.key.account]++
	}
	e.schedule(q)
}

// renew replaces the lease of a delivery that this engine already holds. This happens when the old lease expired
// before the attempt finished, or when the attempt's result was just stored and the next attempt is due.
func (j *job) renew(claimed *job) {
	if j.storing {
		j.nextClaim = claimed
		return
	}
	j.claimID, j.sendBy = claimed.claimID, claimed.sendBy
}

// wakeEndpoints marks the endpoints as having due deliveries.
func (e *Engine) wakeEndpoints(endpoints []endpointKey) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, key := range endpoints {
		q := e.endpointQueue(key)
		q.due = true
		q.wakeups++
		e.schedule(q)
	}
	e.dispatch()
}

func (e *Engine) endpointQueue(key endpointKey) *endpointQueue {
	q := e.queues[key]
	if q == nil {
		q = &endpointQueue{key: key, window: min(initialWindow, e.cfg.InFlightPerEndpoint), lastUsed: time.Now()}
		e.queues[key] = q
	}
	return q
}

func (e *Engine) removeIdleQueues() {
	for key, q := range e.queues {
		if q.isIdle() && time.Since(q.lastUsed) > queueIdleTimeout {
			delete(e.queues, key)
		}
	}
}

// schedule puts the queue in line for what it needs: a fetch from the database, a free slot, or both.
func (e *Engine) schedule(q *endpointQueue) {
	if q.needsClaim() && !q.waitingToClaim && !q.fetching {
		q.waitingToClaim = true
		e.waitingToClaim = append(e.waitingToClaim, q)
	}
	if q.sendable() && !q.ready {
		q.ready = true
		e.ready = append(e.ready, q)
	}
}

// dispatch starts all attempts and fetches that can start now, in round-robin order.
func (e *Engine) dispatch() {
	if !e.running {
		return
	}
	for progress := true; progress; {
		progress = false
		for range len(e.ready) {
			if e.inFlight >= e.cfg.InFlight {
				break
			}
			q := e.ready[0]
			e.ready = e.ready[1:]
			progress = e.dispatchQueue(q) || progress
		}
	}
	for e.fetches < maxFetches && len(e.waitingToClaim) > 0 && len(e.leased) < leasedFactor*e.cfg.InFlight {
		q := e.waitingToClaim[0]
		e.waitingToClaim = e.waitingToClaim[1:]
		q.waitingToClaim = false
		if q.needsClaim() {
			e.startFetch(q)
		}
	}
}

// dispatchQueue starts the queue's next attempt if it can start, and puts the queue back in line if it has more to
// send.
func (e *Engine) dispatchQueue(q *endpointQueue) (started bool) {
	q.ready = false
	for len(q.jobs) > 0 && time.Now().After(q.jobs[0].sendBy) {
		delete(e.leased, e.dequeue(q).id) // too late to send; it is claimed again when its lease expires
	}
	if q.sendable() && e.canStart(q, q.jobs[0]) {
		e.startAttempt(q, e.dequeue(q))
		started = true
	}
	e.schedule(q)
	return started
}

// canStart reports whether the queue may start another attempt. A quarter of all slots is reserved for endpoints
// without an attempt in flight, and at most half are used for retries. So neither slow endpoints nor a large number
// of retries block the others.
func (e *Engine) canStart(q *endpointQueue, j *job) bool {
	if q.inFlight > 0 && e.inFlight >= max(e.cfg.InFlight*3/4, 1) {
		return false
	}
	return j.attempts == 0 || e.retrying < max(e.cfg.InFlight/2, 1)
}

func (e *Engine) dequeue(q *endpointQueue) *job {
	j := q.jobs[0]
	q.jobs[0] = nil
	q.jobs = q.jobs[1:]
	if q.saturated && len(q.jobs) <= q.window {
		e.clearSaturated(q)
	}
	return j
}

func (e *Engine) clearSaturated(q *endpointQueue) {
	q.saturated = false
	if e.saturated[q.key.account]--; e.saturated[q.key.account] == 0 {
		delete(e.saturated, q.key.account)
	}
}

func (e *Engine) startAttempt(q *endpointQueue, j *job) {
	q.inFlight++
	e.inFlight++
	if j.attempts > 0 {
		e.retrying++
	}
	t := q.target
	e.tasks.Go(func() { e.onResult(q, j, e.attempt(t, j)) })
}

// onResult passes an attempt's result to the completer and frees its slot.
func (e *Engine) onResult(q *endpointQueue, j *job, r result) {
	e.metrics.observe(r)
	e.completer.add(r)
	e.mu.Lock()
	defer e.mu.Unlock()
	q.inFlight--
	e.inFlight--
	if j.attempts > 0 {
		e.retrying--
	}
	q.window = nextWindow(q.window, e.cfg.InFlightPerEndpoint, r.class)
	q.lastUsed = time.Now()
	if r.class == classSuccess {
		e.throttle.recordDelivery(q.lastUsed)
	}
	e.schedule(q)
	e.dispatch()
}

// drain removes and returns the queue's deliveries that are not in flight.
func (e *Engine) drain(q *endpointQueue) (unsent []*job) {
	unsent, q.jobs = q.jobs, nil
	for _, j := range unsent {
		delete(e.leased, j.id)
	}
	if q.saturated {
		e.clearSaturated(q)
	}
	return unsent
}

// drainAll drains all queues.
func (e *Engine) drainAll() (unsent []*job) {
	for _, q := range e.queues {
		unsent = append(unsent, e.drain(q)...)
	}
	return unsent
}

// release returns leases, so that other engines can claim the deliveries at once. Best effort: leases that are not
// returned simply expire.
func (e *Engine) release(unsent []*job) {
	for _, j := range unsent {
		e.completer.add(result{job: j, outcome: outcomeReleased})
	}
}

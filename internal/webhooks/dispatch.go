package webhooks

import "time"

// reserve returns a lease for deliveries that are about to be committed, or none if they would
// not be sent soon.
func (e *Engine) reserve(account string) lease {
	if e == nil {
		return lease{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.running || e.crowded[account] > 0 || len(e.held) >= heldFactor*e.cfg.InFlight {
		return lease{}
	}
	return e.newLease()
}

// accept takes committed deliveries that this engine has the lease on.
func (e *Engine) accept(works []*work) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.running {
		// Stopped since the lease was reserved.
		e.release(works)
		return
	}
	for _, w := range works {
		e.take(e.lane(w.key), w)
	}
	e.serve()
}

// take puts a leased delivery into its lane.
func (e *Engine) take(l *lane, w *work) {
	if held := e.held[w.id]; held != nil {
		held.renew(w)
		return
	}
	e.held[w.id] = w
	l.buffer = append(l.buffer, w)
	l.used = time.Now()
	if l.target != nil && l.target.version.Before(w.version) {
		l.target = nil
	}
	if l.full() && !l.crowded {
		l.crowded = true
		e.crowded[l.key.account]++
	}
	e.settle(l)
}

// renew takes a new claim of a delivery that is held already. Either our own lease ran out while we
// still had it: then we go on under the new one. Or its result has been stored this moment: then
// it is the next attempt.
func (w *work) renew(claimed *work) {
	if w.storing {
		w.again = claimed
		return
	}
	w.claim, w.sendBy = claimed.claim, claimed.sendBy
}

// wakeLanes says that endpoints have something due.
func (e *Engine) wakeLanes(lanes []laneKey) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, key := range lanes {
		l := e.lane(key)
		l.due = true
		l.wakes++
		e.settle(l)
	}
	e.serve()
}

func (e *Engine) lane(key laneKey) *lane {
	l := e.lanes[key]
	if l == nil {
		l = &lane{key: key, window: min(firstWindow, e.cfg.InFlightPerEndpoint), used: time.Now()}
		e.lanes[key] = l
	}
	return l
}

func (e *Engine) forgetIdle() {
	for key, l := range e.lanes {
		if l.idle() && time.Since(l.used) > laneKept {
			delete(e.lanes, key)
		}
	}
}

// settle queues the lane for what it needs: rows from the database, or a slot.
func (e *Engine) settle(l *lane) {
	if l.hungry() && !l.asking && !l.refilling {
		l.asking = true
		e.asking = append(e.asking, l)
	}
	if l.sendable() && !l.ready {
		l.ready = true
		e.ready = append(e.ready, l)
	}
}

// serve starts whatever may start now: exchanges and refills, one for each lane in turn.
func (e *Engine) serve() {
	if !e.running {
		return
	}
	for progress := true; progress; {
		progress = false
		for range len(e.ready) {
			if e.inFlight >= e.cfg.InFlight {
				break
			}
			l := e.ready[0]
			e.ready = e.ready[1:]
			progress = e.serveLane(l) || progress
		}
	}
	for e.refills < maxRefills && len(e.asking) > 0 && len(e.held) < heldFactor*e.cfg.InFlight {
		l := e.asking[0]
		e.asking = e.asking[1:]
		l.asking = false
		if l.hungry() {
			e.startRefill(l)
		}
	}
}

// serveLane starts the lane's next exchange if it may have a slot, and keeps the lane in turn as
// long as it is sendable.
func (e *Engine) serveLane(l *lane) (started bool) {
	l.ready = false
	for len(l.buffer) > 0 && time.Now().After(l.buffer[0].sendBy) {
		delete(e.held, e.shift(l).id) // too late: it comes back when its lease ends
	}
	if l.sendable() && e.slot(l, l.buffer[0]) {
		e.send(l, e.shift(l))
		started = true
	}
	e.settle(l)
	return started
}

// slot reports whether the lane may have one more exchange. A quarter of all slots is kept for
// endpoints that have none under way, and half of them for first attempts, so that neither slow
// endpoints nor a flood of retries hold up the others.
func (e *Engine) slot(l *lane, w *work) bool {
	if l.flying > 0 && e.inFlight >= max(e.cfg.InFlight*3/4, 1) {
		return false
	}
	return w.attempts == 0 || e.retrying < max(e.cfg.InFlight/2, 1)
}

func (e *Engine) shift(l *lane) *work {
	w := l.buffer[0]
	l.buffer[0] = nil
	l.buffer = l.buffer[1:]
	if l.crowded && len(l.buffer) <= l.window {
		e.uncrowd(l)
	}
	return w
}

func (e *Engine) uncrowd(l *lane) {
	l.crowded = false
	if e.crowded[l.key.account]--; e.crowded[l.key.account] == 0 {
		delete(e.crowded, l.key.account)
	}
}

func (e *Engine) send(l *lane, w *work) {
	l.flying++
	e.inFlight++
	if w.attempts > 0 {
		e.retrying++
	}
	t := l.target
	e.flying.Go(func() { e.landed(l, w, e.attempt(t, w)) })
}

// landed takes an exchange's result.
func (e *Engine) landed(l *lane, w *work, r result) {
	e.metrics.observe(r)
	e.results.add(r)
	e.mu.Lock()
	defer e.mu.Unlock()
	l.flying--
	e.inFlight--
	if w.attempts > 0 {
		e.retrying--
	}
	l.window = nextWindow(l.window, e.cfg.InFlightPerEndpoint, r.class)
	l.used = time.Now()
	if r.class == classSuccess {
		e.tempo.delivered(l.used)
	}
	e.settle(l)
	e.serve()
}

// empty takes back everything of a lane that is not under way.
func (e *Engine) empty(l *lane) (unsent []*work) {
	unsent, l.buffer = l.buffer, nil
	for _, w := range unsent {
		delete(e.held, w.id)
	}
	if l.crowded {
		e.uncrowd(l)
	}
	return unsent
}

// unload empties all lanes.
func (e *Engine) unload() (unsent []*work) {
	for _, l := range e.lanes {
		unsent = append(unsent, e.empty(l)...)
	}
	return unsent
}

// release has leases given back, so that others need not wait for their end. Leases that cannot be returned
// simply expire.
func (e *Engine) release(unsent []*work) {
	for _, w := range unsent {
		e.results.add(result{work: w, state: stateGivenBack})
	}
}

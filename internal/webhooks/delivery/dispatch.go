package delivery

import (
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// update changes the scheduler and then starts the scheduler's actions.
func (e *Engine) update(change func(s *scheduler, now time.Time)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := time.Now()
	process, certain := e.db.Process().Lives(now)
	e.scheduler.process, e.scheduler.uncertain = process, !certain
	change(e.scheduler, now)
	e.start(&e.scheduler.actions)
	e.scheduler.actions.reset()
}

// start starts the actions in the background. The caller holds mu: Stop must not wait for tasks before they start.
func (e *Engine) start(a *actions) {
	for _, attempt := range a.attempts {
		e.tasks.Go(func() { e.runAttempt(attempt) })
	}
	for _, fetch := range a.fetches {
		fetch.request.lease = e.newLease()
		e.tasks.Go(func() { e.runFetch(fetch) })
	}
	e.release(a.releases)
	e.completer.add(a.unstored...)
	for _, r := range a.resumes {
		time.AfterFunc(r.after, func() {
			e.update(func(s *scheduler, now time.Time) { s.resume(r.queue, now) })
		})
	}
}

// runAttempt sends a delivery and passes the result to the completer and the scheduler.
func (e *Engine) runAttempt(a attemptAction) {
	r := e.attempt(a.target, a.job)
	e.metrics.observe(r)
	e.completer.add(r)
	e.update(func(s *scheduler, now time.Time) { s.onResult(a.queue, a.job, r.class, now) })
}

// release releases leases, so that other engines can claim the deliveries at once. Best effort: leases that are not
// released simply expire.
func (e *Engine) release(unsent []*job) {
	for _, j := range unsent {
		e.completer.add(result{job: j, outcome: outcomeReleased})
	}
}

// reserve returns a lease for deliveries that are about to be committed. It returns the zero lease if this engine could
// not send them soon.
func (e *Engine) reserve(account string) lease {
	if e == nil {
		return lease{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.scheduler.canReserve(account) {
		return lease{}
	}
	return e.newLease()
}

// accept enqueues committed deliveries that have a lease from reserve.
func (e *Engine) accept(jobs []*job) {
	e.update(func(s *scheduler, now time.Time) { s.accept(jobs, now) })
}

// unconfirmed releases the leases from reserve of deliveries that may have been committed.
func (e *Engine) unconfirmed(jobs []*job) {
	e.update(func(s *scheduler, now time.Time) { s.unconfirmed(jobs, now) })
}

// wakeEndpoints marks the endpoints as having due deliveries.
func (e *Engine) wakeEndpoints(endpoints []webhooks.EndpointKey) {
	if e == nil {
		return
	}
	e.update(func(s *scheduler, now time.Time) { s.wake(endpoints, now) })
}

// beginStore returns the claims under which the results' deliveries are leased now.
func (e *Engine) beginStore(batch []result) (claims []int64) {
	e.update(func(s *scheduler, _ time.Time) { claims = s.beginStore(batch) })
	return claims
}

func (e *Engine) onStoreFailed(batch []result, err error) {
	e.update(func(s *scheduler, now time.Time) { s.onStoreFailed(batch, !isPartial(err), now) })
}

// onStored requests a poll if a retry is due before the next poll.
func (e *Engine) onStored(batch []result) {
	e.update(func(s *scheduler, now time.Time) {
		if next := s.onStored(batch, e.cfg.PollEvery, now); next < e.cfg.PollEvery {
			time.AfterFunc(next, e.requestPoll)
		}
	})
}

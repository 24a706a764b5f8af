package delivery

import (
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

// canReserve reports whether deliveries of the account that are about to be committed could be sent soon.
func (s *scheduler) canReserve(account string) bool {
	return s.running && !s.uncertain && s.saturated[account] == 0 && !s.leasedMax()
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

// unconfirmed makes the endpoints' queues release the leases of deliveries that may have been committed.
func (s *scheduler) unconfirmed(jobs []*job, now time.Time) {
	for _, j := range jobs {
		q := s.queue(j.key, now)
		if !slices.Contains(q.unconfirmed, j.claimID) {
			q.doubt(j.claimID)
		}
		s.schedule(q, now)
	}
	s.dispatch(now)
}

// enqueue adds a leased delivery to its endpoint's queue.
func (s *scheduler) enqueue(q *endpointQueue, j *job, now time.Time) {
	if existing := s.leased[j.id]; existing != nil {
		existing.renew(j)
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
func (j *job) renew(fresh *job) {
	if j.storing {
		j.nextClaim = fresh
		return
	}
	j.claimID, j.sendBy = fresh.claimID, fresh.sendBy
}

// giveUp forgets a delivery that must not be sent any more. It is claimed again when its lease expires. If the lease
// belongs to a previous identity of this process, it is released, unless another process has released it.
func (s *scheduler) giveUp(j *job) {
	delete(s.leased, j.id)
	if postgres.ProcessOf(j.claimID) != s.process {
		s.release([]*job{j})
	}
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

// beginStore marks the results as being stored and returns the claims under which their deliveries are leased now.
func (s *scheduler) beginStore(batch []result) []int64 {
	claims := make([]int64, len(batch))
	for i, r := range batch {
		claims[i] = r.job.claimID
		r.job.storing = true
	}
	return claims
}

// onStoreFailed keeps the deliveries leased, under a new claim if one was made. While the database is unavailable, it
// stops the claims of their endpoints.
func (s *scheduler) onStoreFailed(batch []result, unavailable bool, now time.Time) {
	for _, r := range batch {
		r.job.storing = false
		s.setUnstored(r.job, unavailable, now)
		if next := r.job.nextClaim; next != nil {
			r.job.nextClaim = nil
			r.job.renew(next)
		}
	}
	s.dispatch(now)
}

// setUnstored records whether the result of the delivery waits for the database.
func (s *scheduler) setUnstored(j *job, unstored bool, now time.Time) {
	if j.unstored == unstored {
		return
	}
	j.unstored = unstored
	q := s.queue(j.key, now)
	if unstored {
		q.unstored++
		return
	}
	if q.unstored--; q.unstored == 0 {
		s.schedule(q, now)
	}
}

// storeAgain stores a result again if its delivery was claimed for the same attempt while the result was being stored.
// The lease had expired, and the claim overtook the result, which was not stored.
func (s *scheduler) storeAgain(r result) bool {
	next := r.job.nextClaim
	if next == nil || next.attempts != r.job.attempts || r.outcome == outcomeReleased {
		return false
	}
	r.job.storing, r.job.nextClaim = false, nil
	r.job.renew(next)
	s.actions.unstored = append(s.actions.unstored, r)
	return true
}

// onStored removes the stored deliveries from the leased ones, and returns the time until one of these may be due
// again, at most limit.
func (s *scheduler) onStored(batch []result, limit time.Duration, now time.Time) (nextDue time.Duration) {
	nextDue = limit
	for _, r := range batch {
		s.setUnstored(r.job, false, now)
		if s.storeAgain(r) {
			continue
		}
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

package delivery

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
)

func TestScheduler_CanReserve(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                  string
		inFlight, perEndpoint int
		jobs                  int
		stopped               bool
		want                  bool
	}{
		{name: "empty", inFlight: 8, perEndpoint: 1, want: true},
		{name: "queue below limit", inFlight: 100, perEndpoint: 1, jobs: 3, want: true},
		{name: "queue saturated", inFlight: 100, perEndpoint: 1, jobs: 6},
		{name: "too many leased", inFlight: 1, perEndpoint: 100, jobs: 4},
		{name: "stopped", inFlight: 8, perEndpoint: 1, stopped: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newTestScheduler(c.inFlight, c.perEndpoint)
			q := newTestQueue(s, "a")
			q.inFlight = c.perEndpoint // keeps the jobs in the queue
			s.accept(newTestJobs("a", c.jobs, 0), testTime)
			if c.stopped {
				s.stop()
			}
			if got := s.canReserve("acc_a"); got != c.want {
				t.Errorf("canReserve = %t, want %t", got, c.want)
			}
		})
	}
}

func TestScheduler_ReleasesJobs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(s *scheduler, q *endpointQueue)
		want   int
	}{
		{"endpoint enabled", func(s *scheduler, q *endpointQueue) {
			s.onPoll(nil, []webhooks.EndpointKey{q.key},
				map[webhooks.EndpointKey]endpointState{q.key: {Active: true}}, testTime)
		}, 0},
		{"endpoint disabled", func(s *scheduler, q *endpointQueue) {
			s.onPoll(nil, []webhooks.EndpointKey{q.key}, map[webhooks.EndpointKey]endpointState{q.key: {}}, testTime)
		}, 3},
		{"stopped", func(s *scheduler, _ *endpointQueue) { s.stop() }, 3},
		{"accepted after stop", func(s *scheduler, _ *endpointQueue) {
			s.stop()
			s.accept(newTestJobs("b", 2, 0), testTime)
		}, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newTestScheduler(100, 1)
			q := newTestQueue(s, "a")
			s.accept(newTestJobs("a", 4, 0), testTime) // one is in flight
			s.takeActions()
			c.change(s, q)
			if got := s.takeActions().releases; len(got) != c.want {
				t.Errorf("%d deliveries released, want %d", len(got), c.want)
			}
		})
	}
}

// A delivery can be claimed for its next attempt before this process has processed that the previous result is
// stored.
func TestScheduler_KeepsClaimMadeWhileStoring(t *testing.T) {
	t.Parallel()
	s := newTestScheduler(100, 8)
	q := s.queue(webhooks.EndpointKey{Account: "acc_a", Endpoint: "whe_a"}, testTime)
	first, next := &job{key: q.key, id: "dlv_a", claimID: 1}, &job{key: q.key, id: "dlv_a", claimID: 2, attempts: 1}
	s.enqueue(q, first, testTime)
	s.dequeue(q)
	batch := []result{{job: first}}
	if claims := s.beginStore(batch); claims[0] != 1 {
		t.Fatalf("stored under claim %d, want 1", claims[0])
	}
	s.enqueue(q, next, testTime)
	s.onStored(batch, time.Second, testTime)
	if len(q.jobs) != 1 || q.jobs[0] != next || s.leased["dlv_a"] != next {
		t.Fatalf("the queue has %v, want the next attempt", q.jobs)
	}

	// If the result could not be stored, it is stored under the new claim.
	s.dequeue(q)
	batch = []result{{job: next}}
	s.beginStore(batch)
	s.enqueue(q, &job{key: q.key, id: "dlv_a", claimID: 3, attempts: 1}, testTime)
	s.onStoreFailed(batch, false, testTime)
	if claims := s.beginStore(batch); claims[0] != 3 || len(q.jobs) != 0 {
		t.Fatalf("stored under claim %d, want 3", claims[0])
	}
}

// While the result of a delivery waits for the database, its lease can expire. A claim that the database carries out
// before the result is stored would send the delivery again.
func TestScheduler_StoresBeforeItClaims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		unavailable bool
		want        int // claims of the endpoint before its result is stored
	}{
		{"database unavailable", true, 0},
		{"only this batch fails", false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newTestScheduler(100, 8)
			q, other := newTestQueue(s, "a"), newTestQueue(s, "b")
			batch := []result{{job: newTestJobs("a", 1, 0)[0]}}
			s.beginStore(batch)
			s.onStoreFailed(batch, true, testTime)
			s.beginStore(batch)
			s.onStoreFailed(batch, c.unavailable, testTime)
			s.wake([]webhooks.EndpointKey{q.key, other.key}, testTime)
			if got := len(s.takeActions().fetches); got != c.want+1 {
				t.Errorf("%d claims, want %d and that of the other endpoint", got, c.want)
			}
			s.removeIdleQueues(testTime.Add(time.Hour))
			s.beginStore(batch)
			s.onStored(batch, time.Second, testTime)
			if got := len(s.takeActions().fetches); got != 1-c.want {
				t.Errorf("%d claims after the result is stored, want %d", got, 1-c.want)
			}
		})
	}
}

func TestScheduler_OnStoredReturnsNextDue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		result result
		want   time.Duration
	}{
		{"delivered", result{outcome: outcomeDelivered}, time.Second},
		{"retried soon", result{outcome: outcomeRetried, retryAt: testTime.Add(time.Millisecond)}, time.Millisecond},
		{"retried later", result{outcome: outcomeRetried, retryAt: testTime.Add(time.Hour)}, time.Second},
		{"released", result{outcome: outcomeReleased}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newTestScheduler(100, 8)
			c.result.job = &job{id: "dlv_a"}
			if got := s.onStored([]result{c.result}, time.Second, testTime); got != c.want {
				t.Errorf("next due in %v, want %v", got, c.want)
			}
		})
	}
}

// While a result is stored, its delivery is claimed again. If the claim is for the same attempt, it overtook the
// result, which is stored again under the new claim. If it is for the next attempt, that is sent.
func TestScheduler_StoresResultAgainThatClaimOvertook(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ attempts, unstored, queued int }{
		"same attempt": {0, 1, 0},
		"next attempt": {1, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := time.Now()
			s := newScheduler(10, 10)
			s.running = true
			key := webhooks.EndpointKey{Account: "acc_a", Endpoint: "wh_a"}
			q := s.queue(key, now)
			sent := &job{key: key, id: "dlv_1", claimID: 1, sendBy: now.Add(time.Minute)}
			s.leased[sent.id] = sent
			r := result{job: sent, outcome: outcomeRetried, retryAt: now}
			s.beginStore([]result{r})
			next := &job{key: key, id: "dlv_1", claimID: 2, attempts: tc.attempts, sendBy: now.Add(time.Minute)}
			s.enqueue(q, next, now)
			s.onStored([]result{r}, time.Second, now)
			if len(s.actions.unstored) != tc.unstored || len(q.jobs) != tc.queued {
				t.Fatalf("%d results are stored again and %d deliveries are queued, want %d and %d",
					len(s.actions.unstored), len(q.jobs), tc.unstored, tc.queued)
			}
			if tc.unstored > 0 && s.actions.unstored[0].job.claimID != 2 {
				t.Errorf("stored under claim %d, want the new one", s.actions.unstored[0].job.claimID)
			}
		})
	}
}

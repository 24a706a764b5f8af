package delivery

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// testTime is the time at which the scheduler's tests start.
var testTime = time.Unix(1_778_513_521, 0)

// newTestScheduler returns a running scheduler.
func newTestScheduler(inFlight, perEndpoint int) *scheduler {
	s := newScheduler(inFlight, perEndpoint)
	s.running = true
	return s
}

// newTestQueue returns an endpoint's queue whose target is loaded.
func newTestQueue(s *scheduler, endpoint string) *endpointQueue {
	q := s.queue(webhooks.EndpointKey{Account: "acc_a", Endpoint: endpoint}, testTime)
	q.target = &target{}
	return q
}

// newTestJobs returns n leased deliveries to an endpoint.
func newTestJobs(endpoint string, n, attempts int) []*job {
	jobs := make([]*job, n)
	for i := range jobs {
		jobs[i] = &job{
			key: webhooks.EndpointKey{Account: "acc_a", Endpoint: endpoint}, id: fmt.Sprint(endpoint, "-", i),
			claimID: 1, attempts: attempts,
			sendBy: testTime.Add(time.Minute),
		}
	}
	return jobs
}

// attemptIDs returns the ids of the deliveries whose attempts start.
func attemptIDs(a actions) (ids []string) {
	for _, one := range a.attempts {
		ids = append(ids, one.job.id)
	}
	return ids
}

func TestScheduler_DispatchesFairly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                  string
		inFlight, perEndpoint int
		jobs                  map[string]int // by endpoint
		want                  []string
	}{
		{"endpoint window", 100, 2, map[string]int{"a": 3}, []string{"a-0", "a-1"}},
		{"round-robin", 100, 2, map[string]int{"a": 2, "b": 2}, []string{"a-0", "b-0", "a-1", "b-1"}},
		{"last quarter for idle endpoints", 4, 8, map[string]int{"a": 8}, []string{"a-0", "a-1", "a-2"}},
		{"all slots", 4, 8, map[string]int{"a": 8, "b": 1}, []string{"a-0", "b-0", "a-1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newTestScheduler(c.inFlight, c.perEndpoint)
			var jobs []*job
			for _, endpoint := range []string{"a", "b"} {
				newTestQueue(s, endpoint)
				jobs = append(jobs, newTestJobs(endpoint, c.jobs[endpoint], 0)...)
			}
			s.accept(jobs, testTime)
			if diff := cmp.Diff(c.want, attemptIDs(s.takeActions())); diff != "" {
				t.Errorf("started attempts (-want +got):\n%s", diff)
			}
		})
	}
}

// Only slots that are reserved are free: an idle endpoint and a first attempt may start, a retry may not.
func TestScheduler_CanStart(t *testing.T) {
	t.Parallel()
	busy, idle := &endpointQueue{inFlight: 3}, &endpointQueue{}
	first, retry := &job{}, &job{attempts: 1}
	for _, c := range []struct {
		name               string
		inFlight, retrying int
		queue              *endpointQueue
		job                *job
		want               bool
	}{
		{"free slots", 0, 0, busy, first, true},
		{"busy endpoint, last quarter", 6, 0, busy, first, false},
		{"idle endpoint, last quarter", 6, 0, idle, first, true},
		{"retry, below half", 5, 3, busy, retry, true},
		{"retry, above half", 5, 4, idle, retry, false},
		{"first attempt, retries above half", 5, 4, busy, first, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newTestScheduler(8, 8)
			s.inFlight, s.retrying = c.inFlight, c.retrying
			if got := s.canStart(c.queue, c.job); got != c.want {
				t.Errorf("canStart = %t, want %t", got, c.want)
			}
		})
	}
}

func TestScheduler_FreesSlotOnResult(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		class      string
		wantWindow int
		want       []string // attempts that start after the first of four results
	}{
		{"success", classSuccess, 4, []string{"a-4"}},
		{"error status", classStatus, 4, []string{"a-4"}},
		{"timeout", "timeout", 2, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newTestScheduler(100, 4)
			q := newTestQueue(s, "a")
			s.accept(newTestJobs("a", 6, 0), testTime)
			started := s.takeActions().attempts
			s.onResult(q, started[0].job, c.class, testTime)
			if diff := cmp.Diff(c.want, attemptIDs(s.takeActions())); diff != "" {
				t.Errorf("started attempts (-want +got):\n%s", diff)
			}
			if q.window != c.wantWindow {
				t.Errorf("window = %d, want %d", q.window, c.wantWindow)
			}
		})
	}
}

func TestScheduler_SkipsJobsThatAreTooLate(t *testing.T) {
	t.Parallel()
	s := newTestScheduler(100, 8)
	newTestQueue(s, "a")
	jobs := newTestJobs("a", 2, 0)
	jobs[0].sendBy = testTime.Add(-time.Second)
	s.accept(jobs, testTime)
	if diff := cmp.Diff([]string{"a-1"}, attemptIDs(s.takeActions())); diff != "" {
		t.Errorf("started attempts (-want +got):\n%s", diff)
	}
	if len(s.leased) != 1 {
		t.Errorf("%d deliveries leased, want 1: the late one is claimed again", len(s.leased))
	}
}

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

func TestScheduler_Fetches(t *testing.T) {
	t.Parallel()
	key := webhooks.EndpointKey{Account: "acc_a", Endpoint: "a"}
	for _, c := range []struct {
		name     string
		prepare  func(s *scheduler, q *endpointQueue)
		want     int // fetches
		claiming bool
		limit    int
	}{
		{"nothing due", func(*scheduler, *endpointQueue) {}, 0, false, 0},
		{"due", func(_ *scheduler, q *endpointQueue) { q.due = true }, 1, true, 2 * initialWindow},
		{"deliveries without target", func(s *scheduler, q *endpointQueue) {
			q.target = nil
			s.enqueue(q, newTestJobs("a", 1, 0)[0], testTime)
		}, 1, false, 0},
		{"claims throttled", func(_ *scheduler, q *endpointQueue) {
			q.due, q.claimsThrottledUntil = true, testTime.Add(time.Second)
		}, 0, false, 0},
		{"backing off after an error", func(_ *scheduler, q *endpointQueue) {
			q.due, q.backoffUntil = true, testTime.Add(time.Second)
		}, 0, false, 0},
		{"full queue", func(s *scheduler, q *endpointQueue) {
			q.due, q.inFlight = true, q.window
			for _, j := range newTestJobs("a", initialWindow, 0) {
				s.enqueue(q, j, testTime)
			}
		}, 0, false, 0},
		{"full queue with wakeup", func(s *scheduler, q *endpointQueue) {
			q.due, q.woken, q.inFlight = true, true, q.window
			for _, j := range newTestJobs("a", initialWindow, 0) {
				s.enqueue(q, j, testTime)
			}
		}, 1, true, initialWindow},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newTestScheduler(100, 64)
			q := newTestQueue(s, "a")
			c.prepare(s, q)
			s.schedule(q, testTime)
			s.dispatch(testTime)
			fetches := s.takeActions().fetches
			if len(fetches) != c.want {
				t.Fatalf("%d fetches, want %d", len(fetches), c.want)
			}
			if c.want == 0 {
				return
			}
			got := fetches[0]
			if got.request.key != key || got.claiming != c.claiming || got.request.limit != c.limit {
				t.Errorf("fetch %+v, want claiming %t with limit %d", got, c.claiming, c.limit)
			}
			if s.dispatch(testTime); len(s.takeActions().fetches) != 0 {
				t.Error("a second fetch starts while the first is running")
			}
		})
	}
}

func TestScheduler_LimitsFetches(t *testing.T) {
	t.Parallel()
	s := newTestScheduler(100, 8)
	var keys []webhooks.EndpointKey
	for i := range maxFetches + 2 {
		keys = append(keys, webhooks.EndpointKey{Account: "acc_a", Endpoint: fmt.Sprint(i)})
	}
	s.wake(keys, testTime)
	fetches := s.takeActions().fetches
	if len(fetches) != maxFetches {
		t.Fatalf("%d fetches, want %d", len(fetches), maxFetches)
	}
	s.onFetched(fetches[0], fetchResult{claimed: true}, false, testTime)
	if got := s.takeActions().fetches; len(got) != 1 || got[0].request.key != keys[maxFetches] {
		t.Errorf("after the first one finished, started %+v, want one for %v", got, keys[maxFetches])
	}
}

func TestScheduler_OnFetched(t *testing.T) {
	t.Parallel()
	wakeAt, dueFrom := testTime.Add(-time.Minute), testTime.Add(-time.Hour)
	for _, c := range []struct {
		name       string
		result     fetchResult
		failed     bool
		wokenAgain bool
		wantDue    bool
		wantWoken  bool
		resumes    int
		releases   int
	}{
		{name: "nothing left", result: fetchResult{target: &target{}, claimed: true}},
		{name: "more", result: fetchResult{target: &target{}, claimed: true, more: true}, wantDue: true},
		{name: "woken meanwhile", result: fetchResult{target: &target{}, claimed: true}, wokenAgain: true,
			wantDue: true},
		{name: "failed", failed: true, wantDue: true, wantWoken: true, resumes: 1},
		{name: "disabled", result: fetchResult{inactive: true, jobs: newTestJobs("a", 2, 0)}, releases: 2},
		{name: "deleted", result: fetchResult{inactive: true, deleted: true}, wantDue: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newTestScheduler(100, 8)
			q := newTestQueue(s, "a")
			s.onPoll([]dueEndpoint{{key: q.key, woken: true, wakeAt: wakeAt, dueFrom: dueFrom}}, nil, nil, testTime)
			f := s.takeActions().fetches[0]
			if c.wokenAgain {
				q.wakeups++
			}
			s.fetches = maxFetches + 1 // prevents further ones
			s.onFetched(f, c.result, c.failed, testTime)
			a := s.takeActions()
			if q.due != c.wantDue || q.woken != c.wantWoken {
				t.Errorf("due %t and woken %t, want %t and %t", q.due, q.woken, c.wantDue, c.wantWoken)
			}
			if len(a.resumes) != c.resumes || len(a.releases) != c.releases {
				t.Errorf("%d resumes and %d releases, want %d and %d", len(a.resumes), len(a.releases), c.resumes,
					c.releases)
			}
		})
	}
}

func TestScheduler_BacksOffAfterFailedFetches(t *testing.T) {
	t.Parallel()
	s := newTestScheduler(100, 8)
	q := newTestQueue(s, "a")
	now := testTime
	var delays []time.Duration
	s.wake([]webhooks.EndpointKey{q.key}, now)
	for range 8 {
		fetches := s.takeActions().fetches
		if len(fetches) != 1 {
			t.Fatalf("%d fetches after the delay, want 1", len(fetches))
		}
		s.onFetched(fetches[0], fetchResult{target: q.target}, true, now)
		a := s.takeActions()
		if len(a.fetches) != 0 || len(a.resumes) != 1 {
			t.Fatalf("%d fetches and %d resumes after a failure, want 0 and 1", len(a.fetches), len(a.resumes))
		}
		delays = append(delays, a.resumes[0].after)
		now = now.Add(a.resumes[0].after)
		s.resume(q, now)
	}
	const ms = time.Millisecond
	want := []time.Duration{100 * ms, 200 * ms, 400 * ms, 800 * ms, 1600 * ms, 3200 * ms, 5000 * ms, 5000 * ms}
	if diff := cmp.Diff(want, delays); diff != "" {
		t.Errorf("delays (-want +got):\n%s", diff)
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
	first, next := &job{key: q.key, id: "dlv_a", claimID: 1}, &job{key: q.key, id: "dlv_a", claimID: 2}
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
	s.enqueue(q, &job{key: q.key, id: "dlv_a", claimID: 3}, testTime)
	s.onStoreFailed(batch)
	if claims := s.beginStore(batch); claims[0] != 3 || len(q.jobs) != 0 {
		t.Fatalf("stored under claim %d, want 3", claims[0])
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

func TestScheduler_RemovesIdleQueues(t *testing.T) {
	t.Parallel()
	s := newTestScheduler(100, 8)
	newTestQueue(s, "idle")
	newTestQueue(s, "busy").inFlight = 1
	s.onPoll(nil, nil, nil, testTime.Add(queueIdleTimeout))
	if len(s.queues) != 2 {
		t.Errorf("%d queues before the timeout, want 2", len(s.queues))
	}
	s.onPoll(nil, nil, nil, testTime.Add(queueIdleTimeout+1))
	if len(s.queues) != 1 {
		t.Errorf("%d queues after the timeout, want 1", len(s.queues))
	}
}

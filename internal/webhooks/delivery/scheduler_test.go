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

// takeActions returns the collected actions and removes them.
func (s *scheduler) takeActions() actions {
	taken := s.actions
	s.actions = actions{}
	return taken
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

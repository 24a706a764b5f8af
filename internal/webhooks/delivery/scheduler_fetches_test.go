package delivery

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/webhooks"
)

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
	if len(fetches) != maxFetches-reservedFetches {
		t.Fatalf("%d fetches, want %d", len(fetches), maxFetches-reservedFetches)
	}
	s.onFetched(fetches[0], fetchResult{claimed: true}, false, testTime)
	next := keys[maxFetches-reservedFetches]
	if got := s.takeActions().fetches; len(got) != 1 || got[0].request.key != next {
		t.Errorf("after the first one finished, started %+v, want one for %v", got, next)
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
			s.lines.running[otherLine] += maxFetches // prevents further ones
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

package delivery

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// awaitAttempts waits until the pending deliveries have these numbers of stored attempts, in ascending order.
func (env *testEnv) awaitAttempts(attempts ...int) {
	env.t.Helper()
	eventually(env.t, "attempts are stored", func() bool {
		list, _, err := env.deliveries.List(context.Background(),
			webhooks.Filter{Account: env.account, State: webhooks.Pending})
		must(env.t, err)
		counts := make([]int, len(list))
		for i, delivery := range list {
			counts[i] = delivery.Attempts
		}
		slices.Sort(counts)
		return slices.Equal(counts, attempts)
	})
}

// attemptNumber returns the attempt number of a request, or 0 if the header is missing.
func attemptNumber(header http.Header) int {
	n, _ := strconv.Atoi(header.Get("X-Vault-Delivery-Attempt"))
	return n
}

// failTwice fails the first two attempts.
func failTwice(w http.ResponseWriter, r *http.Request) {
	if attemptNumber(r.Header) < 3 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// The process's clock is set back an hour and then forward. Retry times are of the database's clock, so retries keep
// them, and new deliveries are sent at once.
func TestEngine_KeepsRetryTimesWhenClockChanges(t *testing.T) {
	t.Parallel()
	manual := newManualClock()
	env := newTestEnv(t, manual.asClock())
	s := env.sink(failTwice)
	env.register(s.URL)
	e := env.engine(Config{})
	start := manual.asClock().Time()
	env.record(2)
	env.awaitAttempts(1, 1)
	for _, shift := range []time.Duration{-time.Hour, time.Hour} {
		manual.set(start.Add(shift))
		if _, err := e.poll(); err != nil {
			t.Fatal(err)
		}
		if key := (webhooks.EndpointKey{Account: env.account, Endpoint: env.firstEndpoint()}); len(env.claim(key, 10,
			e.newLease())) != 0 {
			t.Errorf("a retry is due when the process's clock is set by %v", shift)
		}
	}
	manual.set(start.Add(-time.Hour))
	env.record(1)
	env.awaitAttempts(1, 1, 1)
	env.advanceDueTimes(DefaultRetryDelays[0] * 11 / 10)
	e.Wake()
	env.awaitAttempts(2, 2, 2)
	env.advanceDueTimes(DefaultRetryDelays[1] * 11 / 10)
	e.Wake()
	eventually(t, "all are delivered", func() bool {
		return env.count(`SELECT count(*) FROM deliveries_delivered`) == 3
	})
	if n := s.total.Load(); n != 3*3 {
		t.Errorf("%d requests for 3 events with 3 attempts each", n)
	}
}

// withClock returns the environment as another process with this clock sees it.
func (env *testEnv) withClock(c clock.Clock) *testEnv {
	other := *env
	other.clock, other.outbox = c, NewOutbox(env.db, c)
	return &other
}

// Three processes whose clocks differ by seconds share the work. No attempt is sent twice or early.
func TestEngine_SendsOnceWhenClocksDiffer(t *testing.T) {
	t.Parallel()
	const apart = 4 * time.Second
	env := newTestEnv(t, clock.System)
	s := env.sink(func(w http.ResponseWriter, r *http.Request) {
		if attemptNumber(r.Header) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	env.register(s.URL)
	const delay = 5 * time.Second
	for _, shift := range []time.Duration{-apart / 2, 0, apart / 2} {
		other := env.withClock(clock.Clock{Now: func() time.Time { return time.Now().Add(shift) }})
		other.engineOf(other.outbox, Config{RetryDelays: []time.Duration{delay}})
		for range 30 {
			other.record(1)
		}
		other.record(200)
	}
	const events = 3 * 230
	eventually(t, "all are delivered", func() bool {
		return env.count(`SELECT count(*) FROM deliveries_delivered`) == events
	})
	first := map[string]time.Time{}
	for range 2 * events {
		got := s.next(t)
		event := got.header.Get("X-Vault-Event-Id")
		switch before, again := first[event]; {
		case attemptNumber(got.header) == 1 && !again:
			first[event] = got.at
		case attemptNumber(got.header) == 1:
			t.Errorf("the first attempt of %s came twice", event)
		case got.at.Sub(before) < delay:
			t.Errorf("the second attempt of %s came %v after the first", event, got.at.Sub(before))
		}
	}
	if total := s.total.Load(); total != 2*events {
		t.Errorf("%d requests for %d attempts", total, 2*events)
	}
}

// The clock of the second engine is hours ahead. Leases are checked by the database's clock, so it claims nothing.
func TestEngine_RespectsLeasesWhenClockIsAhead(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	release := make(chan struct{})
	s := env.sink(func(http.ResponseWriter, *http.Request) { <-release })
	env.register(s.URL)
	env.engine(Config{})
	env.record(3)
	for range 3 {
		s.next(t)
	}
	ahead := env.withClock(clock.Clock{Now: func() time.Time { return time.Now().Add(2 * time.Hour) }})
	other := ahead.engineOf(ahead.outbox, Config{})
	if _, err := other.poll(); err != nil {
		t.Fatal(err)
	}
	key := webhooks.EndpointKey{Account: env.account, Endpoint: env.firstEndpoint()}
	if got := ahead.claim(key, 10, other.newLease()); len(got) != 0 {
		t.Errorf("claimed %d", len(got))
	}
	close(release)
	eventually(t, "all are delivered", func() bool {
		return env.count(`SELECT count(*) FROM deliveries_delivered`) == 3
	})
	if n := s.total.Load(); n != 3 {
		t.Errorf("%d requests", n)
	}
}

// The writer's clock is hours ahead. Its events are due at once by the database's clock.
func TestOutbox_SendsAtOnceWhenClockIsAhead(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	env.register(s.URL)
	env.engineOf(NewOutbox(env.db, env.clock), Config{})
	env.withClock(clock.Clock{Now: func() time.Time { return time.Now().Add(2 * time.Hour) }}).record(1)
	s.next(t)
}

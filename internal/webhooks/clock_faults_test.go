package webhooks

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
)

// settled waits until the pending deliveries have been attempted so many times each, in rising order, with every
// result stored.
func (env *testEnv) awaitAttempts(attempts ...int) {
	env.t.Helper()
	eventually(env.t, "attempts are stored", func() bool {
		list, _, err := env.deliveries.List(context.Background(), Filter{Account: env.account, State: Pending})
		must(env.t, err)
		made := make([]int, len(list))
		for i, one := range list {
			made[i] = one.Attempts
		}
		slices.Sort(made)
		return slices.Equal(made, attempts)
	})
}

// attemptOf is the number of the attempt that a request belongs to, 0 if it names none.
func attemptNumber(header http.Header) int {
	n, _ := strconv.Atoi(header.Get("X-Vault-Delivery-Attempt"))
	return n
}

// failsTwice answers success to third attempts alone.
func failTwice(w http.ResponseWriter, r *http.Request) {
	if attemptNumber(r.Header) < 3 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// The clock of a process is set back an hour and forward an hour while retries wait: each keeps the time it was
// given, which is by the database's clock, what is new goes at once, nothing is lost and nothing comes twice.
func TestEngine_KeepsRetryTimesWhenItsClockIsSet(t *testing.T) {
	t.Parallel()
	manual := newManualClock()
	env := newTestEnv(t, manual.asClock())
	s := env.sink(failTwice)
	env.register(s.URL)
	e := env.engine(Config{})
	begun := manual.asClock().Time()
	env.record(2)
	env.awaitAttempts(1, 1)
	for _, shift := range []time.Duration{-time.Hour, time.Hour} {
		manual.set(begun.Add(shift))
		if _, err := e.poll(); err != nil {
			t.Fatal(err)
		}
		if key := (endpointKey{env.account, env.firstEndpoint()}); len(env.claim(key, 10, e.newLease())) != 0 {
			t.Errorf("a retry is due when the process's clock is set by %v", shift)
		}
	}
	manual.set(begun.Add(-time.Hour))
	env.record(1)
	env.awaitAttempts(1, 1, 1)
	env.advanceDueTimes(DefaultRetryDelays[0] * 11 / 10)
	e.Wake()
	env.awaitAttempts(2, 2, 2)
	env.advanceDueTimes(DefaultRetryDelays[1] * 11 / 10)
	e.Wake()
	eventually(t, "all are delivered", func() bool { return env.count(`SELECT count(*) FROM deliveries_delivered`) == 3 })
	if n := s.total.Load(); n != 3*3 {
		t.Errorf("%d requests for 3 events with 3 attempts each", n)
	}
}

// on returns the house as a process sees it that has this clock.
func (env *testEnv) withClock(c clock.Clock) *testEnv {
	other := *env
	other.clock, other.outbox = c, NewOutbox(env.db, c)
	return &other
}

// Three processes whose clocks differ by seconds, as those of machines do, and by less than a lease: they
// share the work, and no attempt is sent twice or early.
func TestEnginesWhoseClocksDiffer(t *testing.T) {
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
	eventually(t, "all are delivered", func() bool { return env.count(`SELECT count(*) FROM deliveries_delivered`) == events })
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

// An engine whose clock is hours ahead looks for work while another one's exchanges are under way: the
// leases hold, for the database's clock judges them.
func TestAnEngineHoursAheadTakesNothingOverTheirLease(t *testing.T) {
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
	key := endpointKey{env.account, env.firstEndpoint()}
	if got := ahead.claim(key, 10, other.newLease()); len(got) != 0 {
		t.Errorf("claimed %d", len(got))
	}
	close(release)
	eventually(t, "all are delivered", func() bool { return env.count(`SELECT count(*) FROM deliveries_delivered`) == 3 })
	if n := s.total.Load(); n != 3 {
		t.Errorf("%d requests", n)
	}
}

// What a process records whose clock is ahead goes at once all the same.
func TestAWriterHoursAheadDelaysNothing(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	env.register(s.URL)
	env.engineOf(NewOutbox(env.db, env.clock), Config{})
	env.withClock(clock.Clock{Now: func() time.Time { return time.Now().Add(2 * time.Hour) }}).record(1)
	s.next(t)
}

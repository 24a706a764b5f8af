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
func (h *house) settled(attempts ...int) {
	h.t.Helper()
	eventually(h.t, "attempts are stored", func() bool {
		list, _, err := h.deliveries.List(context.Background(), Filter{Account: h.account, State: Pending})
		must(h.t, err)
		made := make([]int, len(list))
		for i, one := range list {
			made[i] = one.Attempts
		}
		slices.Sort(made)
		return slices.Equal(made, attempts)
	})
}

// attemptOf is the number of the attempt that a request belongs to, 0 if it names none.
func attemptOf(header http.Header) int {
	n, _ := strconv.Atoi(header.Get("X-Vault-Delivery-Attempt"))
	return n
}

// failsTwice answers success to third attempts alone.
func failsTwice(w http.ResponseWriter, r *http.Request) {
	if attemptOf(r.Header) < 3 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// The clock of a process is set back an hour and forward an hour while retries wait: each keeps the time it was
// given, which is by the database's clock, what is new goes at once, nothing is lost and nothing comes twice.
func TestEngine_KeepsRetryTimesWhenItsClockIsSet(t *testing.T) {
	t.Parallel()
	m := newManual()
	h := newHouse(t, m.clock())
	s := h.sink(failsTwice)
	h.register(s.URL)
	e := h.engine(Config{})
	begun := m.clock().Time()
	h.record(2)
	h.settled(1, 1)
	for _, shift := range []time.Duration{-time.Hour, time.Hour} {
		m.set(begun.Add(shift))
		if _, err := e.poll(); err != nil {
			t.Fatal(err)
		}
		if key := (laneKey{h.account, h.firstEndpoint()}); len(h.claim(key, 10, e.newLease())) != 0 {
			t.Errorf("a retry is due when the process's clock is set by %v", shift)
		}
	}
	m.set(begun.Add(-time.Hour))
	h.record(1)
	h.settled(1, 1, 1)
	h.forward(DefaultRetryDelays[0] * 11 / 10)
	e.Wake()
	h.settled(2, 2, 2)
	h.forward(DefaultRetryDelays[1] * 11 / 10)
	e.Wake()
	eventually(t, "all are delivered", func() bool { return h.count(`SELECT count(*) FROM deliveries_delivered`) == 3 })
	if n := s.total.Load(); n != 3*3 {
		t.Errorf("%d requests for 3 events with 3 attempts each", n)
	}
}

// on returns the house as a process sees it that has this clock.
func (h *house) on(c clock.Clock) *house {
	other := *h
	other.clock, other.outbox = c, NewOutbox(h.db, c)
	return &other
}

// Three processes whose clocks differ by seconds, as those of machines do, and by less than a lease: they
// share the work, and no attempt is sent twice or early.
func TestEnginesWhoseClocksDiffer(t *testing.T) {
	t.Parallel()
	const apart = 4 * time.Second
	h := newHouse(t, clock.System)
	s := h.sink(func(w http.ResponseWriter, r *http.Request) {
		if attemptOf(r.Header) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	h.register(s.URL)
	const delay = 5 * time.Second
	for _, shift := range []time.Duration{-apart / 2, 0, apart / 2} {
		there := h.on(clock.Clock{Now: func() time.Time { return time.Now().Add(shift) }})
		there.engineOf(there.outbox, Config{RetryDelays: []time.Duration{delay}})
		for range 30 {
			there.record(1)
		}
		there.record(200)
	}
	const events = 3 * 230
	eventually(t, "all are delivered", func() bool { return h.count(`SELECT count(*) FROM deliveries_delivered`) == events })
	first := map[string]time.Time{}
	for range 2 * events {
		got := s.next(t)
		event := got.header.Get("X-Vault-Event-Id")
		switch before, again := first[event]; {
		case attemptOf(got.header) == 1 && !again:
			first[event] = got.at
		case attemptOf(got.header) == 1:
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
	h := newHouse(t, clock.System)
	release := make(chan struct{})
	s := h.sink(func(http.ResponseWriter, *http.Request) { <-release })
	h.register(s.URL)
	h.engine(Config{})
	h.record(3)
	for range 3 {
		s.next(t)
	}
	ahead := h.on(clock.Clock{Now: func() time.Time { return time.Now().Add(2 * time.Hour) }})
	other := ahead.engineOf(ahead.outbox, Config{})
	if _, err := other.poll(); err != nil {
		t.Fatal(err)
	}
	key := laneKey{h.account, h.firstEndpoint()}
	if got := ahead.claim(key, 10, other.newLease()); len(got) != 0 {
		t.Errorf("claimed %d", len(got))
	}
	close(release)
	eventually(t, "all are delivered", func() bool { return h.count(`SELECT count(*) FROM deliveries_delivered`) == 3 })
	if n := s.total.Load(); n != 3 {
		t.Errorf("%d requests", n)
	}
}

// What a process records whose clock is ahead goes at once all the same.
func TestAWriterHoursAheadDelaysNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	s := h.sink(nil)
	h.register(s.URL)
	h.engineOf(NewOutbox(h.db, h.clock), Config{})
	h.on(clock.Clock{Now: func() time.Time { return time.Now().Add(2 * time.Hour) }}).record(1)
	s.next(t)
}

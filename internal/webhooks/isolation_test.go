package webhooks

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/postgres"
)

func (h *house) recordPriced() {
	h.t.Helper()
	ctx := context.Background()
	must(h.t, h.db.InTx(ctx, func(tx *postgres.Tx) error {
		stamp, err := h.clock.Lock(ctx, tx, h.account)
		if err != nil {
			return err
		}
		return events.NewRecorder(h.outbox).Record(ctx, tx, stamp, events.CardPriced{})
	}))
}

// checkGoesOn sees that one delivery after another arrives.
func checkGoesOn(t *testing.T, h *house, s *sink) {
	t.Helper()
	for range 30 {
		h.recordPriced()
		s.next(t)
	}
}

// Endpoints that hang for ever with many deliveries waiting do not delay another's.
func TestHangingEndpointsDelayNobodyElse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ endpoints, events int }{
		"one with 400": {1, 400}, "fifty with 20 each": {50, 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, clock.System)
			release := make(chan struct{})
			slow := h.sink(func(http.ResponseWriter, *http.Request) { <-release })
			defer close(release)
			fast := h.sink(nil)
			for range c.endpoints {
				h.register(slow.URL, events.KindBatchCompleted)
			}
			h.register(fast.URL, events.KindCardPriced)
			h.engine(Config{Timeout: time.Hour})
			h.record(c.events)
			for range c.endpoints * min(c.events, firstWindow) {
				slow.next(t)
			}
			checkGoesOn(t, h, fast)
		})
	}
}

// Ten thousand due retries of an endpoint that refuses connections do not delay another's either: most
// have yet to be made when the others have arrived.
func TestRetriesOfADeadEndpointDelayNobodyElse(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, closed.Close())
	fast := h.sink(nil)
	h.register("http://"+closed.Addr().String(), events.KindBatchCompleted)
	h.register(fast.URL, events.KindCardPriced)
	h.record(10_000)
	if _, err := h.db.Exec(t.Context(), `UPDATE deliveries_pending SET attempts = 1 WHERE account_id = $1`, h.account); err != nil {
		t.Fatal(err)
	}
	e := h.engine(Config{})
	checkGoesOn(t, h, fast)
	waiting := h.count(`SELECT count(*) FROM deliveries_pending WHERE account_id = $1 AND attempts = 1`, h.account)
	if waiting < 5_000 {
		t.Errorf("the others waited for all but %d of 10,000 retries", waiting)
	}
	stop(t, e)
	kept := h.count(`SELECT count(*) FROM deliveries_pending WHERE account_id = $1`, h.account)
	if kept != 10_000 {
		t.Errorf("%d of 10,000 kept", kept)
	}
}

// With all slots but the kept ones taken by endpoints that hang, a newcomer and a first attempt
// still get one; a retry does not.
func TestSlotsAreKept(t *testing.T) {
	t.Parallel()
	e := &Engine{cfg: Config{InFlight: 8}}
	busy, fresh := &lane{flying: 3}, &lane{}
	first, again := &work{}, &work{attempts: 1}
	for _, c := range []struct {
		name               string
		inFlight, retrying int
		lane               *lane
		work               *work
		want               bool
	}{
		{"free", 0, 0, busy, first, true},
		{"the last quarter is not for busy endpoints", 6, 0, busy, first, false},
		{"but for others", 6, 0, fresh, first, true},
		{"half is for retries", 5, 3, busy, again, true},
		{"and not more", 5, 4, fresh, again, false},
		{"first attempts go on", 5, 4, busy, first, true},
	} {
		e.inFlight, e.retrying = c.inFlight, c.retrying
		if got := e.slot(c.lane, c.work); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A delivery can be claimed for its next attempt before this process has noted that the result of
// the last one is stored.
func TestAClaimThatOvertakesItsResultIsNotLost(t *testing.T) {
	t.Parallel()
	e := &Engine{cfg: Config{InFlightPerEndpoint: 8}, lanes: map[laneKey]*lane{}, held: map[string]*work{}, clock: clock.System}
	l := e.lane(laneKey{"acc_a", "whe_a"})
	first, next := &work{key: l.key, id: "dlv_a", claim: 1}, &work{key: l.key, id: "dlv_a", claim: 2}
	e.take(l, first)
	e.shift(l)
	batch := []result{{work: first}}
	if claims := e.storing(batch); claims[0] != 1 {
		t.Fatalf("stored under claim %d", claims[0])
	}
	e.take(l, next)
	e.stored(batch)
	if len(l.buffer) != 1 || l.buffer[0] != next || e.held["dlv_a"] != next {
		t.Fatalf("the lane has %v", l.buffer)
	}

	// If the result could not be stored, the new claim is what it will be stored under.
	e.shift(l)
	batch = []result{{work: next}}
	e.storing(batch)
	e.take(l, &work{key: l.key, id: "dlv_a", claim: 3})
	e.notStored(batch)
	if claims := e.storing(batch); claims[0] != 3 || len(l.buffer) != 0 {
		t.Fatalf("stored under claim %d", claims[0])
	}
}

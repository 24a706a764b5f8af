package webhooks

import (
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/netguard"
)

func (h *house) counted() int {
	return h.count(`SELECT endpoints FROM account_clock WHERE account_id = $1`, h.account)
}

func TestTheClockCountsExistingEndpoints(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	ctx := t.Context()
	a, _ := h.register("http://127.0.0.1:9999/a")
	b, _ := h.register("http://127.0.0.1:9999/b")
	must(t, h.endpoints.Disable(ctx, h.account, a.ID))
	if n := h.counted(); n != 2 {
		t.Errorf("%d counted, want 2: a disabled one exists", n)
	}
	must(t, h.endpoints.Delete(ctx, h.account, a.ID))
	must(t, h.endpoints.Delete(ctx, h.account, strings.ToUpper(b.ID)))
	if err := h.endpoints.Delete(ctx, h.account, a.ID); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	if n := h.counted(); n != 0 {
		t.Errorf("%d counted, want 0", n)
	}
	if list, err := h.endpoints.List(ctx, h.account); err != nil || len(list) != 0 {
		t.Errorf("List = %v, %v", list, err)
	}
	if n := h.count(`SELECT count(*) FROM webhook_endpoints WHERE length(secret) > 0 OR previous_secret IS NOT NULL`); n != 0 {
		t.Errorf("%d deleted endpoints keep a secret", n)
	}
}

func TestRegisterTakesPublicHTTPSOnly(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	strict := NewEndpoints(h.db, h.clock, netguard.New(netguard.Config{}), h.keys, h.outbox)
	for _, url := range []string{"http://93.184.215.14/", "https://127.0.0.1/", "https://10.0.0.1/hook", "https://localhost/", "ftp://example.com/", "example.com", ""} {
		if _, _, err := strict.Register(t.Context(), h.account, url, nil); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%q: %v", url, err)
		}
	}
	if _, _, err := strict.Register(t.Context(), h.account, "https://93.184.215.14/hook", nil); err != nil {
		t.Error(err)
	}
	if _, _, err := strict.Register(t.Context(), h.account, "https://93.184.215.14/hook", []events.Kind{"card.eaten"}); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("unknown kind: %v", err)
	}
	unknown := id.New(id.Account, time.Now())
	if _, _, err := strict.Register(t.Context(), unknown, "https://93.184.215.14/hook", nil); !fault.Is(err, fault.AccountNotFound) {
		t.Errorf("unknown account: %v", err)
	}
}

func TestGetAndListTellWhatWasRegistered(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	made, secret := h.register("http://127.0.0.1:9999/a", events.KindCardPriced, events.KindCardIdentified, events.KindCardPriced)
	got, err := h.endpoints.Get(t.Context(), h.account, made.ID)
	must(t, err)
	if got.URL != made.URL || !got.Enabled || len(got.Events) != 2 || got.Events[0] != events.KindCardIdentified || !got.CreatedAt.Equal(made.CreatedAt) {
		t.Errorf("got %+v", got)
	}
	if list, err := h.endpoints.List(t.Context(), h.account); err != nil || len(list) != 1 || list[0].ID != made.ID {
		t.Errorf("List = %v, %v", list, err)
	}
	if _, err := h.endpoints.Get(t.Context(), h.newAccount(), made.ID); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("from another account: %v", err)
	}
	if n := h.count(`SELECT count(*) FROM webhook_endpoints WHERE position($1::bytea IN secret) > 0`, []byte(secret)); n != 0 {
		t.Error("the secret is stored as it is")
	}
}

// For the grace both secrets sign, after it only the new one.
func TestRotationSignsByBothSecretsForTheGrace(t *testing.T) {
	t.Parallel()
	m := newManual()
	h := newHouse(t, m.clock())
	s := h.sink(nil)
	e, old := h.register(s.URL)
	h.engine(Config{})
	h.record(1)
	s.next(t)
	fresh, err := h.endpoints.RotateSecret(t.Context(), h.account, e.ID, time.Hour)
	must(t, err)
	for _, c := range []struct {
		name     string
		after    time.Duration
		oldHolds bool
	}{{"in the grace", 0, true}, {"at its end", time.Hour, false}} {
		m.set(m.clock().Time().Add(c.after))
		h.record(1)
		got := s.next(t)
		header := got.header.Get(Header)
		if err := Verify(fresh, header, []byte(got.body), got.at); err != nil {
			t.Errorf("%s: new secret: %v", c.name, err)
		}
		if err := Verify(old, header, []byte(got.body), got.at); (err == nil) != c.oldHolds {
			t.Errorf("%s: old secret: %v", c.name, err)
		}
		if n := strings.Count(header, ",v1="); n != 1 && !c.oldHolds || n != 2 && c.oldHolds {
			t.Errorf("%s: %s", c.name, header)
		}
	}
	for _, unknown := range []string{id.New(id.Endpoint, time.Now()), "whe_x"} {
		_, err := h.endpoints.RotateSecret(t.Context(), h.account, unknown, 0)
		if !fault.Is(err, fault.EndpointNotFound) || !strings.Contains(err.Error(), unknown) {
			t.Errorf("unknown endpoint: %v", err)
		}
	}
	if _, err := h.endpoints.RotateSecret(t.Context(), h.account, e.ID, -1); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("negative grace: %v", err)
	}
}

// What happens while an endpoint is disabled waits, and is sent when it is enabled.
func TestADisabledEndpointsDeliveriesWait(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	s, other := h.sink(nil), h.sink(nil)
	e, _ := h.register(s.URL)
	h.register(other.URL)
	engine := h.engine(Config{})
	must(t, h.endpoints.Disable(t.Context(), h.account, e.ID))
	h.record(2)
	h.record(handOverMax + 1)
	for range handOverMax + 3 {
		other.next(t)
	}
	if works := h.claim(laneKey{h.account, e.ID}, 10, engine.newLease()); len(works) != 0 {
		t.Fatalf("%d claimed", len(works))
	}
	if n := s.total.Load(); n != 0 {
		t.Fatalf("%d sent to a disabled endpoint", n)
	}
	must(t, h.endpoints.Enable(t.Context(), h.account, e.ID))
	for range handOverMax + 3 {
		s.next(t)
	}
}

// A deleted endpoint's deliveries end as dropped, whether due now or later.
func TestADeletedEndpointsDeliveriesAreDropped(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	s := h.sink(answer(500))
	e, _ := h.register(s.URL)
	h.engine(Config{})
	h.record(1)
	h.await("failed once", func(d Delivery) bool { return d.Attempts == 1 })
	must(t, h.endpoints.Delete(t.Context(), h.account, e.ID))
	d := h.await("dropped", inState(Dropped))
	if *d.LastError != ErrorEndpointDeleted || d.Attempts != 1 {
		t.Fatalf("%+v", d)
	}
	h.record(1)
	h.only()
	if _, err := h.deliveries.Resend(t.Context(), h.account, d.ID); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("resend: %v", err)
	}
	if n, err := h.deliveries.Replay(t.Context(), Replay{Account: h.account, DroppedOnly: true}); n != 0 || err != nil {
		t.Errorf("Replay = %d, %v", n, err)
	}
}

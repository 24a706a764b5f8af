package webhooks

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
)

// A test event goes the way of every event, to its endpoint alone, and is no event of the account.
func TestATestEventGoesTheSameWay(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	var failures atomic.Int64
	failures.Store(1)
	s := h.sink(func(w http.ResponseWriter, _ *http.Request) {
		if failures.Add(-1) >= 0 {
			w.WriteHeader(500)
		}
	})
	e, secret := h.register(s.URL+"/tested", events.KindListingSold, events.KindCardPriced)
	h.register(s.URL + "/other")
	h.engine(Config{RetryDelays: []time.Duration{10 * time.Millisecond}})
	made, err := h.deliveries.SendTest(t.Context(), h.account, e.ID, "")
	if err != nil || made.State != Pending || made.EndpointID != e.ID {
		t.Fatalf("SendTest = %+v, %v", made, err)
	}
	first := s.next(t)
	if err := Verify(secret, first.header.Get(Header), []byte(first.body), time.Now()); err != nil || first.path != "/tested" ||
		first.header.Get("X-Vault-Event") != "card.priced" || first.header.Get("X-Vault-Event-Id") != made.EventID {
		t.Errorf("%s %v %s, %v", first.path, first.header, first.body, err)
	}
	if again := s.next(t); again.body != first.body || again.header.Get("X-Vault-Delivery-Attempt") != "2" {
		t.Errorf("tried again: %v %s", again.header, again.body)
	}
	h.await("delivered", inState(Delivered))
	if n := h.count(`SELECT count(*) FROM events`); n != 0 {
		t.Errorf("%d events", n)
	}
	if _, err := h.deliveries.SendTest(t.Context(), h.account, e.ID, events.KindIdentifyFailed); err != nil {
		t.Fatal(err)
	}
	if got := s.next(t); got.header.Get("X-Vault-Event") != "identify.failed" {
		t.Errorf("of a kind asked for: %v", got.header)
	}
}

func TestSendTestRefusals(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	e, _ := h.register("http://127.0.0.1:9999/")
	if _, err := h.deliveries.SendTest(t.Context(), h.account, e.ID, "card.eaten"); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("unknown kind: %v", err)
	}
	if _, err := h.deliveries.SendTest(t.Context(), h.newAccount(), e.ID, ""); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("another account's endpoint: %v", err)
	}
	must(t, h.endpoints.Disable(t.Context(), h.account, e.ID))
	if _, err := h.deliveries.SendTest(t.Context(), h.account, e.ID, ""); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("disabled: %v", err)
	}
}

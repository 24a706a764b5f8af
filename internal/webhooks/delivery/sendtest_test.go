package delivery

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// A test event is delivered like other events, but only to its endpoint, and is not an event of the account.
func TestDeliveries_SendTest(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	var failures atomic.Int64
	failures.Store(1)
	s := env.sink(func(w http.ResponseWriter, _ *http.Request) {
		if failures.Add(-1) >= 0 {
			w.WriteHeader(500)
		}
	})
	e, secret := env.register(s.URL+"/tested", events.KindListingSold, events.KindCardPriced)
	env.register(s.URL + "/other")
	env.engine(Config{RetryDelays: []time.Duration{10 * time.Millisecond}})
	created, err := env.deliveries.SendTest(t.Context(), env.account, e.ID, "")
	if err != nil || created.State != webhooks.Pending || created.EndpointID != e.ID {
		t.Fatalf("SendTest = %+v, %v", created, err)
	}
	first := s.next(t)
	if err := webhooks.Verify(secret, first.header.Get(webhooks.Header), []byte(first.body), time.Now()); err != nil ||
		first.path != "/tested" ||
		first.header.Get("X-Vault-Event") != "card.priced" || first.header.Get("X-Vault-Event-Id") != created.EventID {
		t.Errorf("%s %v %s, %v", first.path, first.header, first.body, err)
	}
	if retry := s.next(t); retry.body != first.body || retry.header.Get("X-Vault-Delivery-Attempt") != "2" {
		t.Errorf("tried again: %v %s", retry.header, retry.body)
	}
	env.await("delivered", inState(webhooks.Delivered))
	if n := env.count(`SELECT count(*) FROM events`); n != 0 {
		t.Errorf("%d events", n)
	}
	if _, err := env.deliveries.SendTest(t.Context(), env.account, e.ID, events.KindIdentifyFailed); err != nil {
		t.Fatal(err)
	}
	if got := s.next(t); got.header.Get("X-Vault-Event") != "identify.failed" {
		t.Errorf("of a kind asked for: %v", got.header)
	}
}

func TestDeliveries_SendTestRejectsInvalidRequests(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	if _, err := env.deliveries.SendTest(t.Context(), env.account, e.ID,
		"card.eaten"); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("unknown kind: %v", err)
	}
	if _, err := env.deliveries.SendTest(t.Context(), env.newAccount(), e.ID,
		""); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("another account's endpoint: %v", err)
	}
	must(t, env.endpoints.Disable(t.Context(), env.account, e.ID))
	if _, err := env.deliveries.SendTest(t.Context(), env.account, e.ID, ""); !fault.Is(err, fault.WebhookDisabled) {
		t.Errorf("disabled: %v", err)
	}
}

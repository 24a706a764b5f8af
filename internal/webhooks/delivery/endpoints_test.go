package delivery

import (
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/webhooks"
)

func (env *testEnv) endpointCount() int {
	return env.count(`SELECT endpoints FROM account_clock WHERE account_id = $1`, env.account)
}

func TestEndpoints_CountsExistingEndpoints(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	ctx := t.Context()
	a, _ := env.register("http://127.0.0.1:9999/a")
	b, _ := env.register("http://127.0.0.1:9999/b")
	must(t, env.endpoints.Disable(ctx, env.account, a.ID))
	if n := env.endpointCount(); n != 2 {
		t.Errorf("%d endpoints counted, want 2, including the disabled one", n)
	}
	must(t, env.endpoints.Delete(ctx, env.account, a.ID))
	must(t, env.endpoints.Delete(ctx, env.account, strings.ToUpper(b.ID)))
	if err := env.endpoints.Delete(ctx, env.account, a.ID); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	if n := env.endpointCount(); n != 0 {
		t.Errorf("%d endpoints counted, want 0", n)
	}
	if list, err := env.endpoints.List(ctx, env.account); err != nil || len(list) != 0 {
		t.Errorf("List = %v, %v", list, err)
	}
	if n := env.count(`SELECT count(*) FROM webhook_endpoints
	  WHERE length(secret) > 0 OR previous_secret IS NOT NULL`); n != 0 {
		t.Errorf("%d deleted endpoints keep a secret", n)
	}
}

func TestEndpoints_RegisterRequiresPublicHTTPS(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	strict := webhooks.NewEndpoints(env.db, env.clock, netguard.New(netguard.Config{}), env.keys, env.outbox)
	for _, url := range []string{"http://93.184.215.14/", "https://127.0.0.1/", "https://10.0.0.1/hook",
		"https://localhost/", "ftp://example.com/", "example.com", ""} {
		t.Run(url, func(t *testing.T) {
			if _, _, err := strict.Register(t.Context(), env.account, url, nil); !fault.Is(err, fault.InvalidRequest) {
				t.Errorf("Register = %v, want invalid_request", err)
			}
		})
	}
	if _, _, err := strict.Register(t.Context(), env.account, "https://93.184.215.14/hook", nil); err != nil {
		t.Error(err)
	}
	if _, _, err := strict.Register(t.Context(), env.account, "https://93.184.215.14/hook",
		[]events.Kind{"card.eaten"}); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("unknown kind: %v", err)
	}
	unknown := id.New(id.Account, time.Now())
	if _, _, err := strict.Register(t.Context(), unknown, "https://93.184.215.14/hook",
		nil); !fault.Is(err, fault.AccountNotFound) {
		t.Errorf("unknown account: %v", err)
	}
}

func TestEndpoints_GetAndList(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	created, secret := env.register("http://127.0.0.1:9999/a", events.KindCardPriced, events.KindCardIdentified,
		events.KindCardPriced)
	got, err := env.endpoints.Get(t.Context(), env.account, created.ID)
	must(t, err)
	if got.URL != created.URL || !got.Enabled || len(got.Events) != 2 || got.Events[0] != events.KindCardIdentified ||
		!got.CreatedAt.Equal(created.CreatedAt) {
		t.Errorf("got %+v", got)
	}
	if list, err := env.endpoints.List(t.Context(), env.account); err != nil || len(list) != 1 ||
		list[0].ID != created.ID {
		t.Errorf("List = %v, %v", list, err)
	}
	if _, err := env.endpoints.Get(t.Context(), env.newAccount(), created.ID); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("from another account: %v", err)
	}
	if n := env.count(`SELECT count(*) FROM webhook_endpoints WHERE position($1::bytea IN secret) > 0`,
		[]byte(secret)); n != 0 {
		t.Error("the secret is stored in plain text")
	}
}

// Both secrets sign during the grace period, and only the new one after it.
func TestEndpoints_RotateSecretKeepsOldSecretForGrace(t *testing.T) {
	t.Parallel()
	manual := newManualClock()
	env := newTestEnv(t, manual.asClock())
	s := env.sink(nil)
	e, old := env.register(s.URL)
	env.engine(Config{})
	env.record(1)
	s.next(t)
	fresh, err := env.endpoints.RotateSecret(t.Context(), env.account, e.ID, time.Hour)
	must(t, err)
	for _, c := range []struct {
		name     string
		after    time.Duration
		oldHolds bool
	}{{"during grace", 0, true}, {"after grace", time.Hour, false}} {
		t.Run(c.name, func(t *testing.T) {
			manual.set(manual.asClock().Time().Add(c.after))
			env.record(1)
			got := s.next(t)
			header := got.header.Get(webhooks.Header)
			if err := webhooks.Verify(fresh, header, []byte(got.body), got.at); err != nil {
				t.Errorf("new secret: %v", err)
			}
			if err := webhooks.Verify(old, header, []byte(got.body), got.at); (err == nil) != c.oldHolds {
				t.Errorf("old secret: %v", err)
			}
			if n := strings.Count(header, ",v1="); n != 1 && !c.oldHolds || n != 2 && c.oldHolds {
				t.Errorf("wrong number of signatures: %s", header)
			}
		})
	}
	for _, unknown := range []string{id.New(id.Endpoint, time.Now()), "whe_x"} {
		_, err := env.endpoints.RotateSecret(t.Context(), env.account, unknown, 0)
		if !fault.Is(err, fault.EndpointNotFound) {
			t.Errorf("unknown endpoint: %v", err)
		}
	}
	if _, err := env.endpoints.RotateSecret(t.Context(), env.account, e.ID, -1); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("negative grace: %v", err)
	}
}

// Deliveries that were created while the endpoint was disabled are sent when it is enabled.
func TestEndpoints_DisableKeepsDeliveries(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s, other := env.sink(nil), env.sink(nil)
	e, _ := env.register(s.URL)
	env.register(other.URL)
	engine := env.engine(Config{})
	must(t, env.endpoints.Disable(t.Context(), env.account, e.ID))
	env.record(2)
	env.record(maxDirectEvents + 1)
	for range maxDirectEvents + 3 {
		other.next(t)
	}
	if jobs := env.claim(webhooks.EndpointKey{Account: env.account, Endpoint: e.ID}, 10,
		engine.newLease()); len(jobs) != 0 {
		t.Fatalf("%d claimed", len(jobs))
	}
	if n := s.total.Load(); n != 0 {
		t.Fatalf("%d sent to a disabled endpoint", n)
	}
	must(t, env.endpoints.Enable(t.Context(), env.account, e.ID))
	for range maxDirectEvents + 3 {
		s.next(t)
	}
}

// All pending deliveries of a deleted endpoint are dropped, whether due now or later.
func TestEndpoints_DeleteDropsDeliveries(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(respondWith(500))
	e, _ := env.register(s.URL)
	env.engine(Config{})
	env.record(1)
	env.await("the first failure", func(d webhooks.Delivery) bool { return d.Attempts == 1 })
	must(t, env.endpoints.Delete(t.Context(), env.account, e.ID))
	d := env.await("dropped", inState(webhooks.Dropped))
	if *d.LastError != ErrorEndpointDeleted || d.Attempts != 1 {
		t.Fatalf("%+v", d)
	}
	env.record(1)
	env.onlyDelivery()
	if _, err := env.deliveries.Resend(t.Context(), env.account, d.ID); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("resend: %v", err)
	}
	if n, err := env.deliveries.Replay(t.Context(), webhooks.Replay{Account: env.account, DroppedOnly: true}); n != 0 ||
		err != nil {
		t.Errorf("Replay = %d, %v", n, err)
	}
}

package delivery

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// Resend sends the same body as a first attempt, whatever the delivery's state.
func TestDeliveries_ResendFromEveryState(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	var status atomic.Int64
	status.Store(500)
	s := env.sink(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(status.Load())) })
	env.register(s.URL)
	env.engine(Config{RetryDelays: []time.Duration{time.Hour}})
	env.record(1)
	first := s.next(t)
	resend := func(from webhooks.State) {
		t.Helper()
		d, err := env.deliveries.Resend(t.Context(), env.account, env.onlyDelivery().ID)
		must(t, err)
		if d.State != webhooks.Pending || d.Attempts != 0 || time.Until(*d.NextAttemptAt) > 0 {
			t.Fatalf("resent from %s: %+v", from, d)
		}
		got := s.next(t)
		if got.body != first.body || got.header.Get("X-Vault-Delivery-Attempt") != "1" {
			t.Fatalf("resent from %s: attempt %s, %s", from, got.header.Get("X-Vault-Delivery-Attempt"), got.body)
		}
	}
	env.await("the first failure", func(d webhooks.Delivery) bool { return d.Attempts == 1 })
	resend(webhooks.Pending)
	env.await("the second failure", func(d webhooks.Delivery) bool { return d.Attempts == 1 })
	must(t, env.dropAll())
	resend(webhooks.Dropped)
	env.await("the third failure", func(d webhooks.Delivery) bool { return d.Attempts == 1 })
	status.Store(200)
	resend(webhooks.Pending)
	env.await("success", inState(webhooks.Delivered))
	resend(webhooks.Delivered)
	env.await("the second success", inState(webhooks.Delivered))
}

// dropAll drops all pending deliveries, as the last failed attempt does.
func (env *testEnv) dropAll() error {
	_, err := env.db.Exec(env.t.Context(), `
		WITH gone AS (DELETE FROM deliveries_pending
		  RETURNING account_id, id, endpoint_id, event_id, event_created_at, attempts)
		INSERT INTO deliveries_dropped (account_id, id, endpoint_id, event_id, event_created_at, event, body,
		  dropped_at, attempts, last_error)
		SELECT g.account_id, g.id, g.endpoint_id, g.event_id, g.event_created_at, e.event, e.body, $1, g.attempts,
		  'status: the answer was 500'
		FROM gone g JOIN events e ON e.account_id = g.account_id AND e.created_at = g.event_created_at
		  AND e.id = g.event_id`, env.clock.Time())
	return err
}

// A dropped delivery contains its body, so it can be resent after the event is deleted.
func TestDeliveries_ResendDroppedWithoutEvent(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	_, secret := env.register(s.URL)
	env.record(1)
	must(t, env.dropAll())
	if _, err := env.db.Exec(t.Context(), `DELETE FROM events`); err != nil {
		t.Fatal(err)
	}
	env.engine(Config{})
	if _, err := env.deliveries.Resend(t.Context(), env.account, env.onlyDelivery().ID); err != nil {
		t.Fatal(err)
	}
	got := s.next(t)
	if err := webhooks.Verify(secret, got.header.Get(webhooks.Header), []byte(got.body), time.Now()); err != nil ||
		got.header.Get("X-Vault-Event") != "batch.completed" {
		t.Errorf("%s %s, %v", got.header.Get("X-Vault-Event"), got.body, err)
	}
	d := env.await("success", inState(webhooks.Delivered))
	if _, err := env.deliveries.Resend(t.Context(), env.account, d.ID); !fault.Is(err, fault.EventNotFound) {
		t.Errorf("Resend of a delivered one without its event: %v", err)
	}
}

func TestDeliveries_ResendDroppedSince(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	endpoint, _ := env.register("http://127.0.0.1:9999/hook")
	env.record(1)
	must(t, env.dropAll())
	west, east := time.FixedZone("", -23*3600-59*60), time.FixedZone("", 23*3600+59*60) // RFC 3339 allows them
	for _, c := range []struct {
		since time.Time
		want  int
	}{
		{time.Now().Add(time.Hour).In(west), 0},
		{time.Now().Add(-time.Hour).In(east), 1},
	} {
		got, more, err := env.deliveries.ResendDropped(t.Context(), env.account, endpoint.ID, c.since)
		if got != c.want || more || err != nil {
			t.Errorf("ResendDropped since %s: %d, %t, %v; want %d", c.since, got, more, err, c.want)
		}
	}
}

func TestDeliveries_ListPages(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	a, _ := env.register(s.URL + "/a")
	env.register(s.URL + "/b")
	env.record(4)
	must(t, env.dropAll())
	env.record(3)
	since := env.clock.Time()
	e := env.engine(Config{})
	for range 6 {
		s.next(t)
	}
	stop(t, e)
	env.record(2)

	all := env.pages(t, webhooks.Filter{Account: env.account, Limit: 5})
	ids := make([]string, len(all))
	counts := map[webhooks.State]int{}
	for i, d := range all {
		ids[i] = d.ID
		counts[d.State]++
	}
	if len(all) != 18 || counts[webhooks.Pending] != 4 || counts[webhooks.Delivered] != 6 ||
		counts[webhooks.Dropped] != 8 {
		t.Errorf("%d deliveries: %v", len(all), counts)
	}
	if !slices.IsSortedFunc(ids, func(a, b string) int { return strings.Compare(b, a) }) ||
		len(slices.Compact(ids)) != 18 {
		t.Errorf("order %v", ids)
	}
	for _, c := range []struct {
		name   string
		filter webhooks.Filter
		want   int
	}{
		{"state", webhooks.Filter{State: webhooks.Dropped}, 8},
		{"endpoint", webhooks.Filter{Endpoint: a.ID}, 9},
		{"endpoint in upper case and state",
			webhooks.Filter{Endpoint: strings.ToUpper(a.ID), State: webhooks.Delivered}, 3},
		{"since", webhooks.Filter{Since: since}, 4},
		{"unknown endpoint", webhooks.Filter{Endpoint: id.New(id.Endpoint, time.Now())}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.filter.Account = env.account
			if got := env.pages(t, c.filter); len(got) != c.want {
				t.Errorf("%d deliveries, want %d", len(got), c.want)
			}
		})
	}
	if got := env.pages(t, webhooks.Filter{Account: env.newAccount()}); len(got) != 0 {
		t.Errorf("%d deliveries of another account", len(got))
	}
}

func (env *testEnv) pages(t *testing.T, f webhooks.Filter) (all []webhooks.Delivery) {
	t.Helper()
	for {
		page, next, err := env.deliveries.List(t.Context(), f)
		must(t, err)
		all = append(all, page...)
		if f.Cursor = next; next == "" {
			return all
		}
	}
}

func TestDeliveries_RejectsInvalidRequests(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	for name, c := range map[string]struct {
		filter webhooks.Filter
		code   fault.Code
	}{
		"state":  {webhooks.Filter{State: "lost"}, fault.InvalidRequest},
		"limit":  {webhooks.Filter{Limit: 201}, fault.InvalidRequest},
		"cursor": {webhooks.Filter{Cursor: "x"}, fault.InvalidCursor},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := env.deliveries.List(t.Context(), c.filter); !fault.Is(err, c.code) {
				t.Errorf("List: %v, want %s", err, c.code)
			}
		})
	}
	env.register("http://127.0.0.1:9999/")
	env.record(1)
	other := env.newAccount()
	for _, deliveryID := range []string{env.onlyDelivery().ID, id.New(id.Delivery, time.Now()), "dlv_x", ""} {
		t.Run("delivery "+deliveryID, func(t *testing.T) {
			_, err := env.deliveries.Get(t.Context(), other, deliveryID)
			if !fault.Is(err, fault.DeliveryNotFound) {
				t.Errorf("Get: %v, want delivery_not_found", err)
			}
			_, err = env.deliveries.Resend(t.Context(), other, deliveryID)
			if !fault.Is(err, fault.DeliveryNotFound) {
				t.Errorf("Resend: %v, want delivery_not_found", err)
			}
		})
	}
}

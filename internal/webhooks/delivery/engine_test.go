package delivery

import (
	"context"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/webhooks"
)

func TestEngine_SignsSendsAndStores(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("thanks")) })
	_, secret := env.register(s.URL + "/hook")
	env.engine(Config{})
	env.record(1)

	got := s.next(t)
	d := env.await("delivered", inState(webhooks.Delivered))
	var body string
	must(t, env.db.Get(t.Context(), &body, `SELECT body FROM events WHERE account_id = $1 AND id = $2`, env.account,
		d.EventID))
	if got.body != body {
		t.Errorf("sent %s, stored %s", got.body, body)
	}
	if err := webhooks.Verify(secret, got.header.Get(webhooks.Header), []byte(got.body), time.Now()); err != nil {
		t.Error(err)
	}
	want := map[string]string{
		"Content-Type": "application/json", "User-Agent": "CardVault-Webhooks/1", "X-Vault-Event": "batch.completed",
		"X-Vault-Event-Id": d.EventID, "X-Vault-Delivery-Attempt": "1", "Content-Length": strconv.Itoa(len(body)),
	}
	for name, value := range want {
		if got.header.Get(name) != value {
			t.Errorf("%s: %q, want %q", name, got.header.Get(name), value)
		}
	}
	attempts, err := env.deliveries.Attempts(t.Context(), env.account, d.ID)
	must(t, err)
	if len(attempts) != 1 || attempts[0].Attempt != 1 || *attempts[0].Status != 200 || attempts[0].Class != "" ||
		attempts[0].Response != "thanks" || attempts[0].Duration <= 0 {
		t.Errorf("attempts %+v", attempts)
	}
	if d.Attempts != 1 || *d.LastStatus != 200 || d.LastError != nil || d.NextAttemptAt != nil || d.FinishedAt == nil {
		t.Errorf("delivery %+v", d)
	}
}

func TestOutbox_EnqueuesSubscribedKinds(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	env.register(s.URL+"/none", events.KindCardPriced)
	env.register(s.URL+"/some", events.KindBatchCompleted, events.KindCardPriced)
	env.register(s.URL + "/all")
	env.record(1)
	env.record(maxDirectEvents + 1) // too many events for the direct path
	if n := env.count(`SELECT count(*) FROM deliveries_pending WHERE account_id = $1`,
		env.account); n != 2*(maxDirectEvents+2) {
		t.Fatalf("%d deliveries", n)
	}
}

// Each attempt of the default schedule is never early, at most 10 % late, and signed at its own time over the same
// body. The last failure drops the delivery.
func TestEngine_KeepsScheduleAndDropsAfterLastFailure(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(respondWith(http.StatusInternalServerError))
	_, secret := env.register(s.URL)
	e := env.engine(Config{})
	env.record(1)
	first := s.next(t)
	last := first
	for i, delay := range DefaultRetryDelays {
		attempt := i + 1
		d := env.await("attempt stored", func(d webhooks.Delivery) bool { return d.Attempts == attempt })
		wait := d.NextAttemptAt.Sub(last.at)
		if d.State != webhooks.Pending || wait < delay || wait > delay+delay/10+testTimeout || *d.LastStatus != 500 ||
			*d.LastError != "status: the answer was 500" {
			t.Fatalf("after attempt %d: %+v, waits %v", attempt, d, wait)
		}
		if early := env.claim(webhooks.EndpointKey{Account: env.account, Endpoint: d.EndpointID}, 1,
			e.newLease()); len(early) > 0 {
			t.Fatalf("claimed %d early", len(early))
		}
		env.advanceDueTimes(time.Until(*d.NextAttemptAt))
		e.Wake()
		last = s.next(t)
		if last.header.Get("X-Vault-Delivery-Attempt") != strconv.Itoa(attempt+1) || last.body != first.body {
			t.Fatalf("attempt %s with body %s", last.header.Get("X-Vault-Delivery-Attempt"), last.body)
		}
		if err := webhooks.Verify(secret, last.header.Get(webhooks.Header), []byte(last.body), last.at); err != nil {
			t.Fatalf("attempt %d: %v", attempt+1, err)
		}
	}
	d := env.await("dropped", inState(webhooks.Dropped))
	if d.Attempts != 7 || *d.LastStatus != 500 || d.NextAttemptAt != nil {
		t.Fatalf("%+v", d)
	}
}

func TestEngine_DeliversBurst(t *testing.T) {
	t.Parallel()
	const n = 20_000
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	env.register(s.URL)
	e := env.engine(Config{})
	env.record(n)
	seen := map[string]bool{}
	for range n {
		seen[s.next(t).header.Get("X-Vault-Event-Id")] = true
	}
	stop(t, e)
	if len(seen) != n || s.total.Load() != n {
		t.Errorf("%d events in %d requests, want %d", len(seen), s.total.Load(), n)
	}
	if left := env.count(`SELECT count(*) FROM deliveries_pending`); left != 0 {
		t.Errorf("%d deliveries pending", left)
	}
	if stored := env.count(`SELECT count(*) FROM deliveries_delivered WHERE account_id = $1`,
		env.account); stored != n {
		t.Errorf("%d stored as delivered", stored)
	}
}

// Stop waits for the running attempts, stores their results and releases the other leases.
func TestEngine_StopDrainsAndReleases(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	release := make(chan struct{})
	s := env.sink(func(http.ResponseWriter, *http.Request) { <-release })
	env.register(s.URL)
	e := env.engine(Config{InFlightPerEndpoint: 1})
	env.record(10)
	s.next(t)
	stopped := make(chan error)
	go func() { stopped <- e.Stop(context.Background()) }()
	eventually(t, "the engine to stop", func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return !e.scheduler.running
	})
	close(release)
	must(t, <-stopped)
	if n := env.count(`SELECT count(*) FROM deliveries_delivered WHERE account_id = $1`, env.account); n != 1 {
		t.Errorf("%d delivered, want 1", n)
	}
	if n := env.count(`SELECT count(*) FROM deliveries_pending WHERE account_id = $1 AND leased_until IS NULL
	  AND handed_until IS NULL AND attempts = 0`, env.account); n != 9 {
		t.Errorf("%d released, want 9", n)
	}
}

// After the shutdown timeout, Stop cancels the running attempts. They do not count.
func TestEngine_StopCancelsWithoutCountingAttempt(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	release := make(chan struct{})
	s := env.sink(func(http.ResponseWriter, *http.Request) { <-release })
	defer close(release)
	env.register(s.URL)
	e := env.engine(Config{})
	env.record(1)
	s.next(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := e.Stop(ctx); err == nil {
		t.Error("Stop returned no error")
	}
	if n := env.count(`SELECT count(*) FROM deliveries_pending WHERE leased_until IS NULL AND handed_until IS NULL
	  AND attempts = 0`); n != 1 {
		t.Error("the delivery was not released unchanged")
	}
	if n := env.count(`SELECT count(*) FROM delivery_attempts`); n != 0 {
		t.Errorf("%d attempts logged", n)
	}
}

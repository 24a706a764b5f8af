package delivery

import (
	"testing"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
)

// Backfill sends the events before the registration; later events are delivered anyway. Each event arrives once.
func TestDeliveries_BackfillSendsEachEventOnce(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	ctx := t.Context()
	s := env.sink(nil)
	env.register(s.URL + "/other")
	env.record(2)
	since := env.clock.Time()
	env.record(5)
	env.record(3)
	e, _ := env.register(s.URL + "/late")
	never, _ := env.register(s.URL+"/never", events.KindListingSold)
	env.record(4)
	env.engine(Config{})
	for endpoint, want := range map[string]int{e.ID: 8, never.ID: 0} {
		if n, err := env.deliveries.Backfill(ctx, env.account, endpoint, since, 20); n != want || err != nil {
			t.Fatalf("Backfill = %d, %v, want %d", n, err, want)
		}
	}
	eventually(t, "all are delivered", env.delivered(14+12))
	seen := map[string]int{}
	for range 26 {
		if got := s.next(t); got.path == "/late" {
			seen[got.header.Get("X-Vault-Event-Id")]++
		}
	}
	for event, n := range seen {
		if n != 1 {
			t.Errorf("event %s arrived %d times, want once", event, n)
		}
	}
	if len(seen) != 12 {
		t.Errorf("%d events arrived, want 12", len(seen))
	}
	if _, err := env.deliveries.Backfill(ctx, env.newAccount(), e.ID, since,
		0); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("another account's endpoint: %v", err)
	}
}

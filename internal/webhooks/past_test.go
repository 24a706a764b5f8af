package webhooks

import (
	"testing"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
)

// An endpoint registered between events gets each event since the time once: past ones because it
// asks for them, newer ones anyway.
func TestPastEventsComeOnceEach(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	ctx := t.Context()
	s := h.sink(nil)
	h.register(s.URL + "/other")
	h.record(2)
	since := h.clock.Time()
	h.record(5)
	h.record(3)
	e, _ := h.register(s.URL + "/late")
	never, _ := h.register(s.URL+"/never", events.KindListingSold)
	h.record(4)
	h.engine(Config{})
	for endpoint, want := range map[string]int{e.ID: 8, never.ID: 0} {
		if n, err := h.deliveries.SendPast(ctx, h.account, endpoint, since, 20); n != want || err != nil {
			t.Fatalf("SendPast = %d, %v, want %d", n, err, want)
		}
	}
	eventually(t, "all are delivered", h.delivered(14+12))
	seen := map[string]int{}
	for range 26 {
		if got := s.next(t); got.path == "/late" {
			seen[got.header.Get("X-Vault-Event-Id")]++
		}
	}
	for event, n := range seen {
		if n != 1 {
			t.Errorf("%s came %d times", event, n)
		}
	}
	if len(seen) != 12 {
		t.Errorf("%d events came", len(seen))
	}
	if _, err := h.deliveries.SendPast(ctx, h.newAccount(), e.ID, since, 0); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("another account's endpoint: %v", err)
	}
}

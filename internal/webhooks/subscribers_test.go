package webhooks

import (
	"slices"
	"testing"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
)

// TestChangesMadeElsewhereHoldAtTheNextWrite has one process write events and another one change the
// endpoints in between: what the first remembers of them must never be used once it is old.
func TestChangesMadeElsewhereHoldAtTheNextWrite(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	elsewhere := NewEndpoints(h.db, h.clock, devGuard(), h.keys, NewOutbox(h.db, h.clock))
	ctx := t.Context()
	register := func(kinds ...events.Kind) string {
		t.Helper()
		made, _, err := elsewhere.Register(ctx, h.account, "https://127.0.0.1/", kinds)
		must(t, err)
		return made.ID
	}
	// made is how many deliveries one more event makes.
	made := func() (n int) {
		t.Helper()
		before := h.count(`SELECT count(*) FROM deliveries_pending`)
		h.record(1)
		return h.count(`SELECT count(*) FROM deliveries_pending`) - before
	}
	steps := []struct {
		name   string
		change func()
		want   int
	}{
		{"none", func() {}, 0},
		{"one", func() { register() }, 1},
		{"the same one", func() {}, 1},
		{"two", func() { register() }, 2},
		{"a third, for other events", func() { register(events.KindCardPriced) }, 2},
		{"the first deleted", func() { must(t, elsewhere.Delete(ctx, h.account, h.firstEndpoint())) }, 1},
	}
	for _, step := range steps {
		step.change()
		if got := made(); got != step.want {
			t.Errorf("%s: %d deliveries, want %d", step.name, got, step.want)
		}
	}
}

// TestADisabledEndpointGetsNoLease disables an endpoint that the writer remembers as enabled while an
// engine runs beside it.
func TestADisabledEndpointGetsNoLease(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	sink := h.sink(nil)
	endpoint, _ := h.register(sink.URL)
	h.engine(Config{})
	h.record(1)
	h.await("the first", func(d Delivery) bool { return d.State == Delivered })
	elsewhere := NewEndpoints(h.db, h.clock, devGuard(), h.keys, NewOutbox(h.db, h.clock))
	must(t, elsewhere.Disable(t.Context(), h.account, endpoint.ID))
	h.record(1)
	if n := h.count(`SELECT count(*) FROM deliveries_pending WHERE claim_id IS NULL AND handed_until IS NULL`); n != 1 {
		t.Errorf("%d deliveries wait without a lease, want 1", n)
	}
}

func (h *house) firstEndpoint() string {
	h.t.Helper()
	list, err := h.endpoints.List(h.t.Context(), h.account)
	must(h.t, err)
	ids := make([]string, len(list))
	for i, e := range list {
		ids[i] = e.ID
	}
	return slices.Min(ids)
}

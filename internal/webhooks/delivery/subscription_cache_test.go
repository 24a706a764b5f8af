package delivery

import (
	"slices"
	"testing"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// Another process changes the endpoints between the writes of this one. No write may use outdated endpoints from the
// cache.
func TestSubscriptionCache_SeesChangesOfOtherProcesses(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	otherProcess := webhooks.NewEndpoints(env.db, env.clock, devGuard(), env.keys, NewOutbox(env.db, env.clock))
	ctx := t.Context()
	register := func(kinds ...events.Kind) string {
		t.Helper()
		enqueued, _, err := otherProcess.Register(ctx, env.account, "https://127.0.0.1/", kinds)
		must(t, err)
		return enqueued.ID
	}
	// enqueued returns the number of deliveries that one more event creates.
	enqueued := func() (n int) {
		t.Helper()
		before := env.count(`SELECT count(*) FROM deliveries_pending`)
		env.record(1)
		return env.count(`SELECT count(*) FROM deliveries_pending`) - before
	}
	steps := []struct {
		name   string
		change func()
		want   int
	}{
		{"no endpoint", func() {}, 0},
		{"one endpoint", func() { register() }, 1},
		{"cached", func() {}, 1},
		{"two endpoints", func() { register() }, 2},
		{"third endpoint with other events", func() { register(events.KindCardPriced) }, 2},
		{"first endpoint deleted", func() { must(t, otherProcess.Delete(ctx, env.account, env.firstEndpoint())) }, 1},
	}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			step.change()
			if got := enqueued(); got != step.want {
				t.Errorf("%d deliveries, want %d", got, step.want)
			}
		})
	}
}

// Another process disables an endpoint that is cached as enabled.
func TestSubscriptionCache_DisabledEndpointGetsNoLease(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	sink := env.sink(nil)
	endpoint, _ := env.register(sink.URL)
	env.engine(Config{})
	env.record(1)
	env.await("the first delivery", func(d webhooks.Delivery) bool { return d.State == webhooks.Delivered })
	otherProcess := webhooks.NewEndpoints(env.db, env.clock, devGuard(), env.keys, NewOutbox(env.db, env.clock))
	must(t, otherProcess.Disable(t.Context(), env.account, endpoint.ID))
	env.record(1)
	if n := env.count(`SELECT count(*) FROM deliveries_pending WHERE claim_id IS NULL
	  AND handed_until IS NULL`); n != 1 {
		t.Errorf("%d deliveries without a lease, want 1", n)
	}
}

func (env *testEnv) firstEndpoint() string {
	env.t.Helper()
	list, err := env.endpoints.List(env.t.Context(), env.account)
	must(env.t, err)
	ids := make([]string, len(list))
	for i, e := range list {
		ids[i] = e.ID
	}
	return slices.Min(ids)
}

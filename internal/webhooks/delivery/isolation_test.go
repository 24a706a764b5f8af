package delivery

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/netguard/netguardtest"
	"github.com/cardvault/cardvault/internal/postgres"
)

func (env *testEnv) recordPriced() {
	env.t.Helper()
	ctx := context.Background()
	must(env.t, env.db.InTx(ctx, func(tx *postgres.Tx) error {
		stamp, err := env.clock.Lock(ctx, tx, env.account)
		if err != nil {
			return err
		}
		return events.NewRecorder(env.outbox).Record(ctx, tx, stamp, events.CardPriced{})
	}))
}

// checkDeliversPromptly checks that deliveries arrive one after the other.
func checkDeliversPromptly(t *testing.T, env *testEnv, s *sink) {
	t.Helper()
	for range 30 {
		env.recordPriced()
		s.next(t)
	}
}

// Hanging endpoints with many waiting deliveries do not delay the deliveries of another endpoint.
func TestEngine_HangingEndpointsDoNotDelayOthers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ endpoints, events int }{
		"one with 400 events": {1, 400}, "fifty with 20 events": {50, 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := newTestEnv(t, clock.System)
			release := make(chan struct{})
			slow := env.sink(func(http.ResponseWriter, *http.Request) { <-release })
			defer close(release)
			fast := env.sink(nil)
			for range c.endpoints {
				env.register(slow.URL, events.KindBatchCompleted)
			}
			env.register(fast.URL, events.KindCardPriced)
			env.engine(Config{Timeout: time.Hour})
			env.record(c.events)
			for range c.endpoints * min(c.events, initialWindow) {
				slow.next(t)
			}
			checkDeliversPromptly(t, env, fast)
		})
	}
}

// 10,000 due retries of an endpoint that refuses connections do not delay another endpoint: most of them are still
// waiting after its deliveries arrived.
func TestEngine_RetriesDoNotDelayOthers(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	fast := env.sink(nil)
	env.register("http://"+netguardtest.RefusingAddress(t), events.KindBatchCompleted)
	env.register(fast.URL, events.KindCardPriced)
	env.record(10_000)
	if _, err := env.db.Exec(t.Context(), `UPDATE deliveries_pending SET attempts = 1 WHERE account_id = $1`,
		env.account); err != nil {
		t.Fatal(err)
	}
	e := env.engine(Config{})
	checkDeliversPromptly(t, env, fast)
	waiting := env.count(`SELECT count(*) FROM deliveries_pending WHERE account_id = $1 AND attempts = 1`, env.account)
	if waiting < 5_000 {
		t.Errorf("only %d of 10,000 retries are waiting, want at least 5,000", waiting)
	}
	stop(t, e)
	kept := env.count(`SELECT count(*) FROM deliveries_pending WHERE account_id = $1`, env.account)
	if kept != 10_000 {
		t.Errorf("%d deliveries kept, want 10,000", kept)
	}
}

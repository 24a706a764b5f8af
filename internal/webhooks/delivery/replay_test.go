package delivery

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/webhooks"
)

func (env *testEnv) delivered(n int) func() bool {
	return func() bool {
		return env.count(`SELECT count(*) FROM deliveries_delivered`) == n &&
			env.count(`SELECT count(*) FROM deliveries_pending`) == 0
	}
}

// Replay sends the endpoint's deliveries since a time once: delivered, dropped, and waiting for a retry. It does not
// send older ones or those of other endpoints.
func TestDeliveries_ReplayOneEndpoint(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	var status atomic.Int64
	status.Store(200)
	s := env.sink(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(status.Load())) })
	other := env.sink(nil)
	e, _ := env.register(s.URL)
	env.register(other.URL)
	env.engine(Config{RetryDelays: []time.Duration{time.Hour}})
	env.record(3)
	eventually(t, "the old ones are delivered", env.delivered(6))
	since := env.clock.Time()
	env.record(4)
	eventually(t, "the new ones are delivered", env.delivered(14))
	must(t, env.endpoints.Disable(t.Context(), env.account, e.ID))
	env.record(2)
	eventually(t, "the other one's are delivered",
		func() bool { return env.count(`SELECT count(*) FROM deliveries_delivered`) == 16 })
	must(t, env.dropAll())
	must(t, env.endpoints.Enable(t.Context(), env.account, e.ID))
	status.Store(500)
	env.record(1)
	eventually(t, "one waits for its retry",
		func() bool { return env.count(`SELECT count(*) FROM deliveries_pending WHERE attempts = 1`) == 1 })
	status.Store(200)
	before, others := s.total.Load(), other.total.Load()

	var calls [][2]int
	n, err := env.deliveries.Replay(t.Context(),
		webhooks.Replay{Account: env.account, Endpoint: e.ID, Since: since, Rate: 10,
			Progress: func(done, total int) { calls = append(calls, [2]int{done, total}) }})
	if err != nil || n != 7 {
		t.Fatalf("Replay = %d, %v", n, err)
	}
	if first, last := calls[0], calls[len(calls)-1]; len(calls) < 4 || first != [2]int{2, 7} || last != [2]int{7, 7} {
		t.Errorf("progress %v", calls)
	}
	eventually(t, "all are delivered", env.delivered(20))
	if n := s.total.Load() - before; n != 7 {
		t.Errorf("%d were sent", n)
	}
	if n := other.total.Load() - others; n != 0 {
		t.Errorf("%d went to the other endpoint", n)
	}
}

func TestDeliveries_ReplayDroppedSince(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	disabled, _ := env.register(s.URL + "/shut")
	env.register(s.URL + "/open")
	env.record(3)
	must(t, env.dropAll())
	between := env.clock.Time()
	env.record(dropBatch + 7)
	must(t, env.dropAll())
	must(t, env.endpoints.Disable(t.Context(), env.account, disabled.ID))
	env.engine(Config{})
	n, err := env.deliveries.Replay(t.Context(),
		webhooks.Replay{Account: env.account, Since: between, DroppedOnly: true, Rate: 10_000})
	if err != nil || n != 2*(dropBatch+7) {
		t.Fatalf("Replay = %d, %v", n, err)
	}
	if left := env.count(`SELECT count(*) FROM deliveries_dropped`); left != 6 {
		t.Errorf("%d left", left)
	}
	for range dropBatch + 7 {
		if got := s.next(t); got.path != "/open" {
			t.Fatalf("sent to %s", got.path)
		}
	}
	if n := env.count(`SELECT count(*) FROM deliveries_pending WHERE endpoint_id = $1`, disabled.ID); n != dropBatch+7 {
		t.Errorf("%d wait for the disabled endpoint", n)
	}
}

// A replay to a hanging endpoint queues only one batch, so that live events do not wait behind it.
func TestDeliveries_ReplayLeavesRoomForLiveEvents(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	release := make(chan struct{})
	s := env.sink(func(http.ResponseWriter, *http.Request) { <-release })
	e, _ := env.register(s.URL)
	env.record(100)
	must(t, env.dropAll())
	env.engine(Config{InFlightPerEndpoint: 2})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const rate, batchesPerSecond = 50, 5
	stopped := make(chan error)
	rounds := make(chan int)
	go func() {
		_, err := env.deliveries.Replay(ctx,
			webhooks.Replay{Account: env.account, Endpoint: e.ID, Rate: rate,
				Progress: func(done, _ int) { rounds <- done }})
		stopped <- err
	}()
	for range 4 {
		if done := <-rounds; done != rate/batchesPerSecond {
			t.Fatalf("%d queued for an endpoint that hangs", done)
		}
	}
	close(release)
	for running := true; running; {
		select {
		case <-rounds:
		case err := <-stopped:
			must(t, err)
			running = false
		}
	}
	eventually(t, "all are delivered", env.delivered(100))
}

// PostgreSQL aborts the first transaction. Its batch is queued by the retried transaction.
func TestDeliveries_ReplayRetriesTransaction(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	env.record(20)
	must(t, env.dropAll())
	must(t, env.endpoints.Disable(t.Context(), env.account, e.ID)) // so the endpoint has room for all
	env.failFirstCommit("deliveries_pending")
	n, err := env.deliveries.Replay(t.Context(), webhooks.Replay{Account: env.account, Endpoint: e.ID, Rate: 50})
	if err != nil || n != 20 {
		t.Errorf("Replay = %d, %v, want 20", n, err)
	}
	if left := env.count(`SELECT count(*) FROM deliveries_dropped`); left != 0 {
		t.Errorf("%d deliveries were skipped", left)
	}
}

// failFirstCommit makes the first transaction that inserts into table fail to serialize when it commits.
func (env *testEnv) failFirstCommit(table string) {
	env.t.Helper()
	for _, statement := range []string{
		`CREATE SEQUENCE commits`,
		`CREATE FUNCTION fail_first() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN
				IF nextval('commits') = 1 THEN RAISE 'injected' USING ERRCODE = 'serialization_failure'; END IF;
				RETURN NULL;
			END $$`,
		`CREATE CONSTRAINT TRIGGER fail_first AFTER INSERT ON ` + table + `
			DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_first()`,
	} {
		_, err := env.db.Exec(env.t.Context(), statement)
		must(env.t, err)
	}
}

func TestDeliveries_ReplayStopsOnCancel(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	env.record(10)
	must(t, env.dropAll())
	ctx, cancel := context.WithCancel(t.Context())
	n, err := env.deliveries.Replay(ctx, webhooks.Replay{Account: env.account, Endpoint: e.ID, Rate: 1,
		Progress: func(int, int) { cancel() }})
	if n != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("Replay = %d, %v", n, err)
	}
	if left := env.count(`SELECT count(*) FROM deliveries_dropped`); left != 9 {
		t.Errorf("%d left", left)
	}
}

func TestDeliveries_ReplayRejectsInvalidRequests(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	if _, err := env.deliveries.Replay(t.Context(),
		webhooks.Replay{Account: env.newAccount(), Endpoint: e.ID}); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("another account's endpoint: %v", err)
	}
	if _, err := env.deliveries.Replay(t.Context(),
		webhooks.Replay{Account: env.account, Rate: -1}); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("a negative rate: %v", err)
	}
}

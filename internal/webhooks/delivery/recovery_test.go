package delivery

import (
	"context"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// Two processes use one database. No attempt is sent twice, neither first attempts nor retries.
func TestEngine_TwoEnginesSendOnce(t *testing.T) {
	t.Parallel()
	const n = 1500
	env := newTestEnv(t, clock.System)
	s := env.sink(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Vault-Delivery-Attempt") == "1" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	env.register(s.URL + "/a")
	env.register(s.URL + "/b")
	cfg := Config{RetryDelays: []time.Duration{20 * time.Millisecond}}
	env.engine(cfg)
	env.engineOf(NewOutbox(env.db, env.clock), cfg)
	for range 3 {
		env.record(n / 3)
	}
	for range 20 {
		env.record(1)
	}
	type attempt struct{ event, number string }
	counts := map[attempt]int{}
	for range 2 * 2 * (n + 20) {
		got := s.next(t)
		counts[attempt{got.header.Get("X-Vault-Event-Id"), got.header.Get("X-Vault-Delivery-Attempt")}]++
	}
	for a, count := range counts {
		if count != 2 { // once to each of the two endpoints
			t.Fatalf("attempt %s of %s was sent %d times to two endpoints", a.number, a.event, count)
		}
	}
	eventually(t, "all stored", func() bool { return env.count(`SELECT count(*) FROM deliveries_pending`) == 0 })
	if total := s.total.Load(); total != 2*2*(n+20) {
		t.Errorf("%d requests", total)
	}
}

// A process crashes with a claim. Its deliveries are not claimed before the lease expires, and are afterwards.
func TestEngine_ReclaimsExpiredLease(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	endpoint, _ := env.register(s.URL)
	env.record(3)
	key := webhooks.EndpointKey{Account: env.account, Endpoint: endpoint.ID}
	start := env.clock.Time()
	expired := lease{id: 99, length: time.Minute}
	claimed := env.claim(key, 10, expired)
	if len(claimed) != 3 {
		t.Fatalf("claimed %d", len(claimed))
	}
	if got := env.claim(key, 10, lease{id: 100, length: time.Minute}); len(got) != 0 {
		t.Fatalf("claimed %d under the lease", len(got))
	}
	e := env.engine(Config{})
	env.expireLeases()
	e.Wake()
	for range 3 {
		s.next(t)
	}
	eventually(t, "delivered", func() bool { return env.count(`SELECT count(*) FROM deliveries_delivered`) == 3 })

	// The result of an expired claim is not stored.
	r := result{job: claimed[0], outcome: outcomeRetried, class: "timeout", started: start, retryAt: start}
	must(t, storeResults(t.Context(), env.db, []result{r}, []int64{expired.id}, start))
	if n := env.count(`SELECT count(*) FROM deliveries_pending`); n != 0 {
		t.Error("an expired claim changed its delivery")
	}
}

// expireLeases ends all leases now by the database's clock.
func (env *testEnv) expireLeases() {
	env.t.Helper()
	env.exec(`UPDATE deliveries_pending SET leased_until = CASE WHEN leased_until IS NOT NULL THEN now() END,
	                                      handed_until = CASE WHEN handed_until IS NOT NULL THEN now() END`)
	env.exec(`UPDATE endpoint_wakeups SET wake_at = least(wake_at, now())`)
}

// The leases expire during the attempt. The engine claims the deliveries again, but does not send them a second time.
func TestEngine_SendsOnceWhenLeaseExpires(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	release := make(chan struct{})
	s := env.sink(func(http.ResponseWriter, *http.Request) { <-release })
	endpoint, _ := env.register(s.URL)
	e := env.engine(Config{})
	env.record(1)
	s.next(t)
	env.expireLeases()
	before := env.count(`SELECT claim_id FROM deliveries_pending`)
	e.wakeEndpoints([]webhooks.EndpointKey{{Account: env.account, Endpoint: endpoint.ID}})
	eventually(t, "a new claim", func() bool { return env.count(`SELECT claim_id FROM deliveries_pending`) != before })
	close(release)
	env.await("delivered", inState(webhooks.Delivered))
	if n := s.total.Load(); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// Results are kept in memory while the database is not available, and stored afterwards. Nothing is sent twice, even if
// the leases expire during the outage.
func TestEngine_RecoversFromDatabaseOutage(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	release := make(chan struct{})
	s := env.sink(func(http.ResponseWriter, *http.Request) { <-release })
	env.register(s.URL)
	e := env.engine(Config{})
	env.record(5)
	for range 5 {
		s.next(t)
	}
	env.expireLeases()
	reconnect := disconnect(t, env.db)
	close(release)
	eventually(t, "the engine notices", func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.scheduler.inFlight == 0
	})
	reconnect()
	eventually(t, "back", func() bool { return env.db.Ping(context.Background()) == nil })
	eventually(t, "all delivered", func() bool { return env.count(`SELECT count(*) FROM deliveries_delivered`) == 5 })
	eventually(t, "an event is recorded", func() bool { return env.tryRecord(env.account, 1) == nil })
	s.next(t)
	eventually(t, "delivered too", func() bool { return env.count(`SELECT count(*) FROM deliveries_delivered`) == 6 })
	if n := s.total.Load(); n != 6 {
		t.Errorf("%d requests for 6 events", n)
	}
}

// disconnect makes the database refuse connections until back is called.
func disconnect(t *testing.T, db *postgres.DB) (reconnect func()) {
	t.Helper()
	var name string
	must(t, db.Get(t.Context(), &name, `SELECT current_database()`))
	admin, err := postgres.Open(postgres.Config{URL: os.Getenv("CARDVAULT_TEST_DATABASE_URL"), MaxConns: 1,
		Unprepared: true})
	must(t, err)
	run := func(statement string) {
		if _, err := admin.Exec(context.Background(), statement); err != nil {
			t.Error(err)
		}
	}
	run("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false")
	run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'")
	reconnect = sync.OnceFunc(func() { run("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true"); admin.Close() })
	t.Cleanup(reconnect)
	return reconnect
}

// An engine that starts before the database is available sends when it becomes available.
func TestEngine_StartsWithoutDatabase(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	env.register(s.URL)
	env.record(1)
	reconnect := disconnect(t, env.db)
	env.engine(Config{})
	eventually(t, "away", func() bool { return env.db.Ping(context.Background()) != nil })
	reconnect()
	s.next(t)
}

// An endpoint whose secret cannot be decrypted does not affect others.
func TestEngine_SkipsEndpointWithUnknownKey(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	other := webhooks.NewEndpoints(env.db, env.clock, netguard.New(netguard.Config{AllowPrivate: true}),
		mustKeyring(t, testKey(9)), env.outbox)
	if _, _, err := other.Register(t.Context(), env.account, s.URL+"/unreadable", nil); err != nil {
		t.Fatal(err)
	}
	env.register(s.URL + "/fine")
	env.engine(Config{})
	env.record(1)
	s.next(t)
	eventually(t, "delivered", func() bool { return env.count(`SELECT count(*) FROM deliveries_delivered`) == 1 })
	if n := env.count(`SELECT count(*) FROM deliveries_pending WHERE attempts = 0`); n != 1 {
		t.Errorf("%d kept", n)
	}
}

// A plan for an empty table is slow after a burst. The first slow statement refreshes the statistics.
func TestPlannerStatistics_RefreshesAfterSlowStatement(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	env.register("http://127.0.0.1:9999/")
	env.record(3000)
	stats := &plannerStatistics{db: env.db.SQL()}
	known := func() int {
		return env.count(`SELECT reltuples::integer FROM pg_class WHERE oid = 'deliveries_pending'::regclass`)
	}
	stats.observe(t.Context(), slowStatement-1)
	if !stats.last.IsZero() {
		t.Error("a quick statement counts as slow")
	}
	stats.observe(t.Context(), slowStatement)
	if n := known(); n != 3000 {
		t.Errorf("the planner knows of %d rows", n)
	}
}

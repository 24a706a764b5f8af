package webhooks

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
)

// Two processes on one database, first attempts and retries: no attempt is sent twice.
func TestTwoEnginesNeverSendOneAttemptTwice(t *testing.T) {
	t.Parallel()
	const n = 1500
	h := newHouse(t, clock.System)
	s := h.sink(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Vault-Delivery-Attempt") == "1" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	h.register(s.URL + "/a")
	h.register(s.URL + "/b")
	cfg := Config{RetryDelays: []time.Duration{20 * time.Millisecond}}
	h.engine(cfg)
	h.engineOf(NewOutbox(h.db, h.clock), cfg)
	for range 3 {
		h.record(n / 3)
	}
	for range 20 {
		h.record(1)
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
	eventually(t, "all stored", func() bool { return h.count(`SELECT count(*) FROM deliveries_pending`) == 0 })
	if total := s.total.Load(); total != 2*2*(n+20) {
		t.Errorf("%d requests", total)
	}
}

// A process that died with a claim: nobody sends while its lease holds, somebody does after it.
func TestEngine_ReclaimsExpiredLease(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	s := h.sink(nil)
	endpoint, _ := h.register(s.URL)
	h.record(3)
	key := laneKey{h.account, endpoint.ID}
	begun := h.clock.Time()
	dead := lease{claim: 99, length: time.Minute}
	claimed := h.claim(key, 10, dead)
	if len(claimed) != 3 {
		t.Fatalf("claimed %d", len(claimed))
	}
	if got := h.claim(key, 10, lease{claim: 100, length: time.Minute}); len(got) != 0 {
		t.Fatalf("claimed %d under the lease", len(got))
	}
	e := h.engine(Config{})
	h.endLeases()
	e.Wake()
	for range 3 {
		s.next(t)
	}
	eventually(t, "delivered", func() bool { return h.count(`SELECT count(*) FROM deliveries_delivered`) == 3 })

	// The dead comes back to life and reports failure: its claim is void.
	r := result{work: claimed[0], state: stateRetried, class: "timeout", started: begun, retryAt: begun}
	must(t, storeResults(t.Context(), h.db, []result{r}, []int64{dead.claim}, begun))
	if n := h.count(`SELECT count(*) FROM deliveries_pending`); n != 0 {
		t.Error("a void claim changed its delivery")
	}
}

// endLeases has all leases end now, by the clock that judges them.
func (h *house) endLeases() {
	h.t.Helper()
	h.exec(`UPDATE deliveries_pending SET leased_until = CASE WHEN leased_until IS NOT NULL THEN now() END,
	                                      handed_until = CASE WHEN handed_until IS NOT NULL THEN now() END`)
	h.exec(`UPDATE endpoint_wakeups SET wake_at = least(wake_at, now())`)
}

// A process that outlives its own leases takes its deliveries under the new lease, and sends none of
// them again while it still does.
func TestLeasesThatEndUnderwaySendNothingTwice(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	release := make(chan struct{})
	s := h.sink(func(http.ResponseWriter, *http.Request) { <-release })
	endpoint, _ := h.register(s.URL)
	e := h.engine(Config{})
	h.record(1)
	s.next(t)
	h.endLeases()
	before := h.count(`SELECT claim_id FROM deliveries_pending`)
	e.wakeLanes([]laneKey{{h.account, endpoint.ID}})
	eventually(t, "claimed anew", func() bool { return h.count(`SELECT claim_id FROM deliveries_pending`) != before })
	close(release)
	h.await("delivered", inState(Delivered))
	if n := s.total.Load(); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// While the database is away results are kept; when it is back they are stored, nothing is sent
// again, and new deliveries flow.
func TestTheDatabaseGoesAwayAndComesBack(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	release := make(chan struct{})
	s := h.sink(func(http.ResponseWriter, *http.Request) { <-release })
	h.register(s.URL)
	e := h.engine(Config{})
	h.record(5)
	for range 5 {
		s.next(t)
	}
	back := takeAway(t, h.db)
	close(release)
	eventually(t, "the engine notices", func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.inFlight == 0
	})
	back()
	eventually(t, "back", func() bool { return h.db.Ping(context.Background()) == nil })
	eventually(t, "all delivered", func() bool { return h.count(`SELECT count(*) FROM deliveries_delivered`) == 5 })
	eventually(t, "an event is recorded", func() bool { return h.tryRecord(h.account, 1) == nil })
	s.next(t)
	eventually(t, "delivered too", func() bool { return h.count(`SELECT count(*) FROM deliveries_delivered`) == 6 })
	if n := s.total.Load(); n != 6 {
		t.Errorf("%d requests for 6 events", n)
	}
}

// takeAway makes a database refuse everyone until back is called.
func takeAway(t *testing.T, db *postgres.DB) (back func()) {
	t.Helper()
	var name string
	must(t, db.Get(t.Context(), &name, `SELECT current_database()`))
	admin, err := postgres.Open(postgres.Config{URL: os.Getenv("CARDVAULT_TEST_DATABASE_URL"), MaxConns: 1, Unprepared: true})
	must(t, err)
	run := func(statement string) {
		if _, err := admin.Exec(context.Background(), statement); err != nil {
			t.Error(err)
		}
	}
	run("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false")
	run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'")
	back = sync.OnceFunc(func() { run("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true"); admin.Close() })
	t.Cleanup(back)
	return back
}

// An engine that starts while the database is away begins by itself when it comes.
func TestAnEngineOutwaitsADatabaseThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	s := h.sink(nil)
	h.register(s.URL)
	h.record(1)
	back := takeAway(t, h.db)
	h.engine(Config{})
	eventually(t, "away", func() bool { return h.db.Ping(context.Background()) != nil })
	back()
	s.next(t)
}

// An endpoint whose secret cannot be opened is of no harm to others.
func TestAnEndpointOfAnUnknownKeyHarmsNobodyElse(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	s := h.sink(nil)
	other := NewEndpoints(h.db, h.clock, netguard.New(netguard.Config{AllowPrivate: true}), mustKeyring(t, testKey(9)), h.outbox)
	if _, _, err := other.Register(t.Context(), h.account, s.URL+"/unreadable", nil); err != nil {
		t.Fatal(err)
	}
	h.register(s.URL + "/fine")
	h.engine(Config{})
	h.record(1)
	s.next(t)
	eventually(t, "delivered", func() bool { return h.count(`SELECT count(*) FROM deliveries_delivered`) == 1 })
	if n := h.count(`SELECT count(*) FROM deliveries_pending WHERE attempts = 0`); n != 1 {
		t.Errorf("%d kept", n)
	}
}

// A burst into an idle system meets plans made for an empty table. The first slow statement has the
// planner look again.
func TestASlowStatementRefreshesStatistics(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	h.register("http://127.0.0.1:9999/")
	h.record(3000)
	stats := &statistics{db: h.db.SQL()}
	known := func() int {
		return h.count(`SELECT reltuples::integer FROM pg_class WHERE oid = 'deliveries_pending'::regclass`)
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

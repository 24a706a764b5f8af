package delivery

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/polltest"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// This package also tests webhooks.Endpoints and webhooks.Deliveries where a test needs an engine.

// testTimeout limits waiting in tests. It is generous for a busy machine.
const testTimeout = time.Minute

// testEnv is a database with an account, and the services on it.
type testEnv struct {
	t          testing.TB
	db         *postgres.DB
	clock      clock.Clock
	keys       *keyring.Keyring
	outbox     *Outbox
	endpoints  *webhooks.Endpoints
	deliveries *webhooks.Deliveries
	account    string
	url        string // of the database; set by newTestEnvWithURL
}

func newTestEnv(t testing.TB, c clock.Clock) *testEnv {
	t.Helper()
	return newTestEnvOn(t, pgtest.New(t), c)
}

func newTestEnvOn(t testing.TB, db *postgres.DB, c clock.Clock) *testEnv {
	t.Helper()
	env := &testEnv{t: t, db: db, clock: c, keys: mustKeyring(t, testKey(7))}
	env.outbox = NewOutbox(db, c)
	env.endpoints = webhooks.NewEndpoints(db, c, devGuard(), env.keys, env.outbox)
	env.deliveries = webhooks.NewDeliveries(db, c, env.outbox)
	env.account = env.newAccount()
	return env
}

// testKey returns an AES-256 key.
func testKey(b byte) []byte { return bytes.Repeat([]byte{b}, 32) }

func mustKeyring(t testing.TB, keys ...[]byte) *keyring.Keyring {
	t.Helper()
	ring, err := keyring.New(keys...)
	must(t, err)
	return ring
}

func devGuard() *netguard.Guard { return netguard.New(netguard.Config{AllowPrivate: true}) }

func (env *testEnv) newAccount() string {
	env.t.Helper()
	ctx := context.Background()
	account := id.New(id.Account, env.clock.Time())
	must(env.t, env.db.InTx(ctx, func(tx *postgres.Tx) error { return env.clock.Create(ctx, tx, account) }))
	return account
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// engine starts an engine. Several can run at the same time.
func (env *testEnv) engine(cfg Config) *Engine {
	env.t.Helper()
	return env.engineOf(env.outbox, cfg)
}

// engineOf starts the engine of another process, which has this outbox.
func (env *testEnv) engineOf(outbox *Outbox, cfg Config) *Engine {
	env.t.Helper()
	if cfg.Keys == nil {
		cfg.Keys = env.keys
	}
	e, err := NewEngine(env.db, env.clock, devGuard(), cfg, outbox)
	must(env.t, err)
	must(env.t, e.Start(context.Background()))
	env.t.Cleanup(func() { stop(env.t, e) })
	return e
}

// stop stops an engine that may already be stopped.
func stop(t testing.TB, e *Engine) {
	t.Helper()
	select {
	case <-e.quit:
		return
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	if err := e.Stop(ctx); err != nil {
		t.Errorf("Stop: %v", err)
	}
}

func (env *testEnv) register(url string, kinds ...events.Kind) (webhooks.Endpoint, string) {
	env.t.Helper()
	e, secret, err := env.endpoints.Register(context.Background(), env.account, url, kinds)
	must(env.t, err)
	return e, secret
}

// record records n events in one transaction.
func (env *testEnv) record(n int) { env.recordIn(env.account, n) }

func (env *testEnv) recordIn(account string, n int) {
	env.t.Helper()
	must(env.t, env.tryRecord(account, n))
}

func (env *testEnv) tryRecord(account string, n int) error {
	ctx := context.Background()
	data := make([]events.Data, n)
	for i := range data {
		data[i] = events.BatchCompleted{BatchID: "bat_" + strconv.Itoa(i), Name: "Autumn", CardCount: i}
	}
	return env.db.InTx(ctx, func(tx *postgres.Tx) error {
		stamp, err := env.clock.Lock(ctx, tx, account)
		if err != nil {
			return err
		}
		return events.NewRecorder(env.outbox).Record(ctx, tx, stamp, data...)
	})
}

// onlyDelivery returns the account's only delivery.
func (env *testEnv) onlyDelivery() webhooks.Delivery {
	env.t.Helper()
	list, _, err := env.deliveries.List(context.Background(), webhooks.Filter{Account: env.account})
	must(env.t, err)
	if len(list) != 1 {
		env.t.Fatalf("%d deliveries, want 1", len(list))
	}
	return list[0]
}

// await waits until the account's only delivery meets the condition, and returns it.
func (env *testEnv) await(what string, wanted func(webhooks.Delivery) bool) webhooks.Delivery {
	env.t.Helper()
	var d webhooks.Delivery
	eventually(env.t, what, func() bool { d = env.onlyDelivery(); return wanted(d) })
	return d
}

func (env *testEnv) count(query string, args ...any) (n int) {
	env.t.Helper()
	must(env.t, env.db.Get(context.Background(), &n, query, args...))
	return n
}

// claim claims an endpoint's due deliveries as an engine does that knows nothing of them.
func (env *testEnv) claim(key webhooks.EndpointKey, limit int, l lease) []*job {
	env.t.Helper()
	result, err := claim(context.Background(), env.db, env.clock,
		claimRequest{key: key, limit: limit, lease: l, dueFrom: &time.Time{}})
	must(env.t, err)
	return result.jobs
}

// advanceDueTimes makes all deliveries due earlier by d, as if d had passed.
func (env *testEnv) advanceDueTimes(d time.Duration) {
	env.t.Helper()
	must(env.t, env.db.InTx(context.Background(), func(tx *postgres.Tx) error {
		_, err := tx.Exec(context.Background(),
			`UPDATE deliveries_pending SET due_at = due_at - $1 * interval '1 microsecond'`, d.Microseconds())
		if err != nil {
			return err
		}
		_, err = tx.Exec(context.Background(), `
			UPDATE endpoint_wakeups SET wake_at = greatest(wake_at - $1 * interval '1 microsecond', now()),
			                            due_from = due_from - $1 * interval '1 microsecond'`, d.Microseconds())
		return err
	}))
}

// eventually polls a condition that sends no signal.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	polltest.Until(t, testTimeout, what, done)
}

func inState(s webhooks.State) func(webhooks.Delivery) bool {
	return func(d webhooks.Delivery) bool { return d.State == s }
}

// request is a request that a sink received.
type request struct {
	header http.Header
	path   string
	body   string
	at     time.Time // by the environment's clock
}

// sink is a receiver. It records each request and then calls its handler.
type sink struct {
	*httptest.Server
	requests chan request
	total    atomic.Int64
}

func (env *testEnv) sink(handler http.HandlerFunc) *sink {
	s := &sink{requests: make(chan request, 100_000)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		s.total.Add(1)
		s.requests <- request{r.Header, r.URL.Path, string(body), env.clock.Time()}
		if handler != nil {
			handler(w, r)
		}
	}))
	env.t.Cleanup(s.Close)
	return s
}

func (s *sink) next(t testing.TB) request {
	t.Helper()
	select {
	case got := <-s.requests:
		return got
	case <-time.After(testTimeout):
		t.Fatal("the sink received nothing")
		return request{}
	}
}

func respondWith(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

// manualClock is a clock that is set by hand.
type manualClock struct {
	mu  sync.Mutex
	now time.Time
}

func newManualClock() *manualClock {
	return &manualClock{now: time.Now().UTC().Truncate(time.Microsecond)}
}

func (manual *manualClock) asClock() clock.Clock {
	return clock.Clock{Now: func() time.Time {
		manual.mu.Lock()
		defer manual.mu.Unlock()
		return manual.now
	}}
}

func (manual *manualClock) set(t time.Time) {
	manual.mu.Lock()
	defer manual.mu.Unlock()
	manual.now = t
}

package webhooks

import (
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
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// patience is how long a test waits for what must happen, generous for a busy machine.
const patience = time.Minute

// house is a database with an account, and the package's parts on it.
type house struct {
	t          testing.TB
	db         *postgres.DB
	clock      clock.Clock
	keys       *Keyring
	outbox     *Outbox
	endpoints  *Endpoints
	deliveries *Deliveries
	account    string
	url        string // of the database; "" unless newHouseBehind made the house
}

func newHouse(t testing.TB, c clock.Clock) *house {
	t.Helper()
	return newHouseOn(t, pgtest.New(t), c)
}

func newHouseOn(t testing.TB, db *postgres.DB, c clock.Clock) *house {
	t.Helper()
	h := &house{t: t, db: db, clock: c, keys: mustKeyring(t, testKey(7))}
	h.outbox = NewOutbox(db, c)
	h.endpoints = NewEndpoints(db, c, devGuard(), h.keys, h.outbox)
	h.deliveries = NewDeliveries(db, c, h.outbox)
	h.account = h.newAccount()
	return h
}

func devGuard() *netguard.Guard { return netguard.New(netguard.Config{AllowPrivate: true}) }

func (h *house) newAccount() string {
	h.t.Helper()
	ctx := context.Background()
	account := id.New(id.Account, h.clock.Time())
	must(h.t, h.db.InTx(ctx, func(tx *postgres.Tx) error { return h.clock.Create(ctx, tx, account) }))
	return account
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// engine starts an engine of this house; more than one may run.
func (h *house) engine(cfg Config) *Engine {
	h.t.Helper()
	return h.engineOf(h.outbox, cfg)
}

// engineOf starts an engine as another process would that has this outbox.
func (h *house) engineOf(outbox *Outbox, cfg Config) *Engine {
	h.t.Helper()
	if cfg.Keys == nil {
		cfg.Keys = h.keys
	}
	e, err := NewEngine(h.db, h.clock, devGuard(), cfg, outbox)
	must(h.t, err)
	must(h.t, e.Start(context.Background()))
	h.t.Cleanup(func() { stop(h.t, e) })
	return e
}

// stop stops an engine that may have been stopped already.
func stop(t testing.TB, e *Engine) {
	t.Helper()
	select {
	case <-e.quit:
		return
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := e.Stop(ctx); err != nil {
		t.Errorf("Stop: %v", err)
	}
}

func (h *house) register(url string, kinds ...events.Kind) (Endpoint, string) {
	h.t.Helper()
	e, secret, err := h.endpoints.Register(context.Background(), h.account, url, kinds)
	must(h.t, err)
	return e, secret
}

// record records n events in one transaction.
func (h *house) record(n int) { h.recordIn(h.account, n) }

func (h *house) recordIn(account string, n int) {
	h.t.Helper()
	must(h.t, h.tryRecord(account, n))
}

func (h *house) tryRecord(account string, n int) error {
	ctx := context.Background()
	data := make([]events.Data, n)
	for i := range data {
		data[i] = events.BatchCompleted{BatchID: "bat_" + strconv.Itoa(i), Name: "Autumn", CardCount: i}
	}
	return h.db.InTx(ctx, func(tx *postgres.Tx) error {
		stamp, err := h.clock.Lock(ctx, tx, account)
		if err != nil {
			return err
		}
		return events.NewRecorder(h.outbox).Record(ctx, tx, stamp, data...)
	})
}

// only returns the account's one delivery.
func (h *house) only() Delivery {
	h.t.Helper()
	list, _, err := h.deliveries.List(context.Background(), Filter{Account: h.account})
	must(h.t, err)
	if len(list) != 1 {
		h.t.Fatalf("%d deliveries, want 1", len(list))
	}
	return list[0]
}

// await waits until the account's one delivery is as wanted, and returns it.
func (h *house) await(what string, wanted func(Delivery) bool) Delivery {
	h.t.Helper()
	var d Delivery
	eventually(h.t, what, func() bool { d = h.only(); return wanted(d) })
	return d
}

func (h *house) count(query string, args ...any) (n int) {
	h.t.Helper()
	must(h.t, h.db.Get(context.Background(), &n, query, args...))
	return n
}

// claim claims what is due of an endpoint, as an engine does that knows nothing of it.
func (h *house) claim(key laneKey, limit int, l lease) []*work {
	h.t.Helper()
	got, err := claim(context.Background(), h.db, h.clock, claimRequest{key: key, limit: limit, lease: l, dueFrom: &time.Time{}})
	must(h.t, err)
	return got.works
}

// forward has everything become due so much earlier, as if so much time had passed.
func (h *house) forward(d time.Duration) {
	h.t.Helper()
	must(h.t, h.db.InTx(context.Background(), func(tx *postgres.Tx) error {
		_, err := tx.Exec(context.Background(), `UPDATE deliveries_pending SET due_at = due_at - $1 * interval '1 microsecond'`, d.Microseconds())
		if err != nil {
			return err
		}
		_, err = tx.Exec(context.Background(), `
			UPDATE endpoint_wakeups SET wake_at = greatest(wake_at - $1 * interval '1 microsecond', now()),
			                            due_from = due_from - $1 * interval '1 microsecond'`, d.Microseconds())
		return err
	}))
}

// eventually asks again and again, for what sends no signal.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-deadline:
			t.Fatalf("never happened: %s", what)
		case <-tick.C:
		}
	}
}

func inState(s State) func(Delivery) bool { return func(d Delivery) bool { return d.State == s } }

// hit is a request that a sink received.
type hit struct {
	header http.Header
	path   string
	body   string
	at     time.Time // by the house's clock
}

// sink is a receiver. It answers by its handler, after noting the request.
type sink struct {
	*httptest.Server
	hits  chan hit
	total atomic.Int64
}

func (h *house) sink(handler http.HandlerFunc) *sink {
	s := &sink{hits: make(chan hit, 100_000)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		s.total.Add(1)
		s.hits <- hit{r.Header, r.URL.Path, string(body), h.clock.Time()}
		if handler != nil {
			handler(w, r)
		}
	}))
	h.t.Cleanup(s.Close)
	return s
}

func (s *sink) next(t testing.TB) hit {
	t.Helper()
	select {
	case got := <-s.hits:
		return got
	case <-time.After(patience):
		t.Fatal("the sink received nothing")
		return hit{}
	}
}

func answer(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

// manual is a clock that goes when it is told to.
type manual struct {
	mu  sync.Mutex
	now time.Time
}

func newManual() *manual { return &manual{now: time.Now().UTC().Truncate(time.Microsecond)} }

func (m *manual) clock() clock.Clock {
	return clock.Clock{Now: func() time.Time {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.now
	}}
}

func (m *manual) set(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = t
}

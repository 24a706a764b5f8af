package delivery

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/netguard/netguardtest"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// attemptTimeout replaces the default timeout in tests. It is long enough for fast receivers on a busy machine.
const attemptTimeout = 3 * time.Second

// receiverCase is an endpoint with one behavior, and the expected result of a delivery to it.
type receiverCase struct {
	name    string
	url     string // "" means a server with the handler
	handler http.HandlerFunc
	state   webhooks.State
	status  int
	class   string
}

func trickle(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		w.Write([]byte("."))
		w.(http.Flusher).Flush()
		time.Sleep(attemptTimeout / 20) // a slow receiver, not synchronization
	}
}

func neverRespond(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func receiverCases(t *testing.T, trap string, written *atomic.Int64) []receiverCase {
	plain := httptest.NewServer(respondWith(200))
	t.Cleanup(plain.Close)
	list := []receiverCase{
		{name: "no response", handler: neverRespond, state: webhooks.Dropped, class: "timeout"},
		{name: "slow body", handler: trickle, state: webhooks.Dropped, status: 200, class: "timeout"},
		{name: "connection closed", handler: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			state: webhooks.Dropped, class: "connect"},
		{name: "connection refused", url: "http://" + netguardtest.RefusingAddress(t), state: webhooks.Dropped,
			class: "connect"},
		{name: "unknown host", url: "http://nowhere.invalid/", state: webhooks.Dropped, class: "dns"},
		{name: "no TLS", url: strings.Replace(plain.URL, "http:", "https:", 1), state: webhooks.Dropped, class: "tls"},
		{name: "endless response", state: webhooks.Delivered, status: 200,
			handler: func(w http.ResponseWriter, r *http.Request) {
				block := make([]byte, 64<<10)
				for range 1000 {
					n, err := w.Write(block)
					written.Add(int64(n))
					if err != nil {
						return
					}
				}
			}},
	}
	for _, status := range []int{200, 201, 202, 204, 299} {
		list = append(list, receiverCase{name: http.StatusText(status), handler: respondWith(status),
			state: webhooks.Delivered, status: status})
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		list = append(list, receiverCase{name: http.StatusText(status), state: webhooks.Dropped, status: status,
			class:   "status",
			handler: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, trap, status) }})
	}
	for _, status := range []int{304, 400, 401, 404, 410, 429, 500, 503, 599} {
		list = append(list, receiverCase{name: http.StatusText(status), handler: respondWith(status),
			state:  webhooks.Dropped,
			status: status, class: "status"})
	}
	return list
}

// The retry schedule is empty, so the first failure drops the delivery.
func TestEngine_ClassifiesResponses(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	trap := env.sink(nil)
	var written atomic.Int64
	list := receiverCases(t, trap.URL, &written)
	byEndpoint := map[string]receiverCase{}
	for _, r := range list {
		if r.url == "" {
			r.url = env.sink(r.handler).URL
		}
		e, _ := env.register(r.url)
		byEndpoint[e.ID] = r
	}
	env.engine(Config{RetryDelays: []time.Duration{}, Timeout: attemptTimeout, Lease: time.Minute})
	env.record(1)
	eventually(t, "all deliveries to finish", func() bool {
		return env.count(`SELECT count(*) FROM deliveries_pending`) == 0
	})

	page, _, err := env.deliveries.List(t.Context(), webhooks.Filter{Account: env.account})
	must(t, err)
	if len(page) != len(list) {
		t.Fatalf("%d deliveries, want %d", len(page), len(list))
	}
	for _, d := range page {
		checkOutcome(t, env, d, byEndpoint[d.EndpointID])
	}
	if n := trap.total.Load(); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
	// The engine reads 64 KiB. The receiver has written more because of buffers.
	if n := written.Load(); n > 32<<20 {
		t.Errorf("read %d bytes of an endless response", n)
	}
}

func checkOutcome(t *testing.T, env *testEnv, d webhooks.Delivery, want receiverCase) {
	t.Helper()
	attempts, err := env.deliveries.Attempts(t.Context(), env.account, d.ID)
	must(t, err)
	if len(attempts) != 1 {
		t.Errorf("%s: %d attempts", want.name, len(attempts))
		return
	}
	a := attempts[0]
	status := 0
	if a.Status != nil {
		status = *a.Status
	}
	if d.State != want.state || a.Class != want.class || status != want.status {
		t.Errorf("%s: %s, class %q, status %d, want %s, %q, %d", want.name, d.State, a.Class, status, want.state,
			want.class, want.status)
	}
	if d.State == webhooks.Dropped && (d.LastError == nil || !strings.HasPrefix(*d.LastError, want.class+": ")) {
		t.Errorf("%s: last error %v", want.name, d.LastError)
	}
	if a.Class == "timeout" && (a.Duration < attemptTimeout || a.Duration > 10*attemptTimeout) {
		t.Errorf("%s: attempt took %v", want.name, a.Duration)
	}
	if want.name == "endless response" && len(a.Response) != maxResponseStored {
		t.Errorf("%s: stored %d bytes of the response", want.name, len(a.Response))
	}
}

// The guard checks the address at the time of the connection, even if registration allowed it.
func TestEngine_RejectsForbiddenAddress(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	env.register(s.URL)
	e, err := NewEngine(env.db, env.clock, netguard.New(netguard.Config{}),
		Config{Keys: env.keys, RetryDelays: []time.Duration{}}, env.outbox)
	must(t, err)
	must(t, e.Start(t.Context()))
	defer stop(t, e)
	env.record(1)
	d := env.await("dropped", inState(webhooks.Dropped))
	if !strings.HasPrefix(*d.LastError, "forbidden: ") || s.total.Load() != 0 {
		t.Fatalf("%s after %d requests", *d.LastError, s.total.Load())
	}
}

func TestEngine_DropsDeliveryOfDeletedEvent(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	env.register(s.URL)
	env.record(1)
	if _, err := env.db.Exec(t.Context(), `DELETE FROM events WHERE account_id = $1`, env.account); err != nil {
		t.Fatal(err)
	}
	env.engine(Config{})
	d := env.await("dropped", inState(webhooks.Dropped))
	if *d.LastError != messages[classEventExpired] || s.total.Load() != 0 {
		t.Fatalf("%s after %d requests", *d.LastError, s.total.Load())
	}
}

func TestNextWindow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		window int
		class  string
		want   int
	}{
		{8, classSuccess, 9},
		{64, classSuccess, 64},
		{8, classStatus, 8},
		{8, "timeout", 4},
		{9, "connect", 4},
		{1, "dns", 1},
		{1, classSuccess, 2},
	} {
		t.Run(fmt.Sprintf("%d after %q", c.window, c.class), func(t *testing.T) {
			if got := nextWindow(c.window, 64, c.class); got != c.want {
				t.Errorf("nextWindow = %d, want %d", got, c.want)
			}
		})
	}
}

func TestConfig_WithDefaults(t *testing.T) {
	t.Parallel()
	keys := mustKeyring(t, testKey(1))
	for name, cfg := range map[string]Config{
		"no keys":            {},
		"short lease":        {Keys: keys, Timeout: time.Second, Lease: time.Second},
		"negative in flight": {Keys: keys, InFlight: -1},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := cfg.withDefaults(); err == nil {
				t.Error("no error")
			}
		})
	}
	cfg, err := Config{Keys: keys}.withDefaults()
	if err != nil || len(cfg.RetryDelays) != 6 || cfg.Timeout != 10*time.Second || cfg.Lease < 2*cfg.Timeout {
		t.Errorf("defaults are %+v, %v", cfg, err)
	}
}

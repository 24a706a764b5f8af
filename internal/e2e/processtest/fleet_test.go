package processtest

import (
	"math/rand/v2"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/e2e/program"
	"github.com/cardvault/cardvault/internal/postgres/pgtest/faultproxy"
	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// fleet is an installation of several hosts on one database: some serve the API, some work in the background. Each has
// a proxy of its own in front of the database, and may have a clock of its own.
type fleet struct {
	t       testing.TB
	direct  settings // without a proxy: for the command line
	serving []*host
	working []*host
	http    *http.Client // shared by all clients: servers come and go

	bystander *account // nothing is done to it in particular

	// In TestSoak with -soak alone:
	cluster *cluster // the database's
	market  bool     // there is a marketplace
	large   *account // with many cards, to search in and to import to
}

// host is a machine with one process.
type host struct {
	t        testing.TB
	command  string // serve or worker
	settings settings
	proxy    *faultproxy.Proxy

	mu      sync.RWMutex // held for reading while the process is used
	process *server
}

// clockOffsets are how far each host's clock is off, one after the other. A server refuses to start with a clock that
// is further off the database's than its bound.
var clockOffsets = []string{"0s", "700ms", "-700ms"}

// newFleet starts so many hosts of each kind, which are gone when the test ends.
func newFleet(t testing.TB, direct settings, serving, working int) *fleet {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	f := &fleet{t: t, direct: direct, http: &http.Client{Transport: transport, Timeout: patience}}
	for i := range serving + working {
		h := &host{t: t, command: "worker", settings: direct.with(program.ClockOffset, clockOffsets[i%len(clockOffsets)])}
		proxy, err := faultproxy.New(direct["CARDVAULT_DATABASE_URL"])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(proxy.Close)
		h.proxy, h.settings["CARDVAULT_DATABASE_URL"] = proxy, proxy.URL()
		if i < serving {
			h.command = "serve"
			f.serving = append(f.serving, h)
		} else {
			f.working = append(f.working, h)
		}
		h.start()
	}
	f.bystander = direct.account(t)
	return f
}

// hosts are all of them.
func (f *fleet) hosts() []*host { return append(append([]*host(nil), f.serving...), f.working...) }

// client returns a token's access to a server, chosen at random.
func (f *fleet) client(token string) *client {
	h := f.serving[rand.IntN(len(f.serving))]
	h.mu.RLock()
	defer h.mu.RUnlock()
	return &client{f.t, "http://" + h.process.host + "/api", token, f.http}
}

// start starts the process, unless another one that started it was faster, and waits until it works. It does so as
// supervisors do: a process that ends, because the database is away, is started again.
func (h *host) start() {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.process != nil && !h.process.gone() {
		return
	}
	command, where := []string{"worker"}, working
	if h.command == "serve" {
		command, where = []string{"serve", "--workers=false"}, serving
	}
	var found []string
	eventually(h.t, "the process starts", func() bool {
		h.process = h.settings.start(h.t, command...)
		found = h.process.awaits(where)
		return found != nil
	})
	if h.command == "serve" {
		h.process.host = found[1]
	}
}

// pid is the process's number.
func (h *host) pid() measure.Process {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return measure.Process(h.process.process.Pid)
}

// kill ends the process as a power cut does.
func (h *host) kill() {
	h.mu.RLock()
	defer h.mu.RUnlock()
	h.process.kill()
}

// pause stops the process for a time, as a machine does that is out of memory or is being moved.
func (h *host) pause(d time.Duration) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	h.process.signal(syscall.SIGSTOP)
	time.Sleep(d)
	h.process.signal(syscall.SIGCONT)
}

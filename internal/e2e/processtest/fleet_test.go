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

// fleet is an installation of several hosts on one database. Some hosts serve the API, the others do background work.
// Each host reaches the database through a proxy of its own, and its clock may be off.
type fleet struct {
	t       testing.TB
	direct  settings // without a proxy, for the command line
	serving []*host
	working []*host
	http    *http.Client // shared by all clients: servers come and go

	bystander *account // not the target of any fault

	// Only in TestSoak with -soak:
	cluster *cluster // the database's server
	market  bool     // whether there is a marketplace
	large   *account // with many cards, for searches and imports
}

// host stands for a machine that runs one process.
type host struct {
	t        testing.TB
	command  string // serve or worker
	settings settings
	proxy    *faultproxy.Proxy

	mu      sync.RWMutex // held for reading while the process is used
	process *server
}

// clockOffsets are the errors of the hosts' clocks. They are assigned in turn. They are within the bound for the
// difference from the database's clock, beyond which a server does not start.
var clockOffsets = []string{"0s", "700ms", "-700ms"}

// newFleet starts hosts of each kind, which end with the test.
func newFleet(t testing.TB, direct settings, serving, working int) *fleet {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	f := &fleet{t: t, direct: direct, http: &http.Client{Transport: transport, Timeout: requestTimeout}}
	for i := range serving + working {
		offset := clockOffsets[i%len(clockOffsets)]
		h := &host{t: t, command: "worker", settings: direct.with(program.ClockOffset, offset)}
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

// hosts returns the hosts of both kinds.
func (f *fleet) hosts() []*host { return append(append([]*host(nil), f.serving...), f.working...) }

// client returns a token's access to a random server.
func (f *fleet) client(token string) *client {
	h := f.serving[rand.IntN(len(f.serving))]
	h.mu.RLock()
	defer h.mu.RUnlock()
	return &client{f.t, "http://" + h.process.host + "/api", token, f.http}
}

// start starts the process unless it already runs, and waits until it works. It restarts a process that ends in the
// meantime, as a supervisor does: a process ends if the database is unavailable when it starts.
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

// pid returns the process's id.
func (h *host) pid() measure.Process {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return measure.Process(h.process.process.Pid)
}

// kill ends the process at once, as a power cut does.
func (h *host) kill() {
	h.mu.RLock()
	defer h.mu.RUnlock()
	h.process.kill()
}

// pause stops the process for a time, as happens on a machine that is out of memory or migrated.
func (h *host) pause(d time.Duration) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	h.process.signal(syscall.SIGSTOP)
	time.Sleep(d)
	h.process.signal(syscall.SIGCONT)
}

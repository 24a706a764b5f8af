package delivery

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/netguard/netguardtest"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// fakeDNS is a DNS server that can fail. Names below .test resolve to this machine.
type fakeDNS struct {
	state    atomic.Int32
	restored chan struct{} // closed when a silent server responds again
}

// The states of a fakeDNS.
const (
	dnsResolves      int32 = iota
	dnsNoSuchName          // responds NXDOMAIN
	dnsServerFailure       // responds SERVFAIL
	dnsSilent              // does not respond
)

// resolver returns a resolver that asks dns.
func (dns *fakeDNS) resolver() *net.Resolver {
	return netguardtest.Resolver(func(m *dnsmessage.Message) {
		if dns.state.Load() == dnsSilent {
			<-dns.restored
		}
		dns.fillResponse(m)
	})
}

// fillResponse turns a question into its response.
func (dns *fakeDNS) fillResponse(m *dnsmessage.Message) {
	question := m.Questions[0]
	switch {
	case dns.state.Load() == dnsServerFailure:
		m.RCode = dnsmessage.RCodeServerFailure
	case dns.state.Load() == dnsNoSuchName || !strings.HasSuffix(question.Name.String(), ".test."):
		m.RCode = dnsmessage.RCodeNameError
	case question.Type == dnsmessage.TypeA:
		header := dnsmessage.ResourceHeader{Name: question.Name, Type: question.Type, Class: question.Class}
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}}}
	}
}

// namedSink returns a sink and its URL with this host name. Each request to it needs a new connection and a DNS
// lookup.
func (env *testEnv) namedSink(host string) (*sink, string) {
	s := env.sink(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") })
	u, err := url.Parse(s.URL)
	must(env.t, err)
	u.Host = net.JoinHostPort(host, u.Port())
	return s, u.String()
}

// One endpoint's name does not resolve for a while. Deliveries to the other endpoint are not delayed, and this
// endpoint's deliveries arrive after the name resolves again.
func TestEngine_RetriesWhileNameDoesNotResolve(t *testing.T) {
	t.Parallel()
	for name, state := range map[string]int32{"NXDOMAIN": dnsNoSuchName, "SERVFAIL": dnsServerFailure,
		"no response": dnsSilent} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, server := newTestEnv(t, clock.System), &fakeDNS{restored: make(chan struct{})}
			lost, url := env.namedSink("hook.names.test")
			lostID := env.registerID(url)
			found := env.sink(nil)
			env.register(found.URL)
			guard := netguard.New(netguard.Config{AllowPrivate: true, Resolver: server.resolver()})
			env.engineWithGuard(guard, Config{RetryDelays: slices.Repeat([]time.Duration{100 * time.Millisecond},
				1000)})
			env.record(1)
			lost.next(t)
			found.next(t)

			server.state.Store(state)
			const events = 5
			env.record(events)
			for range events {
				found.next(t)
			}
			eventually(t, "a failed attempt", func() bool {
				return env.failedWith(lostID, messages["dns"]) > 0
			})
			server.state.Store(dnsResolves)
			close(server.restored)
			for range events {
				lost.next(t)
			}
			eventually(t, "all are delivered", func() bool {
				return env.count(`SELECT count(*) FROM deliveries_delivered`) == 2*(events+1)
			})
			if failed := env.failedAttempts(lostID); failed["dns"] == 0 || len(failed) > 1 {
				t.Errorf("failed attempts by class: %v", failed)
			}
			if n := lost.total.Load(); n != events+1 {
				t.Errorf("%d requests for %d events", n, events+1)
			}
		})
	}
}

// registerID registers an endpoint and returns its identifier.
func (env *testEnv) registerID(url string) string {
	env.t.Helper()
	e, _ := env.register(url)
	return e.ID
}

// engineWithGuard starts an engine that connects through this guard.
func (env *testEnv) engineWithGuard(guard *netguard.Guard, cfg Config) {
	env.t.Helper()
	cfg.Keys = env.keys
	e, err := NewEngine(env.db, env.clock, guard, cfg, env.outbox)
	must(env.t, err)
	must(env.t, e.Start(env.t.Context()))
	env.t.Cleanup(func() { stop(env.t, e) })
}

// failedWith returns the number of the endpoint's pending deliveries whose last error is this message.
func (env *testEnv) failedWith(endpoint, message string) (n int) {
	env.t.Helper()
	list, _, err := env.deliveries.List(context.Background(),
		webhooks.Filter{Account: env.account, Endpoint: endpoint, State: webhooks.Pending})
	must(env.t, err)
	for _, d := range list {
		if d.LastError != nil && *d.LastError == message {
			n++
		}
	}
	return n
}

// failedAttempts counts the endpoint's failed attempts by class. It checks that each delivery's last attempt
// succeeded.
func (env *testEnv) failedAttempts(endpoint string) map[string]int {
	env.t.Helper()
	list, _, err := env.deliveries.List(context.Background(), webhooks.Filter{Account: env.account, Endpoint: endpoint})
	must(env.t, err)
	failed := map[string]int{}
	for _, d := range list {
		attempts, err := env.deliveries.Attempts(context.Background(), env.account, d.ID)
		must(env.t, err)
		if len(attempts) != d.Attempts || attempts[len(attempts)-1].Class != classSuccess {
			env.t.Errorf("delivery %+v has the attempts %+v", d, attempts)
		}
		for _, a := range attempts[:len(attempts)-1] {
			failed[a.Class]++
		}
	}
	return failed
}

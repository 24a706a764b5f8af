package webhooks

import (
	"context"
	"encoding/binary"
	"io"
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
)

// names is a name server that can fail. Every name below .test leads to this machine.
type names struct {
	state atomic.Int32
	back  chan struct{} // closed when a mute one answers again
}

// The states of a name server.
const (
	namesResolve int32 = iota
	namesAreGone       // the answer is: there is no such name
	namesFail          // the answer is: I cannot tell now
	namesAreMute       // there is no answer
)

// resolver returns the standard library's resolver, which asks n over connections in memory.
func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			for n.answer(server) == nil {
			}
		}()
		return client, nil
	}}
}

// answer answers one question in the framing of DNS over TCP (RFC 1035 section 4.2.2).
func (n *names) answer(conn net.Conn) error {
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return err
	}
	raw := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, raw); err != nil {
		return err
	}
	var m dnsmessage.Message
	if err := m.Unpack(raw); err != nil {
		return err
	}
	if n.state.Load() == namesAreMute {
		<-n.back
	}
	n.fill(&m)
	packed, err := m.Pack()
	if err != nil {
		return err
	}
	_, err = conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(packed))), packed...))
	return err
}

// fill makes a question its answer.
func (n *names) fill(m *dnsmessage.Message) {
	question := m.Questions[0]
	m.Response, m.Additionals = true, nil
	switch {
	case n.state.Load() == namesFail:
		m.RCode = dnsmessage.RCodeServerFailure
	case n.state.Load() == namesAreGone || !strings.HasSuffix(question.Name.String(), ".test."):
		m.RCode = dnsmessage.RCodeNameError
	case question.Type == dnsmessage.TypeA:
		header := dnsmessage.ResourceHeader{Name: question.Name, Type: question.Type, Class: question.Class}
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}}}
	}
}

// named returns the address of a sink by a name, whose every request needs a connection of its own and so a
// look-up.
func (h *house) named(host string) (*sink, string) {
	s := h.sink(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") })
	u, err := url.Parse(s.URL)
	must(h.t, err)
	u.Host = net.JoinHostPort(host, u.Port())
	return s, u.String()
}

// An endpoint's name stops resolving in each of the ways that names do, and resolves again: the attempts
// meanwhile are logged as what they were, the other endpoint gets everything at once, this one
// afterwards.
func TestANameStopsResolvingAndResolvesAgain(t *testing.T) {
	t.Parallel()
	for name, state := range map[string]int32{"gone": namesAreGone, "server fails": namesFail, "server does not answer": namesAreMute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, server := newHouse(t, clock.System), &names{back: make(chan struct{})}
			lost, url := h.named("hook.names.test")
			lostID := h.registered(url)
			found := h.sink(nil)
			h.register(found.URL)
			guard := netguard.New(netguard.Config{AllowPrivate: true, Resolver: server.resolver()})
			h.guarded(guard, Config{RetryDelays: slices.Repeat([]time.Duration{100 * time.Millisecond}, 1000)})
			h.record(1)
			lost.next(t)
			found.next(t)

			server.state.Store(state)
			const events = 5
			h.record(events)
			for range events {
				found.next(t)
			}
			eventually(t, "a failure is known", func() bool { return h.failed(lostID, messages["dns"]) > 0 })
			server.state.Store(namesResolve)
			close(server.back)
			for range events {
				lost.next(t)
			}
			eventually(t, "all are delivered", func() bool { return h.count(`SELECT count(*) FROM deliveries_delivered`) == 2*(events+1) })
			if failed := h.attemptsBut(lostID); failed["dns"] == 0 || len(failed) > 1 {
				t.Errorf("failed attempts by class: %v", failed)
			}
			if n := lost.total.Load(); n != events+1 {
				t.Errorf("%d requests for %d events", n, events+1)
			}
		})
	}
}

// registered registers an endpoint and returns its identifier.
func (h *house) registered(url string) string {
	h.t.Helper()
	e, _ := h.register(url)
	return e.ID
}

// guarded starts an engine that reaches endpoints by way of this guard.
func (h *house) guarded(guard *netguard.Guard, cfg Config) {
	h.t.Helper()
	cfg.Keys = h.keys
	e, err := NewEngine(h.db, h.clock, guard, cfg, h.outbox)
	must(h.t, err)
	must(h.t, e.Start(h.t.Context()))
	h.t.Cleanup(func() { stop(h.t, e) })
}

// failed is how many of an endpoint's pending deliveries have failed with this message.
func (h *house) failed(endpoint, message string) (n int) {
	h.t.Helper()
	list, _, err := h.deliveries.List(context.Background(), Filter{Account: h.account, Endpoint: endpoint, State: Pending})
	must(h.t, err)
	for _, d := range list {
		if d.LastError != nil && *d.LastError == message {
			n++
		}
	}
	return n
}

// attemptsBut counts an endpoint's attempts that failed by class, and checks that each delivery's log ends with the
// one that succeeded.
func (h *house) attemptsBut(endpoint string) map[string]int {
	h.t.Helper()
	list, _, err := h.deliveries.List(context.Background(), Filter{Account: h.account, Endpoint: endpoint})
	must(h.t, err)
	failed := map[string]int{}
	for _, d := range list {
		attempts, err := h.deliveries.Attempts(context.Background(), h.account, d.ID)
		must(h.t, err)
		if len(attempts) != d.Attempts || attempts[len(attempts)-1].Class != classSuccess {
			h.t.Errorf("delivery %+v has the attempts %+v", d, attempts)
		}
		for _, a := range attempts[:len(attempts)-1] {
			failed[a.Class]++
		}
	}
	return failed
}

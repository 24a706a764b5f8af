package processtest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// pair is an account with a healthy and a faulty endpoint. The API and the engine are separate processes, and customers
// change cards all the time.
type pair struct {
	t         *testing.T
	owner     *account
	client    *client
	engine    *server
	customers *load
	healthy   *sink
	faulty    *sink
	line      *line // in front of faulty
}

// newPair starts the processes and the customers. answer decides on the responses of the faulty sink.
func newPair(t *testing.T, answer func(attempt int) int) *pair {
	t.Helper()
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_WEBHOOK_RETRY_DELAYS", "200ms,1s,2s,4s,8s,8s,8s,8s",
		"CARDVAULT_WEBHOOK_TIMEOUT", "2s", "CARDVAULT_WEBHOOK_LEASE", "20s")
	p := &pair{t: t, owner: s.account(t)}
	p.healthy = p.owner.sink(nil)
	p.faulty, p.line = p.owner.sinkBehindLine(answer)
	p.client, p.engine = p.owner.at(s.serve(t, "--workers=false")), s.work(t)
	p.customers = newLoad(p.client, 2)
	p.bothReceive()
	return p
}

// bothReceive waits until both endpoints receive events.
func (p *pair) bothReceive() {
	p.t.Helper()
	healthy, faulty := p.healthy.count(), p.faulty.count()
	eventually(p.t, "both endpoints receive events", func() bool {
		return p.healthy.count() > healthy+10 && p.faulty.count() > faulty+10
	})
}

// awaitAttempts waits until three more attempts ended with an outcome of this class.
func (p *pair) awaitAttempts(class string) {
	p.t.Helper()
	before := p.engine.attempts(class)
	eventually(p.t, "attempts end with the class "+class, func() bool { return p.engine.attempts(class) >= before+3 })
}

// healthyReceivesAll causes events and waits until the healthy endpoint has received all of them. It checks that the
// faulty endpoint receives none of the new ones; it may still receive what was on the line before the fault.
func (p *pair) healthyReceivesAll() {
	p.t.Helper()
	before := map[string]bool{}
	for _, e := range p.client.events() {
		before[e.ID] = true
	}
	p.client.create(100)
	all := p.client.events()
	p.healthy.awaitEvents(all)
	for _, e := range all {
		if !before[e.ID] && p.faulty.total(e.ID) > 0 {
			p.t.Errorf("event %s arrived at the faulty endpoint", e.ID)
		}
	}
}

// end stops the customers and checks that both endpoints receive all events and no attempt twice.
func (p *pair) end() []delivery {
	p.t.Helper()
	p.customers.finish()
	all := p.healthy.gotAll(p.client)
	p.faulty.gotAll(p.client)
	delivered := p.owner.allDelivered(2 * len(all))
	for _, s := range []*sink{p.healthy, p.faulty} {
		s.noAttemptTwice()
		s.silentAfterSuccess(delivered)
	}
	return delivered
}

// An endpoint is killed with deliveries in flight, refuses connections for a time, and restarts, three times.
func TestEndpoint_KilledAndRestarted(t *testing.T) {
	t.Parallel()
	p := newPair(t, nil)
	for range 3 {
		p.faulty.hold()
		p.faulty.held(2)
		p.line.refuse()
		p.faulty.release()
		p.awaitAttempts("connect")
		p.healthyReceivesAll()
		p.line.repair()
		p.bothReceive()
	}
	p.end()
}

// An endpoint receives requests, but its responses are truncated in their header or in their body.
func TestEndpoint_TruncatedResponses(t *testing.T) {
	t.Parallel()
	p := newPair(t, func(int) int { return http.StatusOK })
	p.line.setFault(truncates)
	p.awaitAttempts("connect")
	p.bothReceive()
	p.line.setFault(noFault)
	retried := 0
	for _, d := range p.end() {
		if d.EndpointID == p.faulty.endpoint && d.Attempts > 1 {
			retried++
		}
		// Every attempt reached the endpoint, and every attempt was counted.
		if arrived := p.faulty.total(d.EventID); d.EndpointID == p.faulty.endpoint && arrived != d.Attempts {
			t.Errorf("event %s arrived %d times in %d attempts", d.EventID, arrived, d.Attempts)
		}
	}
	if retried < 3 {
		t.Errorf("%d deliveries were retried, want at least 3", retried)
	}
}

// The network to an endpoint fails: connections are accepted and no response comes.
func TestEndpoint_NoResponses(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]fault{"requests are read": dropsAll, "requests are not read": stopsReading} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t, nil)
			p.line.setFault(fault)
			p.awaitAttempts("timeout")
			p.healthyReceivesAll()
			p.awaitLastError("timeout: ")
			p.line.repair()
			p.bothReceive()
			p.end()
		})
	}
}

// awaitLastError waits until the last error of a delivery to the faulty endpoint begins with reason.
func (p *pair) awaitLastError(reason string) {
	p.t.Helper()
	eventually(p.t, "deliveries show the error "+reason, func() bool {
		for _, d := range p.owner.deliveries("pending") {
			if d.EndpointID == p.faulty.endpoint && strings.HasPrefix(d.LastError, reason) {
				return true
			}
		}
		return false
	})
}

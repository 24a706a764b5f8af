package processtest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// pair is an account with two endpoints, of which one is in trouble; the API and the engine are
// processes of their own, and customers work.
type pair struct {
	t         *testing.T
	owner     *account
	client    *client
	engine    *server
	customers *load
	well      *sink
	ill       *sink
	line      *line // to ill
}

// newPair starts one. answer is the ill sink's.
func newPair(t *testing.T, answer func(attempt int) int) *pair {
	t.Helper()
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_WEBHOOK_RETRY_DELAYS", "200ms,1s,2s,4s,8s,8s,8s,8s",
		"CARDVAULT_WEBHOOK_TIMEOUT", "2s", "CARDVAULT_WEBHOOK_LEASE", "20s")
	p := &pair{t: t, owner: s.account(t)}
	p.well = p.owner.sink(nil)
	p.ill, p.line = p.owner.lined(answer)
	p.client, p.engine = p.owner.at(s.serve(t, "--workers=false")), s.work(t)
	p.customers = newLoad(p.client, 2)
	p.bothReceive()
	return p
}

// bothReceive waits until events flow to both endpoints.
func (p *pair) bothReceive() {
	p.t.Helper()
	well, ill := p.well.count(), p.ill.count()
	eventually(p.t, "events flow to both endpoints", func() bool { return p.well.count() > well+10 && p.ill.count() > ill+10 })
}

// suffers waits until some more attempts ended so.
func (p *pair) suffers(class string) {
	p.t.Helper()
	before := p.engine.attempts(class)
	eventually(p.t, "attempts end by "+class, func() bool { return p.engine.attempts(class) >= before+3 })
}

// wellReceivesAll waits until the endpoint that is well has everything there is, while the other gets
// nothing that has happened since its line was cut: what was on the line by then may still come.
func (p *pair) wellReceivesAll() {
	p.t.Helper()
	before := map[string]bool{}
	for _, e := range p.client.events() {
		before[e.ID] = true
	}
	p.client.create(100)
	all := p.client.events()
	p.well.gets(all)
	for _, e := range all {
		if !before[e.ID] && p.ill.total(e.ID) > 0 {
			p.t.Errorf("event %s came by a line that is cut", e.ID)
		}
	}
}

// end ends the customers' work and checks that both endpoints get everything, no attempt of it twice.
func (p *pair) end() []delivery {
	p.t.Helper()
	p.customers.settle()
	all := p.well.gotAll(p.client)
	p.ill.gotAll(p.client)
	delivered := p.owner.allDelivered(2 * len(all))
	for _, s := range []*sink{p.well, p.ill} {
		s.noAttemptTwice()
		s.silentAfterSuccess(delivered)
	}
	return delivered
}

// An endpoint's program is killed with deliveries in flight, its address refuses connections, and it
// comes back: again and again.
func TestEndpointIsKilledAndComesBack(t *testing.T) {
	t.Parallel()
	p := newPair(t, nil)
	for range 3 {
		p.ill.hold()
		p.ill.held(2)
		p.line.refuse()
		p.ill.release()
		p.suffers("connect")
		p.wellReceivesAll()
		p.line.mend()
		p.bothReceive()
	}
	p.end()
}

// An endpoint takes what it is sent, but its answers break off: in their header or in their body.
func TestEndpointBreaksOffItsAnswers(t *testing.T) {
	t.Parallel()
	p := newPair(t, func(int) int { return http.StatusOK })
	p.line.becomes(torn)
	p.suffers("connect")
	p.bothReceive()
	p.line.becomes(sound)
	again := 0
	for _, d := range p.end() {
		if d.EndpointID == p.ill.endpoint && d.Attempts > 1 {
			again++
		}
		// Every attempt reached the endpoint, and every one was stored.
		if came := p.ill.total(d.EventID); d.EndpointID == p.ill.endpoint && came != d.Attempts {
			t.Errorf("event %s came %d times in %d attempts", d.EventID, came, d.Attempts)
		}
	}
	if again < 3 {
		t.Errorf("%d events were sent again", again)
	}
}

// The network to an endpoint is cut: it takes connections and never answers, or does not even read.
func TestNetworkToAnEndpointIsCut(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]fault{"takes and never answers": mute, "never reads": deaf} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t, nil)
			p.line.becomes(fault)
			p.suffers("timeout")
			p.wellReceivesAll()
			p.knownAs("timeout: ")
			p.line.mend()
			p.bothReceive()
			p.end()
		})
	}
}

// knownAs waits until deliveries to the ill endpoint are shown with this reason.
func (p *pair) knownAs(reason string) {
	p.t.Helper()
	eventually(p.t, "deliveries are shown with their reason", func() bool {
		for _, d := range p.owner.deliveries("pending") {
			if d.EndpointID == p.ill.endpoint && strings.HasPrefix(d.LastError, reason) {
				return true
			}
		}
		return false
	})
}

package processtest

import (
	"net/http"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// Two servers share a database. Each returns the changes made through the other, and no webhook attempt is sent twice.
func TestServers_ShareDatabase(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_WEBHOOK_RETRY_DELAYS", "100ms,1h")
	owner := s.account(t)
	hook := owner.sink(func(attempt int) int { // every delivery needs two attempts
		if attempt == 1 {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	})
	a, b := s.serve(t), s.serve(t)
	loads := []*load{newLoad(owner.at(a), 3), newLoad(owner.at(b), 3)}
	owner.at(a).create(100) // one write, whose deliveries both servers claim
	for _, l := range loads {
		l.awaitRounds(60)
	}
	for _, l := range loads {
		l.rest()
	}
	for _, l := range loads {
		l.finish()
	}
	all := hook.gotAll(owner.at(b))
	for i, l := range loads {
		l.durable(owner.at([]*server{b, a}[i]), all)
		if _, away := l.counts(); away > 0 {
			t.Errorf("%d requests got 503, want none", away)
		}
	}
	owner.allDelivered(len(all))
	hook.sentOnce(2)
}

// Every server rejects a token at the latest five seconds after the command line revoked it.
func TestServers_RejectRevokedToken(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	id, token := owner.newToken("read=1000000")
	clients := []*client{s.serve(t).client(token), s.serve(t).client(token)}
	for _, c := range clients {
		c.do("GET", "/cards", "", http.StatusOK, nil)
	}
	if got := s.run(t, "token", "revoke", id); got.code != 0 {
		t.Fatal(got.stderr)
	}
	revoked := time.Now()
	for _, c := range clients {
		eventually(t, "the token is rejected", func() bool {
			sent := time.Now()
			got, err := c.try("GET", "/cards", "")
			if err != nil {
				t.Fatal(err)
			}
			code, _ := got.problem()
			if got.status == http.StatusOK && sent.Sub(revoked) > 5*time.Second {
				t.Fatalf("the token works %v after its revocation", sent.Sub(revoked))
			}
			return got.status == http.StatusUnauthorized && code == "revoked_token"
		})
	}
}

package processtest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// Several engine processes on one database: each attempt is sent by one of them, whether it is the
// first or a retry, of a large write or of one of many small ones.
func TestEnginesShareADatabase(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 4} {
		t.Run(fmt.Sprintf("%d engines", n), func(t *testing.T) {
			t.Parallel()
			shareADatabase(t, n)
		})
	}
}

func shareADatabase(t *testing.T, n int) {
	const (
		large  = 125 // cards of one write; each tells of two events
		writes = 8
	)
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_WEBHOOK_RETRY_DELAYS", "100ms,1s,2s,4s")
	owner := s.account(t)
	hook := owner.sink(func(attempt int) int { // every delivery takes two attempts
		if attempt == 1 {
			return http.StatusServiceUnavailable
		}
		return http.StatusNoContent
	})
	c := owner.at(s.serve(t, "--workers=false"))
	for range writes / 2 { // waits for the engines
		c.create(large)
	}
	var engines []*server
	for range n {
		engines = append(engines, s.work(t))
	}
	customers := newLoad(c, 3)
	for range writes / 2 {
		c.create(large)
	}
	customers.wentWell(60)
	customers.settle()

	all := hook.gotAll(c)
	if len(all) < 2*large*writes {
		t.Errorf("only %d events", len(all))
	}
	hook.silentAfterSuccess(owner.allDelivered(len(all)))
	hook.noAttemptTwice()
	shared(t, engines)
}

// shared checks that more than one engine has sent.
func shared(t *testing.T, engines []*server) {
	t.Helper()
	busy := 0
	for i, e := range engines {
		delivered, retried := e.attempts("success"), e.attempts("status")
		t.Logf("engine %d sent %d attempts that succeeded and %d that did not", i+1, delivered, retried)
		if delivered+retried > 0 {
			busy++
		}
	}
	if busy < 2 {
		t.Errorf("%d engine has sent everything: this has tested nothing", busy)
	}
}

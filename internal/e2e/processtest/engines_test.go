package processtest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// Several engine processes share a database. Each attempt is sent by one engine only: first attempts and retries, of a
// large write and of many small ones.
func TestEngines_ShareDatabase(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 4} {
		t.Run(fmt.Sprintf("%d engines", n), func(t *testing.T) {
			t.Parallel()
			shareDatabase(t, n)
		})
	}
}

func shareDatabase(t *testing.T, n int) {
	const (
		large  = 125 // cards per write; each causes two events
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
	for range writes / 2 { // pending when the engines start
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
	customers.awaitRounds(60)
	customers.finish()

	all := hook.gotAll(c)
	if len(all) < 2*large*writes {
		t.Errorf("%d events, want at least %d", len(all), 2*large*writes)
	}
	hook.silentAfterSuccess(owner.allDelivered(len(all)))
	hook.noAttemptTwice()
	shared(t, engines)
}

// shared checks that more than one engine sent attempts.
func shared(t *testing.T, engines []*server) {
	t.Helper()
	busy := 0
	for i, e := range engines {
		delivered, retried := e.attempts("success"), e.attempts("status")
		t.Logf("engine %d: %d attempts succeeded, %d failed", i+1, delivered, retried)
		if delivered+retried > 0 {
			busy++
		}
	}
	if busy < 2 {
		t.Errorf("%d engines sent attempts, want at least 2: the test has tested nothing", busy)
	}
}

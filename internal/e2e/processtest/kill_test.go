package processtest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// impatient are settings with which failed attempts are repeated soon.
var impatient = []string{
	"CARDVAULT_WEBHOOK_TIMEOUT", "5s",
	"CARDVAULT_WEBHOOK_RETRY_DELAYS", "200ms,1s,2s,4s,8s,16s,32s",
}

// price returns the body of a PATCH that sets the asking price.
func price(amount int64) string {
	return fmt.Sprintf(`{"pricing":{"asking_price":{"amount":%d,"currency":"USD"}}}`, amount)
}

// A server is killed amid more than a thousand deliveries: some are pending, some in flight, some sent and not yet
// stored. The next server sends all of them.
func TestServer_KilledWithDeliveriesInFlight(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t)).with(impatient...)
	owner := s.account(t)
	hook := owner.sink(nil)
	first := s.serve(t)
	c := owner.at(first)

	// The sink holds responses back before the first delivery. On a busy machine it would otherwise answer all of them
	// before the test could hold any.
	hook.holdAfter(100)
	cards := c.create(250)
	hook.held(4)
	// The engine gets the deliveries of small writes directly and those of large writes from the database.
	for i, one := range cards[:50] {
		c.do("PATCH", "/cards/"+one.ID, price(int64(100+i)), http.StatusOK, nil)
	}
	c.create(300)
	inFlight := hook.held(1)
	first.kill()

	hook.release()
	second := s.serve(t)
	all := hook.gotAll(owner.at(second))
	if len(all) < 1000 {
		t.Errorf("%d events, want at least 1000", len(all))
	}
	for id, before := range inFlight {
		eventually(t, "what was in flight arrives again", func() bool { return hook.total(id) > before })
	}
	hook.silentAfterSuccess(owner.allDelivered(len(all)))
}

package processtest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// impatient are settings under which a crashed process's deliveries are taken up within seconds.
var impatient = []string{
	"CARDVAULT_WEBHOOK_TIMEOUT", "5s", "CARDVAULT_WEBHOOK_LEASE", "10s",
	"CARDVAULT_WEBHOOK_RETRY_DELAYS", "200ms,1s,2s,4s,8s,16s,32s",
}

// price returns a PATCH that sets the asking price.
func price(amount int64) string {
	return fmt.Sprintf(`{"pricing":{"asking_price":{"amount":%d,"currency":"USD"}}}`, amount)
}

// A server is killed in the middle of more than a thousand deliveries: some stored and not yet sent,
// some on their way, some answered and not yet noted. The next one loses none of them.
func TestKilledWithDeliveriesInFlight(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t)).with(impatient...)
	owner := s.account(t)
	hook := owner.sink(nil)
	first := s.serve(t)
	c := owner.at(first)

	cards := c.create(250)
	eventually(t, "deliveries flow", func() bool { return hook.count() >= 100 })
	hook.hold()
	hook.held(4)
	for i, one := range cards[:50] { // small writes go to the sender directly, large ones by the database
		c.do("PATCH", "/cards/"+one.ID, price(int64(100+i)), http.StatusOK, nil)
	}
	c.create(300)
	flying := hook.held(1)
	first.kill()

	hook.release()
	second := s.serve(t)
	all := hook.gotAll(owner.at(second))
	if len(all) < 1000 {
		t.Errorf("only %d events", len(all))
	}
	for id, before := range flying {
		eventually(t, "what was in flight comes again", func() bool { return hook.total(id) > before })
	}
	hook.silentAfterSuccess(owner.allDelivered(len(all)))
}

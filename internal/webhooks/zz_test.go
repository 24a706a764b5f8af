package webhooks

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
)

func TestZZ(t *testing.T) {
	h := newHouse(t, clock.System)
	s := h.sink(nil)
	dis, _ := h.register(s.URL + "/d")
	h.register(s.URL+"/a", events.KindBatchCompleted)
	h.endpoints.Disable(t.Context(), h.account, dis.ID)
	h.engine(Config{})
	for range 30 {
		h.record(17)
		for range 17 { s.next(t) }
		h.record(1)
		s.next(t)
	}
	begun := time.Now()
	for range 5 { h.record(10000) }
	t.Log("recorded", time.Since(begun))
	for range 50000 { s.next(t) }
	t.Log("drained", time.Since(begun))
}

package api

import (
	"net/http/httptest"
	"testing"

	"github.com/cardvault/cardvault/internal/caller"
)

func TestObserver_TracingDisabledDoesNotAllocate(t *testing.T) {
	o := &observer{}
	r := httptest.NewRequest("GET", "/api/cards", nil)
	state := &requestState{
		requestID: "req-7", route: "/api/cards",
		caller: caller.Caller{AccountID: "acc_1"}, response: statusWriter{status: 500},
	}
	n := testing.AllocsPerRun(100, func() {
		_, state.span = o.trace(r, state.requestID)
		state.endSpan(r.Method)
	})
	if n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

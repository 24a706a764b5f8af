package api

import (
	"net/http/httptest"
	"testing"
)

// A request costs no allocation more for traces that nobody asked for.
func TestARequestCostsNothingWhileTracingIsOff(t *testing.T) {
	o := &observer{}
	r := httptest.NewRequest("GET", "/api/cards", nil)
	x := &exchange{requestID: "req-7", route: "/api/cards", accountID: "acc_1", status: 500}
	n := testing.AllocsPerRun(100, func() {
		_, x.span = o.trace(r, x.requestID)
		x.endSpan(r.Method)
	})
	if n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

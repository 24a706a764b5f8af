package e2e

import (
	"net/http"
	"testing"
)

// TestFloorPrice_Refuses sends prices below the floor price of the account by each operation that takes one.
func TestFloorPrice_Refuses(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	waiting := c.ready(t)
	c.do("PATCH", "/account", `{"floor_price":{"amount":100000,"currency":"USD"}}`).want(t, http.StatusOK, nil)
	const low = `{"amount":99999,"currency":"USD"}`
	before := s.snapshot(t)
	for _, request := range []struct{ method, path, body string }{
		{"POST", "/cards", `{"cards":[{"pricing":{"asking_price":` + low + `}}]}`},
		{"PATCH", "/cards/" + mine.card, `{"pricing":{"asking_price":` + low + `}}`},
		{"PATCH", "/cards", `{"atomic":true,"updates":[{"id":"` + mine.card + `",
			"pricing":{"asking_price":` + low + `}}]}`},
		{"PATCH", "/listings/" + mine.listing, `{"price":` + low + `}`},
		{"POST", "/listings/" + waiting + "/publish", `{}`}, // at the price that it has had since before
		{"POST", "/listings/" + waiting + "/publish", `{"price":` + low + `}`},
		{"POST", "/listings/publish", `{"atomic":true,"card_ids":["` + waiting + `"]}`},
	} {
		c.do(request.method, request.path, request.body).want(t, http.StatusConflict, nil).
			refused(t, "price_below_floor")
	}
	s.unchanged(t, before)
	c.do("POST", "/listings/"+waiting+"/publish", `{"price":{"amount":100000,"currency":"USD"}}`).
		want(t, http.StatusAccepted, nil)
}

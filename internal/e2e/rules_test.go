package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
)

// A card that was sold is a record: nothing about the sale changes any more.
func TestASoldCardStaysAsItIs(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	s.buy(t, mine.listing)
	eventually(t, "the card is sold", func() bool { return c.get(mine.card).WorkflowStatus == "sold" })
	before := s.snapshot(t)
	card := "/cards/" + mine.card
	for _, got := range []response{
		c.do("PATCH", card, `{"pricing":{"asking_price":{"amount":1,"currency":"USD"}}}`),
		c.do("PATCH", card, `{"archived":true}`),
		c.do("PUT", card+"/photos/back", blank(t), "Content-Type: image/jpeg"),
		c.do("DELETE", card+"/photos/"+mine.photo, nil),
		c.do("POST", "/identify", `{"card_id":"`+mine.card+`"}`),
		c.do("POST", "/listings/"+mine.card+"/publish", nil),
	} {
		got.want(t, http.StatusConflict, nil).refused(t, "card_sold")
	}
	s.unchanged(t, before)
}

// A batch that is complete takes no card, whichever way it comes.
func TestACompleteBatchTakesNoCard(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	mine := c.own()
	c.do("POST", "/batches/"+mine.batch+"/complete", nil).want(t, http.StatusOK, nil)
	other := c.create(`{}`)
	for _, got := range []response{
		c.do("POST", "/cards", `{"cards":[{},{"batch_id":"`+mine.batch+`"}]}`),
		c.do("PATCH", "/cards/"+other.ID, `{"batch_id":"`+mine.batch+`"}`),
		c.do("PATCH", "/cards/"+mine.card, `{"batch_id":null}`),
	} {
		got.want(t, http.StatusConflict, nil).refused(t, "batch_complete")
	}
}

// What cannot be identified is told apart: a card that was put away, a picture that is none, and one that was lost.
func TestWhatCannotBeIdentified(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	text := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "no picture") }))
	t.Cleanup(text.Close)
	c.do("POST", "/identify", `{"photo_url":"`+text.URL+`"}`).want(t, http.StatusUnprocessableEntity, nil).refused(t, "photo_invalid")

	made := c.create(`{"identify":false}`)
	identify := `{"card_id":"` + made.ID + `"}`
	c.do("PUT", "/cards/"+made.ID+"/photos/front", blank(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	c.do("PATCH", "/cards/"+made.ID, `{"archived":true}`).want(t, http.StatusOK, nil)
	c.do("POST", "/identify", identify).want(t, http.StatusConflict, nil).refused(t, "card_archived")
	c.do("PATCH", "/cards/"+made.ID, `{"archived":false}`).want(t, http.StatusOK, nil)
	if err := os.RemoveAll(s.Config.PhotoStore); err != nil {
		t.Fatal(err)
	}
	c.do("POST", "/identify", identify).want(t, http.StatusNotFound, nil).refused(t, "photo_not_found")
}

// A title that only a marketplace finds empty is taken, as the contract says, and refused there in words of ours.
func TestATitleThatTheMarketplaceRefuses(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	made := c.create(`{"identification":{"title":"Ember Fox"},"pricing":{"asking_price":{"amount":500,"currency":"USD"}}}`)
	c.do("PUT", "/cards/"+made.ID+"/photos/front", blank(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	c.do("POST", "/listings/"+made.ID+"/publish", `{"title":"   "}`).want(t, http.StatusBadRequest, nil).refused(t, "invalid_request")
	var listing struct {
		ID, Status string
		Failure    *struct{ Code string }
	}
	c.do("POST", "/listings/"+made.ID+"/publish", `{"title":" \u0085\u00a0"}`).want(t, http.StatusAccepted, &listing)
	eventually(t, "the listing has failed", func() bool {
		c.do("GET", "/listings/"+listing.ID, nil).want(t, http.StatusOK, &listing)
		return listing.Status == "failed"
	})
	if listing.Failure == nil || listing.Failure.Code != "invalid_title" {
		t.Errorf("%+v", listing)
	}
}

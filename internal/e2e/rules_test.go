package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
)

// TestSoldCard_Unchangeable checks that a sold card is a record that no request changes.
func TestSoldCard_Unchangeable(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	s.buy(t, mine.listing)
	eventually(t, "the card is sold", func() bool { return c.get(mine.card).WorkflowStatus == "sold" })
	before := s.snapshot(t)
	card := "/cards/" + mine.card
	for _, test := range []struct {
		name, method, path string
		body               any
		headers            []string
	}{
		{"price", "PATCH", card, `{"pricing":{"asking_price":{"amount":1,"currency":"USD"}}}`, nil},
		{"archive", "PATCH", card, `{"archived":true}`, nil},
		{"add a photo", "PUT", card + "/photos/back", blank(t), []string{"Content-Type: image/jpeg"}},
		{"delete a photo", "DELETE", card + "/photos/" + mine.photo, nil, nil},
		{"identify", "POST", "/identify", `{"card_id":"` + mine.card + `"}`, nil},
		{"publish", "POST", "/listings/" + mine.card + "/publish", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := c.in(t).do(test.method, test.path, test.body, test.headers...)
			got.want(t, http.StatusConflict, nil).refused(t, "card_sold")
		})
	}
	s.unchanged(t, before)
}

// TestCompleteBatch_Closed checks that no request adds a card to a complete batch or removes one from it.
func TestCompleteBatch_Closed(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	mine := c.own()
	c.do("POST", "/batches/"+mine.batch+"/complete", nil).want(t, http.StatusOK, nil)
	other := c.create(`{}`)
	for _, test := range []struct{ name, method, path, body string }{
		{"import", "POST", "/cards", `{"cards":[{},{"batch_id":"` + mine.batch + `"}]}`},
		{"add", "PATCH", "/cards/" + other.ID, `{"batch_id":"` + mine.batch + `"}`},
		{"remove", "PATCH", "/cards/" + mine.card, `{"batch_id":null}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := c.in(t).do(test.method, test.path, test.body)
			got.want(t, http.StatusConflict, nil).refused(t, "batch_complete")
		})
	}
}

// TestIdentify_Refused checks the errors for a photo that is not a picture, an archived card and a photo whose file is
// missing.
func TestIdentify_Refused(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	text := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "no picture")
	}))
	t.Cleanup(text.Close)
	byText := c.do("POST", "/identify", `{"photo_url":"`+text.URL+`"}`)
	byText.want(t, http.StatusUnprocessableEntity, nil).refused(t, "photo_invalid")

	made := c.create(`{"identify":false}`)
	card := "/cards/" + made.ID
	identify := `{"card_id":"` + made.ID + `"}`
	c.do("PUT", card+"/photos/front", blank(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	c.do("PATCH", card, `{"archived":true}`).want(t, http.StatusOK, nil)
	c.do("POST", "/identify", identify).want(t, http.StatusConflict, nil).refused(t, "card_archived")
	c.do("PATCH", card, `{"archived":false}`).want(t, http.StatusOK, nil)
	if err := os.RemoveAll(s.Config.PhotoStore); err != nil {
		t.Fatal(err)
	}
	c.do("POST", "/identify", identify).want(t, http.StatusNotFound, nil).refused(t, "photo_not_found")
}

// TestPublish_BlankTitle checks that a title that shows nothing is refused before a listing is made.
func TestPublish_BlankTitle(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	made := c.create(`{
		"identification": {"title": "Ember Fox"},
		"pricing": {"asking_price": {"amount": 500, "currency": "USD"}}
	}`)
	put := c.do("PUT", "/cards/"+made.ID+"/photos/front", blank(t), "Content-Type: image/jpeg")
	put.want(t, http.StatusOK, nil)
	for _, title := range []string{"   ", ` \u0085\u00a0`, `\u3000`, `\u200b`} {
		c.do("POST", "/listings/"+made.ID+"/publish", `{"title":"`+title+`"}`).
			want(t, http.StatusBadRequest, nil).refused(t, "invalid_request")
	}
	var all listOf[struct{ ID string }]
	c.do("GET", "/listings", nil).want(t, http.StatusOK, &all)
	if len(all.Data) > 0 {
		t.Errorf("the listings are %+v, want none", all.Data)
	}
}

package e2e

import (
	"net/http"
	"testing"
)

// revisedListing is what the tests read of a listing that is revised.
type revisedListing struct {
	Status, Title string
	Price         struct{ Amount int64 }
	SoldPrice     *struct{ Amount int64 } `json:"sold_price"`
	Revision      struct {
		Status  string
		Failure *struct{ Code, Message string }
	}
}

// revised waits until the marketplace has the price of the listing.
func (c *client) revised(path string, amount int64) (l revisedListing) {
	c.t.Helper()
	eventually(c.t, "the listing is revised", func() bool {
		c.do("GET", path, nil).want(c.t, http.StatusOK, &l)
		return l.Revision.Status == "done" && l.Price.Amount == amount
	})
	return l
}

// A live listing follows the asking price of its card, and the card the price of its listing. The buyer pays the latest
// price.
func TestListing_Revised(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	hook := c.endpoint("listing.updated")
	mine := c.own()
	path := "/listings/" + mine.listing
	var l revisedListing
	tag := c.do("GET", path, nil).want(t, http.StatusOK, &l).header.Get("ETag")
	if l.Revision.Status != "none" || l.Revision.Failure != nil {
		t.Errorf("new listing %+v, want no revision", l)
	}
	c.do("PATCH", "/cards/"+mine.card, `{"pricing":{"asking_price":{"amount":450,"currency":"USD"}}}`).
		want(t, http.StatusOK, nil)
	c.revised(path, 450)
	event := hook.event(t, "listing.updated", mine.card)
	if event["listing_id"] != mine.listing || event["revision"] == nil || event["listing_title"] != l.Title {
		t.Errorf("the data of listing.updated is %v, want that of the listing", event)
	}

	patch := `{"title":"Ember Fox, near mint","price":{"amount":400,"currency":"USD"}}`
	c.do("PATCH", path, patch, "If-Match: "+tag).want(t, http.StatusPreconditionFailed, nil).
		refused(t, "version_mismatch")
	tag = c.do("GET", path, nil).header.Get("ETag")
	got := c.do("PATCH", path, patch, "If-Match: "+tag, "Content-Type: application/merge-patch+json").
		want(t, http.StatusOK, &l)
	if l.Revision.Status != "pending" || l.Title != "Ember Fox, near mint" || got.header.Get("ETag") == tag {
		t.Errorf("%+v with the ETag %s, want a pending revision and a new ETag", l, got.header.Get("ETag"))
	}
	if asking := c.get(mine.card).Pricing.AskingPrice; asking == nil || asking.Amount != 400 {
		t.Errorf("asking price %+v, want that of the listing", asking)
	}
	c.revised(path, 400)
	s.buy(t, mine.listing)
	eventually(t, "the listing is sold", func() bool {
		c.do("GET", path, nil).want(t, http.StatusOK, &l)
		return l.Status == "sold"
	})
	if l.SoldPrice.Amount != 400 || l.Revision.Status != "done" {
		t.Errorf("%+v, want it sold at the revised price", l)
	}
	c.do("PATCH", path, patch).want(t, http.StatusConflict, nil).refused(t, "listing_not_live")
}

// TestListing_RevisionRefused checks the errors of requests that a live listing does not allow.
func TestListing_RevisionRefused(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	mine := c.own()
	path := "/listings/" + mine.listing
	for _, patch := range []string{
		`{"price":null}`, `{"title":null}`, `{"title":" "}`, `{"price":{"amount":0,"currency":"USD"}}`,
		`{"price":{"amount":400,"currency":"EUR"}}`, `{"status":"ended"}`,
	} {
		c.do("PATCH", path, patch).want(t, http.StatusBadRequest, nil).refused(t, "invalid_request")
	}
	c.do("PATCH", path, `{`).want(t, http.StatusBadRequest, nil).refused(t, "invalid_json")
	c.do("PATCH", "/listings/lst_01k5w0q2m7t9c3r5v8x0z1b4d6", `{}`).
		want(t, http.StatusNotFound, nil).refused(t, "listing_not_found")
	for _, price := range []string{`null`, `{"amount":0,"currency":"USD"}`, `{"amount":400,"currency":"EUR"}`} {
		c.do("PATCH", "/cards/"+mine.card, `{"pricing":{"asking_price":`+price+`}}`).
			want(t, http.StatusConflict, nil).refused(t, "card_listed")
	}
	var l revisedListing
	c.do("GET", path, nil).want(t, http.StatusOK, &l)
	if l.Revision.Status != "none" {
		t.Errorf("%+v, want no revision", l)
	}
}

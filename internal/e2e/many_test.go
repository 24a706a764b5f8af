package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// itemResult is an item of the response to a request for many cards or listings.
type itemResult struct {
	ID      string
	Status  int
	Card    *card
	Listing *struct{ ID, Status string }
	Error   *struct{ Code string }
}

func (r itemResult) code() string {
	if r.Error == nil {
		return ""
	}
	return r.Error.Code
}

// codes returns the status and the error code of each item.
func codes(list []itemResult) string {
	var texts []string
	for _, r := range list {
		texts = append(texts, strings.TrimSpace(fmt.Sprintf("%d %s", r.Status, r.code())))
	}
	return strings.Join(texts, ", ")
}

const unknownCard = "card_01k5w0q2m7t9c3r5v8x0z1b4d6"

func TestCards_UpdateMany(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	listed, made := c.own().card, c.create(`{"identification":{"title":"Ember Fox"}}`)
	price := `"pricing":{"asking_price":{"amount":1250,"currency":"USD"}}`
	var got listOf[itemResult]
	c.do("PATCH", "/cards", `{"updates":[
		{"id":"`+strings.ToUpper(made.ID)+`","version":1,`+price+`},
		{"id":"`+unknownCard+`","notes":"x"},
		{"id":"`+listed+`","archived":true}
	]}`).want(t, http.StatusOK, &got)
	if want := "200, 404 card_not_found, 409 card_listed"; codes(got.Data) != want {
		t.Fatalf("got %s, want %s", codes(got.Data), want)
	}
	if first := got.Data[0]; first.ID != made.ID || first.Card.WorkflowStatus != "priced" {
		t.Errorf("got %+v, want the priced card", first)
	}
	c.do("PATCH", "/cards", `{"updates":[{"id":"`+made.ID+`"},{"id":"`+strings.ToUpper(made.ID)+`"}]}`).
		want(t, http.StatusBadRequest, nil).refused(t, "invalid_request")
	c.do("PATCH", "/cards", `{"updates":[]}`).want(t, http.StatusBadRequest, nil)
	c.do("PATCH", "/cards", `{"updates":[{"notes":"x"}]}`).want(t, http.StatusBadRequest, nil)
}

// TestMany_Atomic checks the errors of atomic requests.
func TestMany_Atomic(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine, sold := c.own(), c.own()
	s.buy(t, sold.listing)
	eventually(t, "the card is sold", func() bool { return c.get(sold.card).WorkflowStatus == "sold" })
	plain := c.create(`{}`).ID
	titled := c.create(`{"identification":{"title":"x"}}`).ID
	photoless := c.create(`{
		"identification": {"title": "x"},
		"pricing": {"asking_price": {"amount": 5, "currency": "USD"}}
	}`).ID
	archived := c.create(`{"external_id":"shop-1"}`).ID
	c.do("PATCH", "/cards/"+archived, `{"archived":true}`).want(t, http.StatusOK, nil)
	var batch struct{ ID string }
	c.do("POST", "/batches", `{"name":"Done"}`).want(t, http.StatusCreated, &batch)
	c.do("POST", "/batches/"+batch.ID+"/complete", nil).want(t, http.StatusOK, nil)
	before := s.snapshot(t)
	update := func(code, cardID, fields string) {
		t.Helper()
		c.do("PATCH", "/cards", `{"atomic":true,"updates":[{"id":"`+titled+`","notes":"new"},{"id":"`+cardID+`",`+
			fields+`}]}`).refused(t, code)
	}
	price := `"pricing":{"asking_price":{"amount":1,"currency":"USD"}}`
	update("card_not_found", unknownCard, `"notes":"x"`)
	update("batch_not_found", plain, `"batch_id":"bat_01k5w0q2m7t9c3r5v8x0z1b4d6"`)
	update("batch_complete", plain, `"batch_id":"`+batch.ID+`"`)
	update("card_sold", sold.card, price)
	update("card_listed", mine.card, `"archived":true`)
	update("version_mismatch", plain, `"version":9`)
	update("external_id_taken", plain, `"external_id":"shop-1"`)
	publish := func(code, cardID string) {
		t.Helper()
		c.do("POST", "/listings/publish", `{"atomic":true,"card_ids":["`+cardID+`"]}`).
			refused(t, code)
	}
	publish("card_not_found", unknownCard)
	publish("card_not_identified", plain)
	publish("card_not_priced", titled)
	publish("card_has_no_photo", photoless)
	publish("card_already_listed", mine.card)
	publish("card_sold", sold.card)
	publish("card_archived", archived)
	end := func(code, listingID string) {
		t.Helper()
		c.do("POST", "/listings/end", `{"atomic":true,"listing_ids":["`+mine.listing+`","`+listingID+`"]}`).
			refused(t, code)
	}
	end("listing_not_found", "lst_01k5w0q2m7t9c3r5v8x0z1b4d6")
	end("listing_not_live", sold.listing)
	s.unchanged(t, before)
}

func TestListings_PublishAndEndMany(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	var ids []string
	for range 3 {
		made := c.create(`{"identification":{"title":"x"},"pricing":{"asking_price":{"amount":500,"currency":"USD"}}}`)
		photo := c.do("PUT", "/cards/"+made.ID+"/photos/front", blank(t), "Content-Type: image/jpeg")
		photo.want(t, http.StatusOK, nil)
		ids = append(ids, made.ID)
	}
	list := func(ids []string) string { return `["` + strings.Join(ids, `","`) + `"]` }
	publish := `{"card_ids":` + list(append(ids, unknownCard)) + `}`
	var got listOf[itemResult]
	c.do("POST", "/listings/publish", publish).want(t, http.StatusOK, &got)
	if want := "202, 202, 202, 404 card_not_found"; codes(got.Data) != want {
		t.Fatalf("publish: got %s, want %s", codes(got.Data), want)
	}
	var listings []string
	for _, r := range got.Data[:3] {
		listings = append(listings, r.Listing.ID)
	}
	for _, cardID := range ids {
		eventually(t, "the listing is live", func() bool { return c.get(cardID).WorkflowStatus == "listed" })
	}
	c.do("POST", "/listings/publish", publish).want(t, http.StatusOK, &got)
	if want := "409 card_already_listed"; got.Data[0].code() != "card_already_listed" {
		t.Errorf("publish again: got %s, want %s", codes(got.Data), want)
	}
	c.do("POST", "/listings/end", `{"listing_ids":`+list(listings)+`}`).want(t, http.StatusOK, &got)
	if want := "202, 202, 202"; codes(got.Data) != want || got.Data[0].Listing.Status != "ending" {
		t.Errorf("end: got %s, want %s", codes(got.Data), want)
	}
	for _, cardID := range ids {
		eventually(t, "the listing ended", func() bool { return c.get(cardID).WorkflowStatus == "priced" })
	}
	c.do("POST", "/listings/end", `{"listing_ids":`+list(append(listings[:1:1], listings[0]))+`}`).
		want(t, http.StatusBadRequest, nil).refused(t, "invalid_request")
}

// TestListings_PublishByFilter publishes the cards of a batch in one request.
func TestListings_PublishByFilter(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	var batch struct{ ID string }
	c.do("POST", "/batches", `{"name":"Spring fair"}`).want(t, http.StatusCreated, &batch)
	first, second, plain, other := c.ready(t), c.ready(t), c.create(`{}`).ID, c.ready(t)
	for _, id := range []string{first, second, plain} {
		c.do("PATCH", "/cards/"+id, `{"batch_id":"`+batch.ID+`"}`).want(t, http.StatusOK, nil)
	}
	filter := `"filter":{"batch":"` + batch.ID + `"}`
	var refusal struct{ Error struct{ Message string } }
	atomic := c.do("POST", "/listings/publish", `{"atomic":true,`+filter+`}`)
	atomic.want(t, http.StatusConflict, &refusal)
	if !strings.HasPrefix(refusal.Error.Message, plain+": ") {
		t.Errorf("an atomic publication by a filter says %q, want the card that refuses it", refusal.Error.Message)
	}
	var got listOf[itemResult]
	c.do("POST", "/listings/publish", `{`+filter+`}`).want(t, http.StatusOK, &got)
	if want := "409 card_not_identified, 202, 202"; codes(got.Data) != want {
		t.Fatalf("got %s, want %s", codes(got.Data), want)
	}
	if got.Data[0].ID != plain || got.Data[1].ID != second || got.Data[2].ID != first {
		t.Errorf("got %+v, want the cards of the batch, newest first", got.Data)
	}
	for _, r := range got.Data[1:] {
		c.await(t, r.Listing.ID, "live")
	}
	if c.get(other).WorkflowStatus == "listed" {
		t.Error("a card of no batch was published")
	}
	c.do("POST", "/listings/publish", `{"filter":{"location":"Box 9"}}`).want(t, http.StatusOK, &got)
	if len(got.Data) != 0 {
		t.Errorf("a filter that matches no card: got %+v", got.Data)
	}
	c.do("POST", "/listings/publish", `{`+filter+`,"card_ids":["`+first+`"]}`).refused(t, "invalid_request")
	c.do("POST", "/listings/publish", `{}`).refused(t, "invalid_request")
}

package e2e

import (
	"net/http"
	"net/url"
	"testing"
)

// catalogCard is an item of GET /catalog/cards.
type catalogCard struct {
	ID, Title, Game   string
	Set, Number, Year any
}

// A person reviews a card: the candidates of its failed identification, a search of the catalogue with a typo, and the
// card of the catalogue that the person chose.
func TestCard_Review(t *testing.T) {
	t.Parallel()
	s := start(t)
	installDemo(t, s)
	c := s.client(t, true)
	made := c.create(`{"identify":false}`)
	if *made.Identification.Status != "none" {
		t.Errorf("status %s of a card that nothing was asked for, want none", *made.Identification.Status)
	}
	var weighed struct {
		Data []struct {
			Signals []struct{ Kind string }
			Grade   *struct{ Company string }
		}
		AttemptedAt *string `json:"attempted_at"`
	}
	path := "/cards/" + made.ID + "/candidates"
	c.do("GET", path, nil).want(t, http.StatusOK, &weighed)
	if weighed.Data == nil || len(weighed.Data) != 0 || weighed.AttemptedAt != nil {
		t.Errorf("candidates before any identification: %+v, want none", weighed)
	}
	c.do("PUT", "/cards/"+made.ID+"/photos/front", picture(t, 3), "Content-Type: image/jpeg").want(t, 200, nil)
	c.do("POST", "/identify", `{"card_id":"`+made.ID+`"}`).want(t, http.StatusOK, nil)
	got := c.do("GET", path, nil)
	got.want(t, http.StatusOK, &weighed)
	if len(weighed.Data) == 0 || len(weighed.Data[0].Signals) == 0 || weighed.Data[0].Grade != nil ||
		weighed.AttemptedAt == nil {
		t.Errorf("candidates: %+v, want some with what speaks for them", weighed)
	}
	c.do("GET", path, nil, "If-None-Match: "+got.header.Get("ETag")).want(t, http.StatusNotModified, nil)

	title := *c.get(made.ID).Title
	misspelt := title[:2] + title[3:]
	var found struct{ Data []catalogCard }
	search := "/catalog/cards?limit=5&q=" + url.QueryEscape(misspelt)
	got = c.do("GET", search, nil)
	got.want(t, http.StatusOK, &found)
	if len(found.Data) == 0 || found.Data[0].Title != title {
		t.Fatalf("search for %s: %+v, want %s first", misspelt, found.Data, title)
	}
	c.do("GET", search, nil, "If-None-Match: "+got.header.Get("ETag")).want(t, http.StatusNotModified, nil)
	c.do("GET", "/catalog/cards?limit=0", nil).refused(t, "invalid_request")

	var one catalogCard
	got = c.do("GET", "/catalog/cards/"+found.Data[0].ID, nil)
	got.want(t, http.StatusOK, &one)
	c.do("GET", "/catalog/cards/"+one.ID, nil, "If-None-Match: "+got.header.Get("ETag")).
		want(t, http.StatusNotModified, nil)
	c.do("GET", "/catalog/cards/none", nil).refused(t, "card_not_found")
	c.do("GET", "/catalog/cards/"+one.ID+"?nothing=1", nil).refused(t, "invalid_request")

	chosen := c.create(`{}`)
	c.do("PATCH", "/cards/"+chosen.ID, `{"identification":{"catalog_id":"none"}}`).refused(t, "invalid_request")
	c.do("PATCH", "/cards/"+chosen.ID, `{"identification":{"catalog_id":"`+one.ID+`"}}`).want(t, http.StatusOK, nil)
	card := c.get(chosen.ID)
	if card.Title == nil || *card.Title != title || *card.Identification.Source != "manual" {
		t.Errorf("identified by catalog_id as %+v, want %s", card, title)
	}
}

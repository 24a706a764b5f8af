package e2e

import (
	"bytes"
	"image"
	"image/draw"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/demo"
	"github.com/cardvault/cardvault/internal/events"
)

// installDemo adds the forty cards of the demo to the service's catalog.
func installDemo(t testing.TB, s *service) {
	t.Helper()
	if err := demo.Install(t.Context(), s.Catalog); err != nil {
		t.Fatal(err)
	}
}

// TestCard_FromImportToSale imports a card with a photo, which the service identifies, prices it, publishes it and
// sells it. Each step sends a webhook, and polling shows the same events.
func TestCard_FromImportToSale(t *testing.T) {
	t.Parallel()
	s := start(t)
	installDemo(t, s)
	c := s.client(t, true)
	hook := c.endpoint()

	photo := demo.Drawings()[3]
	images := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/jpeg")
		w.Write(picture(t, 3))
	}))
	t.Cleanup(images.Close)
	made := c.create(`{"photos":[{"url":"` + images.URL + `/card.jpg","role":"front"}]}`)
	if made.WorkflowStatus != "imported" || made.Photos[0].Status != "pending" {
		t.Fatalf("created %+v, want an imported card with a pending photo", made)
	}
	identified := hook.event(t, "card.identified", made.ID)
	if identified["title"] != photo.Art.Name || len(identified) != 4 {
		t.Fatalf("the data of card.identified is %v, want the title %s", identified, photo.Art.Name)
	}
	card := c.get(made.ID)
	identification := card.Identification
	if *identification.Source != "ai" || identification.CatalogID == nil || card.Photos[0].Status != "ready" {
		t.Fatalf("identified %+v, want the source ai, an id of the catalog and a photo that is ready", card)
	}

	var price struct {
		Price struct {
			Amount   int64
			Currency string
		}
		Basis string
	}
	c.do("POST", "/price-lookup", `{"card_id":"`+made.ID+`"}`).want(t, http.StatusOK, &price)
	if price.Basis != "catalog" || price.Price.Amount == 0 {
		t.Fatalf("price %+v, want one from the catalog", price)
	}
	c.do("POST", "/listings/"+made.ID+"/publish", nil).refused(t, "card_not_priced")
	askingPrice := `{"pricing":{"asking_price":{"amount":1250,"currency":"USD"}}}`
	c.do("PATCH", "/cards/"+made.ID, askingPrice).want(t, http.StatusOK, nil)
	hook.event(t, "card.priced", made.ID)

	var listing struct{ ID, Status string }
	c.do("POST", "/listings/"+made.ID+"/publish", nil).want(t, http.StatusAccepted, &listing)
	c.do("POST", "/listings/"+made.ID+"/publish", nil).refused(t, "card_already_listed")
	published := hook.event(t, "listing.published", made.ID)
	if published["listing_id"] != listing.ID || published["external_id"] == "" || published["url"] == "" {
		t.Fatalf("the data of listing.published is %v, want the listing %s", published, listing.ID)
	}
	c.do("PATCH", "/cards/"+made.ID, `{"archived":true}`).refused(t, "card_listed")

	s.buy(t, listing.ID)
	sold := hook.event(t, "listing.sold", made.ID)
	if sold["sold_price"] == nil || sold["sold_at"] == nil {
		t.Fatalf("the data of listing.sold is %v, want a price and a time", sold)
	}
	if after := c.get(made.ID); after.WorkflowStatus != "sold" || *after.ListingID != listing.ID {
		t.Fatalf("after the sale the card is %+v", after)
	}
	c.do("GET", "/listings/"+listing.ID, nil).want(t, http.StatusOK, &listing)
	if listing.Status != "sold" {
		t.Fatalf("after the sale the listing is %+v", listing)
	}
	c.do("POST", "/listings/"+listing.ID+"/end", nil).refused(t, "listing_not_live")
	c.do("POST", "/price-lookup", `{"card_id":"`+made.ID+`"}`).want(t, http.StatusOK, &price)
	if price.Basis != "sold_listings" {
		t.Errorf("price %+v, want one from the sale", price)
	}
	c.checkEvents(hook)
}

// checkEvents checks that the endpoint got all events of its kinds that GET /events returns, and that the changes of
// the workflow status follow one another from imported to sold.
func (c *client) checkEvents(hook *sink) {
	c.t.Helper()
	var all listOf[received]
	c.do("GET", "/events?limit=200&created_since=2020-01-01T00:00:00Z", nil).want(c.t, http.StatusOK, &all)
	wanted := 0
	for _, e := range all.Data {
		if slices.Contains(events.DefaultKinds, events.Kind(e.Event)) {
			wanted++
		}
	}
	eventually(c.t, "every event is delivered", func() bool {
		hook.mu.Lock()
		defer hook.mu.Unlock()
		return len(hook.got) == wanted
	})
	status := "imported"
	for _, e := range all.Data {
		if e.Event == "card.workflow_status_changed" {
			if e.Data["previous_status"] != status {
				c.t.Errorf("a change from %v follows one to %s", e.Data["previous_status"], status)
			}
			status = e.Data["status"].(string)
		}
	}
	if status != "sold" {
		c.t.Errorf("the last change is to %s, want sold", status)
	}
}

// buy buys a listing at the sandbox marketplace.
func (s *service) buy(t testing.TB, listingID string) {
	t.Helper()
	s.atMarket(t, listingID, "buy")
}

// atMarket performs an action of the sandbox marketplace on a listing.
func (s *service) atMarket(t testing.TB, listingID, action string) {
	t.Helper()
	url := s.market.URL + "/sandbox/listings/" + listingID + "/" + action
	resp, err := http.Post(url, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		body, _ := io.ReadAll(resp.Body)
		t.Fatalf("%s at the marketplace: %d %s", action, resp.StatusCode, body)
	}
}

func TestListing_Ends(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	hook := c.endpoint()
	made := c.create(`{
		"identification": {"title": "Ember Fox"},
		"pricing": {"asking_price": {"amount": 500, "currency": "USD"}},
		"identify": false
	}`)
	publish := "/listings/" + made.ID + "/publish"
	c.do("POST", publish, nil).refused(t, "card_has_no_photo")
	put := c.do("PUT", "/cards/"+made.ID+"/photos/listing", picture(t, 5), "Content-Type: image/jpeg")
	put.want(t, http.StatusOK, nil)
	var listing struct{ ID, Title string }
	terms := `{"title":"A fox","price":{"amount":700,"currency":"USD"}}`
	c.do("POST", publish, terms).want(t, http.StatusAccepted, &listing)
	hook.event(t, "listing.published", made.ID)
	photo := c.get(made.ID).Photos[0].ID
	c.do("DELETE", "/cards/"+made.ID+"/photos/"+photo, nil).refused(t, "card_listed")
	c.do("POST", "/listings/"+listing.ID+"/end", nil).want(t, http.StatusAccepted, nil)
	ended := hook.event(t, "listing.ended", made.ID)
	if ended["end_reason"] != "ended_by_seller" {
		t.Errorf("the data of listing.ended is %v, want the reason ended_by_seller", ended)
	}
	if after := c.get(made.ID); after.WorkflowStatus != "photographed" || after.ListingID != nil {
		t.Errorf("after the end the card is %+v, want it photographed and not listed", after)
	}
	var found listOf[struct{ ID string }]
	c.do("GET", "/listings?status=ended&card="+made.ID+"&marketplace=sandbox", nil).want(t, http.StatusOK, &found)
	if len(found.Data) != 1 {
		t.Errorf("ended listings %+v, want one", found)
	}
}

func TestIdentify(t *testing.T) {
	t.Parallel()
	s := start(t)
	installDemo(t, s)
	c := s.client(t, false)
	var out struct {
		Outcome string
		Card    *card
		Result  *struct{ Title string }
	}
	photos := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "blank") {
			w.Write(blank(t))
			return
		}
		w.Write(picture(t, 7))
	}))
	t.Cleanup(photos.Close)
	c.do("POST", "/identify", `{"photo_url":"`+photos.URL+`/card"}`).want(t, http.StatusOK, &out)
	if out.Outcome != "identified" || out.Card != nil || out.Result.Title != demo.Drawings()[7].Art.Name {
		t.Fatalf("by a photo: %+v", out)
	}

	made := c.create(`{"identify":false}`)
	c.do("POST", "/identify", `{"card_id":"`+made.ID+`"}`).refused(t, "card_has_no_photo")
	front := "/cards/" + made.ID + "/photos/front"
	c.do("PUT", front, illegible(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	c.do("POST", "/identify", `{"card_id":"`+made.ID+`"}`).want(t, http.StatusOK, &out)
	if out.Outcome != "failed" || out.Card.WorkflowStatus != "needs_review" {
		t.Fatalf("by an illegible photo: %+v", out)
	}
	var failed listOf[received]
	c.do("GET", "/events?event=identify.failed", nil).want(t, http.StatusOK, &failed)
	if len(failed.Data) != 1 || len(failed.Data[0].Data["attempts"].([]any)) != 2 {
		t.Fatalf("events identify.failed: %+v, want one with two attempts", failed.Data)
	}
	c.do("PUT", front, picture(t, 9), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	c.do("POST", "/identify", `{"card_id":"`+made.ID+`"}`).want(t, http.StatusOK, &out)
	if out.Outcome != "identified" || out.Card.WorkflowStatus != "identified" {
		t.Fatalf("by a card: %+v", out)
	}
	both := `{"photo_url":"http://192.0.2.1/x","card_id":"` + made.ID + `"}`
	c.do("POST", "/identify", both).refused(t, "invalid_request")
	c.do("POST", "/price-lookup", `{"card":{"title":"No such card anywhere"}}`).refused(t, "no_price_found")
}

// illegible returns a picture that shows no card. It is not plain, because the providers skip plain images.
func illegible(t testing.TB) []byte {
	t.Helper()
	picture := image.NewGray(image.Rect(0, 0, 600, 840))
	draw.Draw(picture, image.Rect(200, 300, 400, 500), image.White, image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// blank returns a plain picture. All callers get the same bytes.
func blank(t testing.TB) []byte {
	t.Helper()
	picture, err := plainPicture()
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// plainPicture encodes the picture once, because the race detector makes that slow.
var plainPicture = sync.OnceValues(func() ([]byte, error) {
	var b bytes.Buffer
	err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 600, 840)), nil)
	return slices.Clip(b.Bytes()), err
})

package e2e

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/demo"
	"github.com/cardvault/cardvault/internal/users"
)

// uploadPhoto sends the form of a card's page that adds a photo.
func (b *browser) uploadPhoto(path, role string, photo []byte) page {
	b.t.Helper()
	return b.sendFile(path, "photo", "IMG_0001.JPG", photo, "role", role)
}

// A member takes a card from a photo to the end of its listing on its page alone.
func TestDashboard_CardFromPhotoToListing(t *testing.T) {
	t.Parallel()
	s := start(t)
	installDemo(t, s)
	c := s.client(t, true)
	hook := c.endpoint()
	made := c.create(`{"identify":false}`)
	b, path := s.browser(t, c.account, users.Member), "/cards/"+made.ID
	b.wantRedirect(b.uploadPhoto(path+"/photos", "front", picture(t, 3)), path+"?saved=photo#photos")
	b.wantRedirect(b.post(path+"/identify"), path+"?saved=identified#candidates")
	p := b.get(path + "?saved=identified&prices=true")
	name := demo.Drawings()[3].Art.Name
	b.want(p, http.StatusOK, "The card was identified by its photo.", name, "prices of the catalogue", "<h1>"+name)
	photo := c.get(made.ID).Photos[0]
	if got := b.get(strings.TrimPrefix(*photo.URL, b.base)); got.StatusCode != http.StatusOK {
		t.Errorf("the photo: got %d, want 200", got.StatusCode)
	}
	b.want(p, http.StatusOK, `<img src="/photos/`+c.account+"/"+photo.ID)

	b.wantRedirect(b.post(path+"/publish", "marketplace", "sandbox", "price", "12.50", "currency", "USD"),
		path+"?saved=published#listing")
	published := hook.event(t, "listing.published", made.ID)
	p = b.get(path)
	b.want(p, http.StatusOK, "End the listing", "$12.50", `href="`+published["url"].(string)+`"`)
	listing := published["listing_id"].(string)
	b.wantRedirect(b.post(path+"/end", "listing", listing), path+"?saved=ending#listing")
	hook.event(t, "listing.ended", made.ID)
	b.want(b.get(path), http.StatusOK, "ended by seller", ">Publish<")

	b.wantRedirect(b.post(path+"/sell", "channel", "in_person", "price", "11", "currency", "USD"),
		path+"?saved=sold#sale")
	b.want(b.get(path), http.StatusOK, "$11.00", "in person")
	if sold := c.get(made.ID); sold.WorkflowStatus != "sold" {
		t.Errorf("after the sale the card is %+v", sold)
	}
	b.wantRedirect(b.post(path+"/delete", "version", versionOf(t, b.get(path+"/delete"))), "/cards")
	c.do("GET", path, nil).refused(t, "card_not_found")
}

// versionOf returns the version in the form of a page.
func versionOf(t testing.TB, p page) string {
	t.Helper()
	pairs := fields(p)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == "version" {
			return pairs[i+1]
		}
	}
	t.Fatalf("the page has no version: %s", p.body)
	return ""
}

// A listing that the marketplace refuses shows why, and what to do.
func TestDashboard_CardListingFails(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, true)
	made := c.create(`{"identify":false,"identification":{"title":"<script>alert(1)</script>",
		"grade":{"company":"PSA","value":"mint","cert_number":null}},
		"pricing":{"asking_price":{"amount":500,"currency":"USD"}}}`)
	b, path := s.browser(t, c.account, users.Member), "/cards/"+made.ID
	b.wantRedirect(b.uploadPhoto(path+"/photos", "listing", picture(t, 5)), path+"?saved=photo#photos")
	b.wantRedirect(b.post(path+"/publish", "marketplace", "sandbox"), path+"?saved=published#listing")
	eventually(t, "the page shows the failure", func() bool {
		return strings.Contains(b.get(path).body, "It did not go live: the grade must be 1 to 10")
	})
	p := b.get(path)
	b.want(p, http.StatusOK, "Complete the grade and its company", "Publish again",
		"&lt;script&gt;alert(1)&lt;/script&gt;")
	if strings.Contains(p.body, "<script>alert") {
		t.Error("the title is part of the page's markup")
	}
	stranger := s.browser(t, s.client(t, true).account, users.Owner)
	for _, form := range []string{"/publish", "/end", "/sell", "/identify", "/delete", "/archive"} {
		stranger.want(stranger.post(path+form, "version", "1"), http.StatusNotFound)
	}
}

// The look-up of a price shows the sales that it is based on, as dots and in a table.
func TestDashboard_CardPriceOfSales(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, true)
	hook := c.endpoint()
	for _, amount := range []string{"500", "900"} {
		made := c.create(`{"identify":false,"identification":{"title":"Ember Fox"},
			"pricing":{"asking_price":{"amount":` + amount + `,"currency":"USD"}}}`)
		c.do("PUT", "/cards/"+made.ID+"/photos/listing", picture(t, 5), "Content-Type: image/jpeg").want(t, 200, nil)
		var listing struct{ ID string }
		c.do("POST", "/listings/"+made.ID+"/publish", nil).want(t, http.StatusAccepted, &listing)
		hook.event(t, "listing.published", made.ID)
		s.buy(t, listing.ID)
		hook.event(t, "listing.sold", made.ID)
	}
	made := c.create(`{"identify":false,"identification":{"title":"Ember Fox"}}`)
	b, path := s.browser(t, c.account, users.Member), "/cards/"+made.ID
	p := b.get(path + "?prices=true")
	b.want(p, http.StatusOK, "From 2 prices: your own sales of this card", "$7.00",
		"The newest is from today.", `>100&nbsp;%</td>`,
		`aria-label="Prices of sales by date.`,
		`From <span class="amount">$5.00</span> to <span class="amount">$9.00</span>`)
	if dots := strings.Count(p.body, ` r="4"/>`); dots != 2 {
		t.Errorf("the plot has %d dots, want 2", dots)
	}
	b.wantRedirect(b.post(path, "version", versionOf(t, p), "asking_price", "7.00", "asking_currency", "USD"),
		path+"?saved=true")
}

// j and k lead through the list that the reader came from, beyond the page of it that was shown.
func TestDashboard_CardNeighbors(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	c.do("POST", "/cards", `{"cards":[{"identification":{"title":"Ember Fox"},"copies":50}]}`).
		want(t, http.StatusCreated, nil)
	last := c.create(`{"identify":false,"identification":{"title":"Zinc Fox"}}`)
	c.create(`{"identify":false,"identification":{"title":"Zinc Owl"}}`)
	b := s.browser(t, c.account, users.Member)
	first := b.get("/cards?q=fox&sort=title")
	links := regexp.MustCompile(`<th scope="row"><a href="([^"]*)"`).FindAllStringSubmatch(first.body, -1)
	if len(links) != 50 {
		t.Fatalf("the first page has %d cards, want 50", len(links))
	}
	at := html.UnescapeString(links[49][1])
	p := b.get(at)
	next := regexp.MustCompile(`<a href="([^"]*)" rel="next" data-key="j"`).FindStringSubmatch(p.body)
	if next == nil {
		t.Fatalf("the last card of the first page leads to no next one: %s", p.body)
	}
	p = b.get(html.UnescapeString(next[1]))
	b.want(p, http.StatusOK, "<h1>Zinc Fox</h1>", `rel="prev" data-key="k"`)
	if !strings.HasPrefix(next[1], "/cards/"+last.ID+"?") || strings.Contains(p.body, `rel="next"`) {
		t.Errorf("the next card is %s, want the last one of the list, %s", next[1], last.ID)
	}
	stranger := s.browser(t, s.client(t, false).account, users.Owner)
	stranger.want(stranger.get(at), http.StatusNotFound)
}

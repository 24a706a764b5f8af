package e2e

import (
	"encoding/csv"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/users"
)

// counter is a user of the dashboard in the account of a client of the API.
type counter struct {
	*browser
	api *client
}

// atCounter starts the service with a user of the role.
func atCounter(t testing.TB, role users.Role) *counter {
	t.Helper()
	s := start(t)
	c := s.client(t, false)
	return &counter{s.browser(t, c.account, role), c}
}

// formFields returns the names and values of the inputs of the page's form that posts to this address.
func formFields(t testing.TB, p page, action string) map[string]string {
	t.Helper()
	_, form, found := strings.Cut(p.body, `method="post" action="`+action+`"`)
	if !found {
		t.Fatalf("there is no form %s:\n%s", action, p.body)
	}
	form, _, _ = strings.Cut(form, "</form>")
	values := map[string]string{}
	for _, input := range formInput.FindAllStringSubmatch(form, -1) {
		values[input[1]] = html.UnescapeString(input[2])
	}
	return values
}

var formInput = regexp.MustCompile(`<input[^>]* name="(\w+)"[^>]* value="([^"]*)"`)

// sendForm sends the fields with some values changed.
func (b *browser) sendForm(path string, values map[string]string, changes ...string) page {
	b.t.Helper()
	for i := 0; i < len(changes); i += 2 {
		values[changes[i]] = changes[i+1]
	}
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, name, value)
	}
	return b.post(path, pairs...)
}

// await waits until the page has the text.
func (b *browser) await(path, text string) page {
	b.t.Helper()
	var p page
	eventually(b.t, path+" has "+text, func() bool {
		p = b.get(path)
		return strings.Contains(p.body, text)
	})
	return p
}

// A member ends a listing, to whose page its row leads, and publishes the card again, with another price.
func TestDashboard_Listings(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	b.want(b.get("/listings"), http.StatusOK, "There are no listings yet")
	mine := b.api.own()
	path := "/listings/" + mine.listing
	list := b.get("/listings?status=live&marketplace=sandbox")
	b.want(list, http.StatusOK, `<a href="`+path+`">Ember Fox</a>`, "$5.00", `<img src="/photos/`)
	b.want(b.get("/listings?status=failed"), http.StatusOK, "No listing matches")
	b.want(b.get("/listings?status=lively"), http.StatusBadRequest, `id="e-status">must be one of publishing, live`)

	b.want(list, http.StatusOK, `href="`+path+`#end"`)
	b.wantRedirect(b.sendForm(path+"/end", formFields(t, b.get(path), path+"/end")), path+"?done=ended")
	b.want(b.post(path, "title", "x", "price", "5", "version", "1"), http.StatusPreconditionFailed,
		"The listing is at version")
	ended := b.await(path, "Ended by you")
	b.want(ended, http.StatusOK, "Publishing requested", "Live on sandbox", "Publish again on sandbox")
	b.want(b.post(path+"/end"), http.StatusConflict, "only a live one can be ended")

	again := formFields(t, ended, path+"/publish")
	b.want(b.sendForm(path+"/publish", again, "price", "0"), http.StatusUnprocessableEntity, `id="e-price"`)
	published := b.sendForm(path+"/publish", again, "price", "6.50", "title", "<b>Fox</b>")
	next, _, _ := strings.Cut(published.Header.Get("Location"), "?")
	if published.StatusCode != http.StatusSeeOther || next == path {
		t.Fatalf("got %d to %s, want 303 to a new listing", published.StatusCode, next)
	}
	live := b.await(next, "Live on sandbox")
	b.want(live, http.StatusOK, "&lt;b&gt;Fox&lt;/b&gt;", "$6.50")
	b.want(b.post(path+"/publish"), http.StatusConflict, "This card has a listing under way")
	if asking := b.api.get(mine.card).Pricing.AskingPrice; asking == nil || asking.Amount != 650 {
		t.Errorf("asking price %+v, want 650", asking)
	}
}

// A change of the price of a live listing reaches the marketplace, and the listing's history shows who made it.
func TestDashboard_ListingPrice(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Owner)
	mine := b.api.own()
	path := "/listings/" + mine.listing
	form := formFields(t, b.get(path), path)
	for _, price := range []string{"much", "", "0", "1.234"} {
		refused := b.sendForm(path, form, "price", price)
		b.want(refused, http.StatusUnprocessableEntity, `id="e-price"`, `value="`+price+`"`)
	}
	b.want(b.sendForm(path, form, "price", "4", "title", ""), http.StatusUnprocessableEntity, `id="e-title"`)
	b.wantRedirect(b.sendForm(path, form, "price", "4.00", "title", "A fox"), path+"?done=saved")
	b.want(b.await(path, "The marketplace has the new title or price"), http.StatusOK,
		"Price changed from $5.00 to $4.00", "by owner-", "<dd>A fox</dd>")
	b.want(b.post(path, "price", "3"), http.StatusUnprocessableEntity, "The form is incomplete")
	b.api.service.buy(t, mine.listing)
	b.want(b.await(path, "Sold for $4.00"), http.StatusOK, "/sales?card="+mine.card)
}

// A listing that the marketplace refuses shows why and what to do.
func TestDashboard_ListingFails(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	mine := b.api.own()
	b.wantRedirect(b.post("/listings/"+mine.listing+"/end"), "/listings/"+mine.listing+"?done=ended")
	b.await("/listings/"+mine.listing, "Ended by you")
	// The service refuses such a title today; earlier versions stored it.
	_, err := b.api.service.DB.Exec(t.Context(), `
		UPDATE cards SET title = U&'\0085', set = NULL, number = NULL WHERE account_id = $1 AND id = $2`,
		b.api.account, mine.card)
	if err != nil {
		t.Fatal(err)
	}
	var listing struct{ ID string }
	b.api.do("POST", "/listings/"+mine.card+"/publish", nil).want(t, http.StatusAccepted, &listing)
	list := b.await("/listings?status=failed", listing.ID)
	b.want(list, http.StatusOK, "the listing needs a title", "publish again with a shorter one",
		"Publish again</button>")
	b.api.do("PATCH", "/cards/"+mine.card, `{"identification":{"title":"Ember Fox"}}`).want(t, http.StatusOK, nil)
	again := "/listings/" + listing.ID + "/publish"
	b.wantRedirect(b.sendForm(again, formFields(t, list, again)), "/listings?status=failed")
	b.await("/listings?status=live", "Ember Fox")
}

// A sale at a fair takes two clicks: search, record.
func TestDashboard_SellAtAFair(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	card := b.api.create(`{"identification":{"title":"<script>Fox","number":"4/102"},
		"pricing":{"asking_price":{"amount":1250,"currency":"EUR"},"cost":{"amount":300,"currency":"EUR"}}}`).ID
	b.api.create(`{}`) // without a title, so it cannot be sold
	b.want(b.get("/sales"), http.StatusOK, "There are no sales yet")
	b.want(b.get("/sales/new?q=owl"), http.StatusOK, "No card matches that can be sold")
	b.want(b.get("/sales/new?q="+strings.Repeat("x", 201)), http.StatusBadRequest, "at most 200 characters")
	found := b.get("/sales/new?q=fox")
	b.want(found, http.StatusOK, "&lt;script&gt;Fox", "Price in EUR", "Cost <span class=\"amount\">€3.00",
		"<option value=\"in_person\" selected>in person</option>")
	form := formFields(t, found, "/sales/new")
	want := map[string]string{"card": card, "currency": "EUR", "q": "fox", "price": "12.50"}
	if diff := cmp.Diff(want, form); diff != "" {
		t.Fatalf("form (-want +got):\n%s", diff)
	}
	b.want(b.sendForm("/sales/new", form, "channel", "in_person", "price", "much"), http.StatusUnprocessableEntity,
		"must be an amount such as 12.50", `value="much"`)
	b.want(b.sendForm("/sales/new", form, "price", "12", "channel", "fair"), http.StatusUnprocessableEntity,
		"must be one of ebay")
	recorded := b.sendForm("/sales/new", form, "channel", "in_person")
	sale, ok := strings.CutPrefix(recorded.Header.Get("Location"), "/sales/new?recorded=")
	if !ok {
		t.Fatalf("got %d to %s, want the search again", recorded.StatusCode, recorded.Header.Get("Location"))
	}
	b.want(b.get("/sales/new?recorded="+sale), http.StatusOK, "Recorded: &lt;script&gt;Fox for", "€12.00")
	b.want(b.sendForm("/sales/new", form), http.StatusConflict, "This card was sold.")
	b.want(b.get("/sales/new?q=fox"), http.StatusOK, "No card matches that can be sold")
	b.want(b.get("/sales?channel=in_person&currency=EUR"), http.StatusOK,
		`<a href="/sales/`+sale+`">&lt;script&gt;Fox</a>`, "€12.00", "€3.00", "€9.00")
	b.want(b.get("/sales?channel=ebay"), http.StatusOK, "No sale matches")
	b.want(b.get("/sales?sold_since=soon"), http.StatusBadRequest, `id="e-sold_since">must be a date`)
	b.want(b.get("/sales/report?period=this_month"), http.StatusOK, "By channel", ">in person</a>", "€9.00")
	b.want(b.get("/sales/report?period=last_year"), http.StatusOK, "No sales in this period.")
}

const soldFox = `{"identification":{"title":"Ember Fox"},"pricing":{"cost":{"amount":300,"currency":"USD"}}}`

// The file for a marketplace has the cards that it would take.
func TestDashboard_ListingsCSV(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	card := b.api.create(`{
		"identification": {"title": "Ember Fox", "condition": "NM"},
		"pricing": {"asking_price": {"amount": 500, "currency": "USD"}}
	}`)
	b.api.do("PUT", "/cards/"+card.ID+"/photos/listing", blank(t), "Content-Type: image/jpeg").
		want(t, http.StatusOK, nil)
	b.want(b.get("/listings"), http.StatusOK, `action="/listings.csv"`, "<option>EBAY_US</option>")
	file := b.get("/listings.csv?format=ebay&site=EBAY_US&location=Trier")
	rows, err := csv.NewReader(strings.NewReader(file.body)).ReadAll()
	if err != nil || len(rows) != 2 || !strings.HasPrefix(file.Header.Get("Content-Type"), "text/csv") {
		t.Fatalf("%d rows of %s, %v; want the heads and a card", len(rows), file.Header.Get("Content-Type"), err)
	}
	if !slices.Contains(rows[1], card.ID) || !slices.Contains(rows[1], "Trier") || !slices.Contains(rows[1], "5.00") {
		t.Errorf("cells %v, want the card, its price and the location", rows[1])
	}
	b.want(b.get("/listings.csv?format=tcgplayer&status=listed"), http.StatusOK, "TCGplayer Id")
	b.want(b.get("/listings.csv?format=etsy"), http.StatusBadRequest, "format: must be one of ebay, tcgplayer")
}

// The sheet has the cards to ship in the order in which one walks. A tick marks them as shipped.
func TestDashboard_PullSheet(t *testing.T) {
	t.Parallel()
	b := atCounter(t, users.Member)
	b.want(b.get("/listings/pull-sheet"), http.StatusOK, "There is nothing to ship")
	draft := func(title, location string) string {
		return `{"identification":{"title":"` + title + `"},"location":"` + location + `"}`
	}
	far, _ := b.sold("own_store", draft("Far", "Box 10/Row 1"))
	b.sold("own_store", draft("Near", "Box 2/Row 1"))
	b.sold("in_person", draft("Gone", "Box 1"))
	_, deleted := b.sold("other", soldFox)
	b.api.do("DELETE", "/cards/"+deleted, nil).want(t, http.StatusNoContent, nil)
	sheet := b.get("/listings/pull-sheet")
	b.want(sheet, http.StatusOK, "<h2>Box 2</h2>", "<h2>Box 10</h2>", "<h2>Without a location</h2>",
		"the card was deleted")
	near, last := strings.Index(sheet.body, ">Near</a>"), strings.Index(sheet.body, ">Far</a>")
	if near < 0 || last < near || strings.Contains(sheet.body, ">Gone</a>") {
		t.Errorf("the order of the sheet is wrong:\n%s", sheet.body)
	}
	b.want(b.post("/listings/pull-sheet"), http.StatusUnprocessableEntity, "Tick the cards", ">Near</a>")
	const path = "/listings/pull-sheet"
	tick := func() {
		t.Helper()
		b.wantRedirect(b.post(path, "sale", strings.TrimPrefix(far, "/sales/")), path+"?done=shipped")
		shipped := b.get(path + "?done=shipped")
		b.want(shipped, http.StatusOK, "Marked 1 card as shipped.", `action="/listings/pull-sheet/undo" data-undo="10"`)
		if strings.Contains(shipped.body, ">Far</a>") {
			t.Error("a shipped card is on the sheet")
		}
	}
	b.want(b.post(path+"/undo"), http.StatusUnprocessableEntity, "There are no marks left to undo.")
	tick()
	b.wantRedirect(b.post(path+"/undo"), path+"?done=undone")
	b.want(b.get(path+"?done=undone"), http.StatusOK, "The cards are to be shipped again.", ">Far</a>")
	b.want(b.post(path+"/undo"), http.StatusUnprocessableEntity, "There are no marks left to undo.")
	tick()
	b.want(b.get(far), http.StatusOK, "<dt>Shipped</dt>")
}

// Identifiers of another account are unknown, on every page and in every form.
func TestDashboard_SellingOfThisAccountOnly(t *testing.T) {
	t.Parallel()
	s := start(t)
	mine := s.client(t, false).own()
	eve := s.client(t, false)
	b := s.browser(t, eve.account, users.Owner)
	for _, path := range []string{
		"/listings/" + mine.listing, "/sales/" + mine.sale, "/sales/" + mine.sale + "/refund",
		"/sales/" + mine.sale + "/void", "/sales/new?recorded=" + mine.sale,
		"/listings/lst_unknown", "/sales/sale_unknown",
	} {
		b.want(b.get(path), http.StatusNotFound)
	}
	for path, form := range map[string][]string{
		"/listings/" + mine.listing:              {"version", "1", "title", "x", "price", "1"},
		"/listings/" + mine.listing + "/end":     nil,
		"/listings/" + mine.listing + "/publish": nil,
		"/listings/pull-sheet":                   {"sale", mine.sale},
		"/sales/new":                             {"card", mine.card, "price", "1", "channel", "in_person"},
		"/sales/" + mine.sale:                    {"version", "1"},
		"/sales/" + mine.sale + "/refund":        {"version", "1", "amount", "1"},
		"/sales/" + mine.sale + "/void":          {"version", "1"},
	} {
		b.want(b.post(path, form...), http.StatusNotFound)
	}
	b.want(b.get("/sales"), http.StatusOK, "There are no sales yet")
	b.want(b.get("/listings?card="+mine.card), http.StatusOK, "No listing matches")
}

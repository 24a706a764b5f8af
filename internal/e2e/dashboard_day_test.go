package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/demo"
	"github.com/cardvault/cardvault/internal/users"
)

// What a day has: photos, of which some show no card, and the rows of a file, of which some have a photo or a price.
const (
	dayPhotos, dayIllegible         = 20, 16
	dayRows, dayPictured, dayPriced = 500, 31, 250
	dayPublished, dayBought         = 50, 10
)

// day is a working day of a seller in a browser without scripts.
type day struct {
	*browser
	t       *testing.T
	api     *client
	batch   string   // its identifier
	skipped string   // the card that was not reviewed
	bought  []string // identifiers of listings
}

// TestDashboard_Day works through a whole day. At its end the dashboard, the API, the events and the webhooks agree.
func TestDashboard_Day(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.WebhookRetryDelays = []time.Duration{time.Millisecond} })
	installDemo(t, s)
	c := s.client(t, true)
	d := &day{browser: s.browser(t, c.account, users.Owner), t: t, api: c}
	d.importPhotos()
	d.importFile()
	d.review()
	d.price()
	hook := newDayHook(t)
	d.register(hook)
	d.publish()
	d.sell(s)
	d.ship()
	d.resend(hook)
	d.checkStatuses()
	d.checkSales(hook)
}

// importPhotos drops the photos into a new batch.
func (d *day) importPhotos() {
	d.t.Helper()
	created := d.post("/batches", "name", "Spring fair")
	d.batch = strings.TrimPrefix(created.Header.Get("Location"), "/batches/")
	photos := make([]file, dayPhotos)
	for i := range photos {
		photos[i] = file{fmt.Sprintf("photo-%02d.jpg", i), blank(d.t)}
		if i >= dayIllegible {
			photos[i].content = picture(d.t, i)
		}
	}
	key := d.get("/import").found(d.t, regexp.MustCompile(`name="key" value="(\w+)"`))
	form := scanForm(d.t, photos, "key", key, "pairing", "none", "batch", d.batch, "location", "Box 1/Row 1",
		"condition", "NM")
	media := strings.TrimPrefix(formMedia, "Content-Type: ")
	d.wantRedirect(d.send(http.MethodPost, "/import/photos", media, bytes.NewReader(form)), "/import/photos")
	if got := strings.Count(d.get("/import/photos").body, "the new card"); got != dayPhotos {
		d.t.Fatalf("%d cards of photos, want %d", got, dayPhotos)
	}
}

// importFile imports the file into the batch and waits for its photos.
func (d *day) importFile() {
	d.t.Helper()
	photo := blank(d.t)
	pictures := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/jpeg")
		w.Write(photo)
	}))
	d.t.Cleanup(pictures.Close)
	var content strings.Builder
	content.WriteString("title,set,number,condition,price,location,photo_listing\n")
	for i := range dayRows {
		price, address := "", ""
		if i < dayPriced {
			price = "10.00"
		}
		if i%16 == 15 && i < 16*dayPictured {
			address = fmt.Sprintf("%s/%d.jpg", pictures.URL, i)
		}
		fmt.Fprintf(&content, "Ember Fox %d,Dawn of Cinders,%d/500,NM,%s,Box %d/Row %d,%s\n",
			i, i+1, price, 2+i%13, 1+i%4, address)
	}
	d.wantRedirect(d.uploadCSV("fair.csv", content.String(), "file_batch", "Spring fair"), "/import/csv")
	waiting := d.get("/import/csv")
	d.want(waiting, http.StatusOK, "<dt>New cards</dt><dd>500</dd>")
	d.wantRedirect(d.post("/import/csv/accept", waiting.hidden()[:2]...), "/import/csv")
	d.await("/import/csv", "Done: 500 cards")
	d.await("/cards/bulk?action=publish&all=true&has_photo=true&batch="+d.batch,
		fmt.Sprintf("<h1>Publish %d cards</h1>", dayPhotos+dayPictured))
}

// review skips a card and edits one by hand. It takes the others from the catalogue, one of them twice because of an
// undo.
func (d *day) review() {
	d.t.Helper()
	p := d.await("/review", fmt.Sprintf("%d left", dayIllegible))
	p = d.take(p, 20)
	undone := d.follow(d.post("/review/undo", fields(p)...))
	d.want(undone, http.StatusOK, "The last review is undone.", fmt.Sprintf("%d left", dayIllegible))
	p = d.take(undone, 21)
	d.skipped = reviewed(p)
	p = d.follow(d.post("/review/skip", fields(p)...))
	byHand := reviewed(p)
	form := d.get("/cards/" + byHand)
	version := form.found(d.t, regexp.MustCompile(`name="version" value="(\d+)"`))
	saved := d.post("/cards/"+byHand, "version", version, "title", "Miscut Fox", "set", "Dawn of Cinders")
	d.want(d.follow(saved), http.StatusOK, `value="Miscut Fox"`)
	p = d.get("/review")
	d.want(p, http.StatusOK, `value="`+d.skipped+`"`)
	p = d.follow(d.post("/review/skip", fields(p)...))
	for i := range dayIllegible - 3 {
		p = d.take(p, 22+i)
	}
	d.want(p, http.StatusOK, "1 left", `value="`+d.skipped+`"`)
}

// reviewed returns the card that the page of the review shows.
func reviewed(p page) string {
	pairs := fields(p)
	at := slices.Index(pairs, "card")
	return pairs[at+1]
}

// follow gets the page that a form leads to.
func (d *day) follow(p page) page {
	d.t.Helper()
	if p.StatusCode != http.StatusSeeOther {
		d.t.Fatalf("%s: got %d, want 303:\n%s", p.Request.URL.Path, p.StatusCode, p.body)
	}
	return d.get(p.Header.Get("Location"))
}

// take searches the catalogue for a drawing of the demo, takes it for the card of the page and returns the next page.
func (d *day) take(p page, drawing int) page {
	d.t.Helper()
	art := demo.Drawings()[drawing].Art
	choice := []string{"condition", "LP", "location", "Box 1/Row 2"}
	search := append(fields(p, "q", art.Name+" "+art.Number), choice...)
	found := d.follow(d.post("/review/keep", search...))
	taken := found.found(d.t, takeButton)
	next := d.follow(d.post("/review/take", append(fields(found, "take", taken), choice...)...))
	d.want(next, http.StatusOK, "Undo ")
	return next
}

// price sets the price of the cards without one, then raises that of the whole batch. The skipped card is refused.
func (d *day) price() {
	d.t.Helper()
	unpriced := dayPhotos - 1 + dayRows - dayPriced
	d.await("/cards?identification=pending&batch="+d.batch, "No card matches")
	d.job("status=identified&action=price", fmt.Sprintf("Set the asking price of %d cards", unpriced), unpriced, 0,
		"new_price", "5", "new_currency", "USD")
	all := dayPhotos + dayRows
	done := d.job("action=percent", fmt.Sprintf("Change the asking price of %d cards", all), all-1, 1,
		"new_percent", "10", "new_rounding", "99")
	d.want(done, http.StatusOK, `<a href="/cards/`+d.skipped+`">`)
}

// job carries out an action on cards of the batch and returns the page of its job.
func (d *day) job(query, title string, changed, refused int, fields ...string) page {
	d.t.Helper()
	query = "all=true&batch=" + d.batch + "&" + query
	d.await("/cards/bulk?"+query, "<h1>"+title+"</h1>")
	path := "/jobs/" + d.jobOf(d.confirm(query, title, fields...))
	done := d.await(path, "<dt>Finished</dt>")
	d.want(done, http.StatusOK, fmt.Sprintf("<dt>Changed</dt><dd>%d</dd>", changed),
		fmt.Sprintf("<dt>Refused</dt><dd>%d</dd>", refused))
	return done
}

// publish publishes every card that has a photo and a price, and waits until the listings are live.
func (d *day) publish() {
	d.t.Helper()
	d.job("has_photo=true&status=priced%2Cphotographed&action=publish",
		fmt.Sprintf("Publish %d cards", dayPublished), dayPublished, 0)
	d.awaitLinks("/listings?status=live", listingLink, dayPublished)
}

var (
	listingLink = regexp.MustCompile(`<a href="/listings/(lst_\w+)">`)
	saleLink    = regexp.MustCompile(`<a href="/sales/(sale_\w+)">`)
)

// awaitLinks waits until the page has so many links to different things and returns their identifiers.
func (d *day) awaitLinks(path string, link *regexp.Regexp, count int) (ids []string) {
	d.t.Helper()
	eventually(d.t, fmt.Sprintf("%s has %d links", path, count), func() bool {
		ids = ids[:0]
		for _, match := range link.FindAllStringSubmatch(d.get(path).body, -1) {
			ids = append(ids, match[len(match)-1])
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
		return len(ids) == count
	})
	return ids
}

// sell has a buyer buy some of the listings, and waits until the sales are shown.
func (d *day) sell(s *service) {
	d.t.Helper()
	live := d.awaitLinks("/listings?status=live", listingLink, dayPublished)
	for i := range dayBought {
		d.bought = append(d.bought, live[i*dayPublished/dayBought])
		s.buy(d.t, d.bought[i])
	}
	d.awaitLinks("/sales", saleLink, dayBought)
	d.await("/", `<span class="count">10</span> <span>sold today</span>`)
	d.await("/", `<span class="count">40</span> <span>listed</span>`)
	d.await("/", `<span class="count">1</span> <span>need review</span>`)
}

// ship takes the sold cards from their shelves in the order of the pull sheet and ticks them off.
func (d *day) ship() {
	d.t.Helper()
	const path = "/listings/pull-sheet"
	sheet := d.get(path)
	d.want(sheet, http.StatusOK, "10 sold cards to ship")
	var walk [][]int
	place := regexp.MustCompile(`<td class="c-location">Box (\d+)/Row (\d+)</td>`)
	for _, found := range place.FindAllStringSubmatch(sheet.body, -1) {
		box, _ := strconv.Atoi(found[1])
		row, _ := strconv.Atoi(found[2])
		walk = append(walk, []int{box, row})
	}
	if len(walk) != dayBought || !slices.IsSortedFunc(walk, slices.Compare) {
		d.t.Errorf("the sheet has the locations %v, want %d in order", walk, dayBought)
	}
	var ticks []string
	for _, found := range regexp.MustCompile(`name="sale" value="(\w+)"`).FindAllStringSubmatch(sheet.body, -1) {
		ticks = append(ticks, "sale", found[1])
	}
	d.wantRedirect(d.post(path, ticks...), path+"?done=shipped")
	d.want(d.get(path), http.StatusOK, "There is nothing to ship")
	if got := strings.Count(d.get("/sales").body, ">shipped</p>"); got != dayBought {
		d.t.Errorf("%d sales are shipped, want %d", got, dayBought)
	}
}

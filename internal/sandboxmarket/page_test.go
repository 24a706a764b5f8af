package sandboxmarket_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// get returns the response to a GET request and its body.
func (m *market) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	resp, err := http.Get(m.url + path)
	if err != nil {
		t.Fatal(err)
	}
	return resp, readBody(t, resp)
}

// submit sends a form as a browser does from a page of the given origin. It returns the status and the body.
func (m *market) submit(t *testing.T, path, origin string, form url.Values) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", origin)
	resp, err := http.DefaultClient.Do(req) // follows the redirect to the listing
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, readBody(t, resp)
}

func TestIndexPage_ShowsLiveListings(t *testing.T) {
	t.Parallel()
	m, o, ended := setup(t), newOffer(), newOffer()
	if _, page := m.get(t, "/"); !strings.Contains(page, "No listing is live") {
		t.Error("the page of an empty market lacks the text for it")
	}
	o.Title, ended.Title = `Pikachu <script>alert(1)</script>`, "Mewtwo"
	published := publish(t, m, o)
	publish(t, m, ended)
	m.mustPost(t, endPath(ended.ListingID), "")

	resp, page := m.get(t, "/")
	for _, want := range []string{
		"Pikachu &lt;script&gt;", "1250.00 USD", o.ImageURLs[0], "/itm/" + published.ExternalID + "/buy",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "Mewtwo") {
		t.Error("the page shows a script or an ended listing")
	}
	csp := resp.Header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") ||
		strings.Contains(csp, "script-src") {
		t.Errorf("Content-Security-Policy is %q", csp)
	}
}

func TestItemPage_ShowsOffer(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	o.Description = "Mint & clean\nShips boxed"
	_, page := m.get(t, "/itm/"+publish(t, m, o).ExternalID)
	for _, want := range []string{o.Title, "Mint &amp; clean\nShips boxed", "4/102", "Base", "acc_seller"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if resp, _ := m.get(t, "/itm/0"); resp.StatusCode != http.StatusNotFound {
		t.Errorf("unknown listing: status %d, want 404", resp.StatusCode)
	}
}

func TestItemPage_BuysByForm(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	path := "/itm/" + publish(t, m, o).ExternalID
	status, page := m.submit(t, path+"/buy", m.url, url.Values{"buyer": {"ann"}})
	if status != http.StatusOK || !strings.Contains(page, "This listing was sold") || strings.Contains(page, "<form") {
		t.Errorf("buying: status %d, want 200 and the sold listing:\n%s", status, page)
	}
	if got := m.status(t, o.ListingID); got.State != marketplaces.Sold || *got.SoldPrice != o.Price {
		t.Errorf("Status = %+v, want sold at %v", got, o.Price)
	}
	status, page = m.submit(t, path+"/buy", m.url, nil)
	if status != http.StatusConflict || !strings.Contains(page, "not for sale any more") {
		t.Errorf("buying again: status %d, want 409 and the reason:\n%s", status, page)
	}
}

func TestItemPage_EndsByForm(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	status, page := m.submit(t, "/itm/"+publish(t, m, o).ExternalID+"/end", m.url, nil)
	if status != http.StatusOK || !strings.Contains(page, "This listing was ended") {
		t.Errorf("ending: status %d, want 200 and the ended listing:\n%s", status, page)
	}
	if got := m.status(t, o.ListingID); got.State != marketplaces.Ended {
		t.Errorf("Status = %+v, want %s", got, marketplaces.Ended)
	}
}

func TestItemPage_RefusesCrossOriginForms(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	path := "/itm/" + publish(t, m, o).ExternalID
	for _, target := range []string{path + "/buy", path + "/end", buyPath(o.ListingID)} {
		if status, _ := m.submit(t, target, "https://evil.example", nil); status != http.StatusForbidden {
			t.Errorf("POST %s from another origin: status %d, want 403", target, status)
		}
	}
	if got := m.status(t, o.ListingID); got.State != marketplaces.Live {
		t.Errorf("another origin changed the listing to %s", got.State)
	}
}

func TestIndexPage_LinksToOlderListings(t *testing.T) {
	t.Parallel()
	m := setup(t)
	const listings = 50
	for i := range listings {
		o := newOffer()
		o.Title = fmt.Sprintf("Card %02d.", i)
		publish(t, m, o)
	}
	// With equal times, only the SKU orders the listings.
	if _, err := m.db.Exec(t.Context(), "UPDATE market.offers SET updated_at = $1", time.Now()); err != nil {
		t.Fatal(err)
	}
	_, page := m.get(t, "/")
	older := regexp.MustCompile(`href="(/\?before=[^"]+)"`).FindStringSubmatch(page)
	if older == nil {
		t.Fatal("the page lacks a link to older listings")
	}
	_, rest := m.get(t, strings.ReplaceAll(older[1], "&amp;", "&"))
	for i := range listings {
		title := fmt.Sprintf("Card %02d.</a>", i)
		if n := strings.Count(page, title) + strings.Count(rest, title); n != 1 {
			t.Errorf("%s is shown %d times, want once", title, n)
		}
	}
}

func TestMarket_ServesStyleSheetAndHealth(t *testing.T) {
	t.Parallel()
	m := setup(t)
	resp, css := m.get(t, "/style.css")
	contentType := resp.Header.Get("Content-Type")
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(contentType, "text/css") || css == "" {
		t.Errorf("style sheet: status %d, type %q, %d bytes", resp.StatusCode, contentType, len(css))
	}
	if resp, _ := m.get(t, "/healthz"); resp.StatusCode != http.StatusOK {
		t.Errorf("health: status %d, want 200", resp.StatusCode)
	}
	if err := m.db.Close(); err != nil {
		t.Fatal(err)
	}
	if resp, _ := m.get(t, "/healthz"); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("health without the database: status %d, want 503", resp.StatusCode)
	}
}

func TestMarket_RefusesInvalidRequests(t *testing.T) {
	t.Parallel()
	m := setup(t)
	const (
		offers = wire.InventoryPath + "/offer"
		items  = wire.InventoryPath + "/inventory_item/"
		orders = wire.FulfillmentPath + "/order"
	)
	offer := func(marketplace, format string) string {
		return fmt.Sprintf(`{"sku":"x","marketplaceId":%q,"format":%q}`, marketplace, format)
	}
	for name, tc := range map[string]struct {
		method, path, token, language, body string
		status                              int
		want                                string
	}{
		"no token":         {"GET", offers + "?sku=x", "", "", "", 401, `"errorId":1002`},
		"unknown offer":    {"GET", offers + "/1", "s", "", "", 404, `"errorId":25713`},
		"invalid SKU":      {"PUT", items + "lst_1", "s", "en-US", "{}", 400, `"errorId":25707`},
		"no language":      {"PUT", items + "lst1", "s", "", "{}", 400, `"errorId":25709`},
		"invalid JSON":     {"PUT", items + "lst1", "s", "en-US", "[", 400, `"errorId":25604`},
		"unknown SKU":      {"POST", offers, "s", "en-US", offer("EBAY_US", "FIXED_PRICE"), 400, `"errorId":25702`},
		"auction":          {"POST", offers, "s", "en-US", offer("EBAY_US", "AUCTION"), 400, `"errorId":25709`},
		"other site":       {"POST", offers, "s", "en-US", offer("EBAY_XX", "FIXED_PRICE"), 400, `"errorId":25709`},
		"publish unknown":  {"POST", offers + "/1/publish", "s", "", "", 404, `"errorId":25713`},
		"withdraw unknown": {"POST", offers + "/1/withdraw", "s", "", "", 404, `"errorId":25713`},
		"limit too large":  {"GET", orders + "?limit=201", "s", "", "", 400, `"errorId":31100`},
		"negative offset":  {"GET", orders + "?offset=-1", "s", "", "", 400, `"errorId":31000`},
		"unknown filter":   {"GET", orders + "?filter=x:[..]", "s", "", "", 400, `"errorId":30700`},
		"buy, bad JSON":    {"POST", buyPath("x"), "", "", "{", 400, `"code":"invalid_json"`},
		"buy, bad price": {"POST", buyPath("x"), "", "", `{"price":{"amount":-1,"currency":"USD"}}`,
			400, `"code":"invalid_request"`},
		"end unknown": {"POST", endPath("x"), "", "", "", 404, `"code":"listing_not_found"`},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), tc.method, m.url+tc.path, strings.NewReader(tc.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			if tc.token != "" {
				req.Header.Set("Authorization", "Bearer "+tc.token)
			}
			if tc.language != "" {
				req.Header.Set("Content-Language", tc.language)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != tc.status || !strings.Contains(string(body), tc.want) {
				t.Errorf("%s %s %s: %d %s, want %d with %s",
					tc.method, tc.path, tc.body, resp.StatusCode, body, tc.status, tc.want)
			}
		})
	}
}

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

	"github.com/cardvault/cardvault/internal/listings/marketplaces"
)

// get returns a page's status, headers and text.
func (m *market) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	resp, err := http.Get(m.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(data)
}

// submit sends a form as a browser does that shows a page of the given origin.
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
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

func TestIndexPage_ShowsLiveListings(t *testing.T) {
	t.Parallel()
	m, o, ended := setup(t), newOffer(), newOffer()
	if _, page := m.get(t, "/"); !strings.Contains(page, "No listing is live") {
		t.Error("an empty market does not say so")
	}
	o.Title, ended.Title = `Pikachu <script>alert(1)</script>`, "Mewtwo"
	published := publish(t, m, o)
	publish(t, m, ended)
	m.mustPost(t, "/standin/listings/"+ended.ListingID+"/end", "")

	resp, page := m.get(t, "/")
	for _, want := range []string{"Pikachu &lt;script&gt;", "1250.00 USD", o.ImageURLs[0], "/itm/" + published.ExternalID + "/buy"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "Mewtwo") {
		t.Error("the page shows a script or an ended listing")
	}
	csp := resp.Header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || strings.Contains(csp, "script-src") {
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
		t.Errorf("an unknown listing is answered %d", resp.StatusCode)
	}
}

func TestItemPage_BuysByForm(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	path := "/itm/" + publish(t, m, o).ExternalID
	status, page := m.submit(t, path+"/buy", m.url, url.Values{"buyer": {"ann"}})
	if status != http.StatusOK || !strings.Contains(page, "This listing was sold") || strings.Contains(page, "<form") {
		t.Errorf("after buying: %d\n%s", status, page)
	}
	if got := m.status(t, o.ListingID); got.State != marketplaces.Sold || *got.SoldPrice != o.Price {
		t.Errorf("the seller sees %+v", got)
	}
	status, page = m.submit(t, path+"/buy", m.url, nil)
	if status != http.StatusConflict || !strings.Contains(page, "not for sale any more") {
		t.Errorf("a second click: %d\n%s", status, page)
	}
}

func TestItemPage_EndsByForm(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	status, page := m.submit(t, "/itm/"+publish(t, m, o).ExternalID+"/end", m.url, nil)
	if status != http.StatusOK || !strings.Contains(page, "This listing was ended") {
		t.Errorf("after ending: %d\n%s", status, page)
	}
	if got := m.status(t, o.ListingID); got.State != marketplaces.Ended {
		t.Errorf("the seller sees %+v", got)
	}
}

func TestItemPage_RefusesCrossOriginForms(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	path := "/itm/" + publish(t, m, o).ExternalID
	for _, target := range []string{path + "/buy", path + "/end", "/standin/listings/" + o.ListingID + "/buy"} {
		if status, _ := m.submit(t, target, "https://evil.example", nil); status != http.StatusForbidden {
			t.Errorf("POST %s from another site is answered %d", target, status)
		}
	}
	if got := m.status(t, o.ListingID); got.State != marketplaces.Live {
		t.Errorf("another site made the listing %s", got.State)
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
	if _, err := m.db.Exec(t.Context(), "UPDATE market_offers SET updated_at = $1", time.Now()); err != nil {
		t.Fatal(err) // all at once, which is the hard case
	}
	_, page := m.get(t, "/")
	older := regexp.MustCompile(`href="(/\?before=[^"]+)"`).FindStringSubmatch(page)
	if older == nil {
		t.Fatalf("no link to older listings")
	}
	_, rest := m.get(t, strings.ReplaceAll(older[1], "&amp;", "&"))
	for i := range listings {
		title := fmt.Sprintf("Card %02d.</a>", i)
		if strings.Count(page, title)+strings.Count(rest, title) != 1 {
			t.Errorf("%s stands on %d pages", title, strings.Count(page, title)+strings.Count(rest, title))
		}
	}
}

func TestMarket_ServesStyleSheetAndHealth(t *testing.T) {
	t.Parallel()
	m := setup(t)
	if resp, css := m.get(t, "/style.css"); resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/css") || css == "" {
		t.Errorf("style sheet: %d %s", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
	if resp, _ := m.get(t, "/healthz"); resp.StatusCode != http.StatusOK {
		t.Errorf("health: %d", resp.StatusCode)
	}
	if err := m.db.Close(); err != nil {
		t.Fatal(err)
	}
	if resp, _ := m.get(t, "/healthz"); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("health without the database: %d", resp.StatusCode)
	}
}

func TestMarket_RefusesInvalidRequests(t *testing.T) {
	t.Parallel()
	m := setup(t)
	for _, tc := range []struct {
		method, path, token, language, body string
		status                              int
		want                                string
	}{
		{"GET", "/sell/inventory/v1/offer?sku=x", "", "", "", 401, `"errorId":1001`},
		{"GET", "/sell/inventory/v1/offer/1", "s", "", "", 404, `"errorId":25713`},
		{"PUT", "/sell/inventory/v1/inventory_item/lst_1", "s", "en-US", "{}", 400, `"errorId":25707`},
		{"PUT", "/sell/inventory/v1/inventory_item/lst1", "s", "", "{}", 400, `"errorId":25709`},
		{"PUT", "/sell/inventory/v1/inventory_item/lst1", "s", "en-US", "[", 400, `"errorId":25604`},
		{"POST", "/sell/inventory/v1/offer", "s", "en-US", `{"sku":"x","marketplaceId":"EBAY_US","format":"FIXED_PRICE"}`, 400, `"errorId":25702`},
		{"POST", "/sell/inventory/v1/offer", "s", "en-US", `{"sku":"x","marketplaceId":"EBAY_US","format":"AUCTION"}`, 400, `"errorId":25709`},
		{"POST", "/sell/inventory/v1/offer", "s", "en-US", `{"sku":"x","marketplaceId":"EBAY_XX","format":"FIXED_PRICE"}`, 400, `"errorId":25709`},
		{"POST", "/sell/inventory/v1/offer/1/publish", "s", "", "", 404, `"errorId":25713`},
		{"POST", "/sell/inventory/v1/offer/1/withdraw", "s", "", "", 404, `"errorId":25713`},
		{"GET", "/sell/fulfillment/v1/order?limit=201", "s", "", "", 400, `"errorId":31100`},
		{"GET", "/sell/fulfillment/v1/order?offset=-1", "s", "", "", 400, `"errorId":31000`},
		{"GET", "/sell/fulfillment/v1/order?filter=x:[..]", "s", "", "", 400, `"errorId":30700`},
		{"POST", "/standin/listings/x/buy", "", "", "{", 400, `"code":"invalid_json"`},
		{"POST", "/standin/listings/x/buy", "", "", `{"price":{"amount":-1,"currency":"USD"}}`, 400, `"code":"invalid_request"`},
		{"POST", "/standin/listings/x/end", "", "", "", 404, `"code":"listing_not_found"`},
	} {
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
			t.Errorf("%s %s %s: %d %s, want %d with %s", tc.method, tc.path, tc.body, resp.StatusCode, body, tc.status, tc.want)
		}
	}
}

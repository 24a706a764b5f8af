package e2e

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
	"github.com/cardvault/cardvault/internal/users"
)

const notificationsPath = "/marketplaces/ebay/notifications/"

// onMarket are the settings of a server for which the sandbox marketplace is eBay.
func onMarket(c *config.Config) {
	c.EbayClientID, c.EbayClientSecret = sandboxmarket.ClientID, sandboxmarket.ClientSecret
	c.EbayRedirect, c.EbayEnvironment = c.PublicURL+marketplacesPage+"/ebay/callback", c.MarketURL
	c.EbayVerificationToken, c.EbayAlertEmail = strings.Repeat("v", 32), "alerts@vault.example"
}

// visit sends a request to the sandbox marketplace as a visitor of its site, and reads the response into answer.
func (s *service) visit(t testing.TB, path string, body, answer any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(s.market.URL+"/sandbox"+path, "application/json", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", path, resp.StatusCode, data, err)
	}
	if answer != nil {
		if err := json.Unmarshal(data, answer); err != nil {
			t.Fatal(err)
		}
	}
}

// connectMarket connects the account of an owner to a seller at the sandbox marketplace.
func (b *browser) connectMarket(t testing.TB, seller string) {
	t.Helper()
	b.wantRedirect(b.tryMarket(t, seller), marketplacesPage+"?done=connected")
}

// tryMarket is connectMarket, whatever the page at the end says.
func (b *browser) tryMarket(t testing.TB, seller string) page {
	t.Helper()
	leads := b.post(marketplacesPage+"/ebay/connect", "site", "EBAY_US")
	found := ebayAddress.FindStringSubmatch(leads.body)
	if found == nil {
		t.Fatalf("the page does not lead to the marketplace: %s", leads.body)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.PostForm(html.UnescapeString(found[1]), url.Values{"seller": {seller}, "answer": {"agree"}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	back, err := resp.Location()
	if err != nil {
		t.Fatalf("consent: %d, %v", resp.StatusCode, err)
	}
	return b.get(back.RequestURI())
}

// ready creates a card that can be published.
func (c *client) ready(t testing.TB) string {
	t.Helper()
	made := c.create(`{"identification":{"title":"Ember Fox","condition":"NM","game":"pokemon"},
		"pricing":{"asking_price":{"amount":1250,"currency":"USD"},"cost":{"amount":400,"currency":"USD"}}}`)
	c.do("PUT", "/cards/"+made.ID+"/photos/front", blank(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	return made.ID
}

// await waits until the listing has a status.
func (c *client) await(t testing.TB, id, status string) (now ebayListing) {
	t.Helper()
	eventually(t, "the listing is "+status, func() bool {
		c.do("GET", "/listings/"+id, nil).want(t, http.StatusOK, &now)
		return now.Status == status
	})
	return now
}

// A sale is found by eBay's notification, because the next poll is far away. The notification arrives twice.
func TestEbay_NotificationOfSale(t *testing.T) {
	t.Parallel()
	s := start(t, onMarket, func(c *config.Config) { c.MarketPoll = time.Hour })
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	b.connectMarket(t, "ada")
	s.visit(t, "/faults", map[string]any{"kind": "duplicate", "count": 1}, nil)
	var l ebayListing
	c.do("POST", "/listings/"+c.ready(t)+"/publish", `{}`).want(t, http.StatusAccepted, &l)
	if live := c.await(t, l.ID, "live"); live.Marketplace != "ebay" {
		t.Errorf("listing %+v, want it on eBay", live)
	}
	s.visit(t, "/listings/"+l.ID+"/buy", map[string]any{"buyer": "bea"}, nil)
	c.await(t, l.ID, "sold")
	eventually(t, "both notifications were accepted", func() bool {
		var left int
		if err := s.DB.Get(t.Context(), &left, `SELECT count(*) FROM market.notifications`); err != nil {
			t.Fatal(err)
		}
		return left == 0
	})
	var sold listOf[struct{ Event string }]
	c.do("GET", "/events?event=listing.sold", nil).want(t, http.StatusOK, &sold)
	if len(sold.Data) != 1 {
		t.Errorf("%d events of the sale, want 1", len(sold.Data))
	}
	market, _ := s.Markets.Find("ebay")
	if err := market.Subscribe(t.Context(), c.account); err != nil { // it is repeatable
		t.Error(err)
	}
}

// While cards are live, the account is connected again only as the seller who has them. Nothing of theirs is lost.
func TestEbay_ConnectAsOtherSeller(t *testing.T) {
	t.Parallel()
	s := start(t, onMarket)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	b.connectMarket(t, "ada")
	var l ebayListing
	c.do("POST", "/listings/"+c.ready(t)+"/publish", `{}`).want(t, http.StatusAccepted, &l)
	c.await(t, l.ID, "live")
	s.visit(t, "/sellers/ada/revoke", map[string]any{}, nil)
	other := b.tryMarket(t, "bob")
	if other.StatusCode != http.StatusConflict || !strings.Contains(other.body, "another seller") {
		t.Errorf("connected as another seller: %d %s", other.StatusCode, other.body)
	}
	b.connectMarket(t, "ada")
	c.do("POST", "/listings/"+l.ID+"/end", nil).want(t, http.StatusAccepted, nil)
	c.await(t, l.ID, "ended")
	b.connectMarket(t, "bob")
}

// TestEbay_GiveUp gives up the listings of an eBay user that was lost, and publishes the card as another one.
func TestEbay_GiveUp(t *testing.T) {
	t.Parallel()
	s := start(t, onMarket)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	b.connectMarket(t, "ada")
	card := c.ready(t)
	var l ebayListing
	c.do("POST", "/listings/"+card+"/publish", `{}`).want(t, http.StatusAccepted, &l)
	c.await(t, l.ID, "live")
	const path = "/settings/marketplaces/ebay/give-up"
	b.want(b.post(path), http.StatusUnprocessableEntity, "Disconnect it before")
	s.visit(t, "/sellers/ada/revoke", map[string]any{}, nil)
	if other := b.tryMarket(t, "bob"); other.StatusCode != http.StatusConflict {
		t.Errorf("connected as another seller: %d %s", other.StatusCode, other.body)
	}
	b.post("/settings/marketplaces/ebay/disconnect")
	b.want(b.get(path), http.StatusOK, "Give up 1 listing")
	b.wantRedirect(b.post(path), "/settings/marketplaces?done=given-up")
	c.await(t, l.ID, "ended")
	var ended struct {
		EndReason string `json:"end_reason"`
	}
	c.do("GET", "/listings/"+l.ID, nil).want(t, http.StatusOK, &ended)
	if ended.EndReason != "given_up" {
		t.Errorf("end reason: got %q, want given_up", ended.EndReason)
	}
	b.connectMarket(t, "bob")
	c.do("POST", "/listings/"+card+"/publish", `{}`).want(t, http.StatusAccepted, &l)
	c.await(t, l.ID, "live")
}

// The receiver answers challenges, refuses what eBay has not signed, and reads little.
func TestEbay_NotificationEndpoint(t *testing.T) {
	t.Parallel()
	s := start(t, onMarket)
	c := s.client(t, false)
	account := notificationsPath + c.account
	address := func(path string) string { return strings.TrimSuffix(s.url, "/api") + path }
	var calls atomic.Int32
	next := s.market.Config.Handler
	s.market.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		next.ServeHTTP(w, r)
	})
	send := func(method, path, signature, body string) (int, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, address(path), strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(wire.SignatureHeader, signature)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(text)
	}
	want, err := json.Marshal(wire.Challenge("a code", strings.Repeat("v", 32), address(account)))
	if err != nil {
		t.Fatal(err)
	}
	if status, body := send("GET", account+"?challenge_code=a+code", "", ""); status != 200 ||
		strings.TrimSpace(body) != string(want) {
		t.Errorf("challenge: %d %s, want %s", status, body, want)
	}
	forged := "eyJraWQiOiJ4Iiwic2lnbmF0dXJlIjoieCJ9" // {"kid":"x","signature":"x"}
	for name, tc := range map[string]struct {
		method, path, signature, body string
		status                        int
	}{
		"no challenge":    {"GET", account, "", "", 400},
		"not signed":      {"POST", account, "", "{}", 412},
		"unknown key":     {"POST", account, forged, "{}", 412},
		"large":           {"POST", account, forged, strings.Repeat(" ", 65<<10), 413},
		"no account":      {"POST", notificationsPath, forged, "{}", 404},
		"invalid account": {"POST", notificationsPath + "acc_x", forged, "{}", 404},
		"method":          {"DELETE", account, forged, "", 405},
	} {
		if status, body := send(tc.method, tc.path, tc.signature, tc.body); status != tc.status {
			t.Errorf("%s: %d %s, want %d", name, status, body, tc.status)
		}
	}
	if n := calls.Load(); n > 2 { // a token of the application, and the unknown key
		t.Errorf("%d calls at the marketplace, want 2 at most", n)
	}
}

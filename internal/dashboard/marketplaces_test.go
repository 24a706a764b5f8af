package dashboard

import (
	"bytes"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebaytest"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"github.com/cardvault/cardvault/internal/marketplaces/sandbox"
	"github.com/cardvault/cardvault/internal/users"
)

// ebayShop is a shop whose dashboard can connect accounts to a server that stands in for eBay.
type ebayShop struct {
	*shop
	ebay *ebaytest.Server
	log  *bytes.Buffer
}

func setupEbay(t *testing.T) *ebayShop {
	t.Helper()
	s := &ebayShop{shop: setup(t), log: &bytes.Buffer{}}
	s.ebay = ebaytest.New(t, s.db)
	env, err := ebay.ParseEnvironment(s.ebay.URL)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := keyring.New(make([]byte, keyring.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	provider := ebay.NewProvider(env, ebay.Credentials{
		ClientID: ebaytest.ClientID, ClientSecret: ebaytest.ClientSecret, Redirect: ebaytest.Redirect,
	})
	connected := connections.New(s.db, keys, provider, listings.NewWaiting(listings.NewReviser()))
	market := ebay.New(env, connected, callbudget.New(s.db, ebay.Name, 10_000))
	s.config.Markets = registry.Markets{{Kind: ebay.Kind, Opened: market.Opened()}, {Kind: sandbox.Kind}}
	s.config.Logger = slog.New(slog.NewTextHandler(s.log, nil))
	handler, err := New(s.config)
	if err != nil {
		t.Fatal(err)
	}
	s.server = httptest.NewServer(handler)
	t.Cleanup(s.server.Close)
	return s
}

var refreshTo = regexp.MustCompile(`http-equiv="refresh" content="0; url=([^"]+)"`)

// consent asks for a connection to the site and returns eBay's answer as the path of the callback.
func (s *ebayShop) consent(b *browser, site string) string {
	s.t.Helper()
	page := b.post("/settings/marketplaces/ebay/connect", "site", site)
	b.want(page, http.StatusOK, "Continue")
	found := refreshTo.FindStringSubmatch(page.body)
	if found == nil {
		s.t.Fatalf("the page does not lead to eBay: %s", page.body)
	}
	u, err := url.Parse(html.UnescapeString(found[1]))
	if err != nil || u.Path != wire.ConsentPath {
		s.t.Fatalf("the page leads to %v, %v", u, err)
	}
	answer := url.Values{"state": {u.Query().Get("state")}, "code": {s.ebay.Code()}, "expires_in": {"299"}}
	return "/settings/marketplaces/ebay/callback?" + answer.Encode()
}

func TestMarketplaces_Connect(t *testing.T) {
	t.Parallel()
	s := setupEbay(t)
	b, path := s.logIn(ada), "/settings/marketplaces"
	b.want(b.get(path), http.StatusOK, "Connect your eBay account")
	b.want(b.post(path+"/ebay/connect", "site", "EBAY_MARS"), http.StatusUnprocessableEntity,
		`id="e-site" role="alert">The site must be one of`)
	answer := s.consent(b, "EBAY_GB")
	s.newUser(s.account, "bob@example.com", users.Owner)
	bob := s.logIn("bob@example.com")
	bob.want(bob.get(answer), http.StatusGone, "no connection that you began")
	b.wantRedirect(b.get(answer), path+"?done=connected")
	b.want(b.get(answer), http.StatusGone, "no connection that you began") // it counts once
	page := b.get(path + "?done=connected")
	connected := []string{"eBay United Kingdom", "by " + ada, "is connected to eBay.", ">connected<", "of 10,000"}
	for _, text := range connected {
		b.want(page, http.StatusOK, text)
	}
	if _, err := s.db.Exec(t.Context(), `UPDATE marketplace_calls SET calls = 8000`); err != nil {
		t.Fatal(err)
	}
	b.want(b.get(path), http.StatusOK, "of 10,000: new listings and prices wait until 00:00 UTC")
	b.want(b.get("/"), http.StatusOK, "New listings and new prices wait until 00:00 UTC.")
	refused := b.get(strings.Replace(s.consent(b, "EBAY_GB"), "code=", "error=access_denied&ignored=", 1))
	b.want(refused, http.StatusUnprocessableEntity, "The consent was refused")
	b.want(b.get(path), http.StatusOK, ">connected<")

	b.want(b.get(path+"/ebay/disconnect"), http.StatusOK, "Disconnect")
	b.wantRedirect(b.post(path+"/ebay/disconnect"), path+"?done=disconnected")
	b.want(b.get(path), http.StatusOK, "Connect again")
	for _, secret := range []string{"access-token", "refresh-token", "code-", ebaytest.ClientSecret} {
		if strings.Contains(s.log.String()+page.body, secret) {
			t.Errorf("the log or the page contains %q: %s", secret, s.log)
		}
	}
}

func TestMarketplaces_Settings(t *testing.T) {
	t.Parallel()
	s := setupEbay(t)
	s.ebay.SetPolicies(2)
	b, path := s.logIn(ada), "/settings/marketplaces"
	b.wantRedirect(b.get(s.consent(b, "EBAY_US")), path+"?done=connected")
	page := b.get(path)
	b.want(page, http.StatusOK, "not ready to publish")
	b.want(page, http.StatusOK, "Where you ship from")
	place := b.post(path+"/ebay/location", "name", "Shop", "country", "Germany", "postal_code", "<10115>")
	b.want(place, http.StatusUnprocessableEntity, `value="&lt;10115&gt;"`)
	b.want(place, http.StatusUnprocessableEntity, `id="e-country">must be a code of two letters`)
	b.wantRedirect(b.post(path+"/ebay/location", "name", "Shop", "country", "us", "postal_code", "95125"),
		path+"?done=location")
	form := []string{"site", "EBAY_US", "location", "cardvault", "fulfillment_policy", "fulfillment-EBAY_US-2",
		"payment_policy", "payment-EBAY_US-1", "return_policy"}
	b.want(b.post(path+"/ebay", append(form, "forged")...), http.StatusUnprocessableEntity,
		`id="e-return_policy" role="alert">must be one that the seller has`)
	b.want(b.post(path+"/ebay", "site", "EBAY_MARS"), http.StatusUnprocessableEntity,
		`id="e-site" role="alert">The site must be one of`)
	b.wantRedirect(b.post(path+"/ebay", append(form, "return-EBAY_US-2")...), path+"?done=saved")
	b.want(b.get(path), http.StatusOK, `<option value="fulfillment-EBAY_US-2" selected>`)
	b.want(b.get(path), http.StatusOK, ">connected<")
	b.wantRedirect(b.post(path+"/ebay", "site", "EBAY_DE", "location", "cardvault"), path+"?done=saved")
	b.want(b.get(path), http.StatusOK, `<option value="fulfillment-EBAY_DE-2">`)

	s.ebay.Revoke()
	b.want(b.get(path), http.StatusOK, "does not let CardVault sell for you any more")
	refused := b.post(path+"/ebay", "site", "EBAY_DE")
	b.want(refused, http.StatusServiceUnavailable, "was revoked")
	if n := strings.Count(refused.body, "does not let CardVault sell for you any more"); n != 1 {
		t.Errorf("the page of a form that was refused says %d times that the consent was revoked, want once", n)
	}
	for _, other := range []string{"/cards", "/review"} {
		banner := `<a href="/settings/marketplaces">Connect the account again</a>`
		b.want(b.get(other), http.StatusOK, banner)
	}
	s.newUser(s.account, "member@example.com", users.Member)
	member := s.logIn("member@example.com")
	if page := member.get("/cards"); strings.Contains(page.body, "Connect the account again") {
		t.Error("a member sees the banner of owners")
	}
	member.want(member.get("/"), http.StatusOK, "Ask an owner of the account to connect it again.")
	b.wantRedirect(b.get(s.consent(b, "EBAY_US")), path+"?done=connected")
	if page := b.get("/cards"); strings.Contains(page.body, "Connect the account again") {
		t.Error("the banner stays after the account was connected again")
	}
}

func TestMarketplaces_NotSetUp(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	b.want(b.get("/settings/marketplaces"), http.StatusOK, "This server has no keys for eBay")
	b.want(b.post("/settings/marketplaces/ebay/connect", "site", "EBAY_US"), http.StatusBadRequest, "not set up")
	b.want(b.get("/settings/marketplaces/ebay/callback?code=x&state=y"), http.StatusBadRequest, "not set up")
}

func TestMarketplaces_SandboxAccount(t *testing.T) {
	t.Parallel()
	s := setupEbay(t)
	account, err := s.config.Accounts.Create(t.Context(), "Sandbox", true)
	if err != nil {
		t.Fatal(err)
	}
	s.newUser(account, "eve@example.com", users.Owner)
	b := s.logIn("eve@example.com")
	b.want(b.get("/settings/marketplaces"), http.StatusOK, "This is a sandbox account")
	b.want(b.post("/settings/marketplaces/ebay/connect", "site", "EBAY_US"), http.StatusBadRequest,
		"sandbox marketplace only")
}

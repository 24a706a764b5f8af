package e2e

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebaytest"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/users"
)

const marketplacesPage = "/settings/marketplaces"

// ebayAddress finds the address to which a page leads.
var ebayAddress = regexp.MustCompile(`0; url=([^"]+)`)

// onEbay are the settings of a server that has keys for eBay.
func onEbay(server *ebaytest.Server) func(*config.Config) {
	return func(c *config.Config) {
		c.EbayClientID, c.EbayClientSecret = ebaytest.ClientID, ebaytest.ClientSecret
		c.EbayRedirect, c.EbayEnvironment = ebaytest.Redirect, server.URL
	}
}

// connectEbay connects the account of an owner to a new seller at eBay.
func (b *browser) connectEbay(t *testing.T, server *ebaytest.Server) {
	t.Helper()
	leads := b.post(marketplacesPage+"/ebay/connect", "site", "EBAY_US").found(t, ebayAddress)
	to, err := url.Parse(html.UnescapeString(leads))
	if err != nil {
		t.Fatal(err)
	}
	answer := url.Values{"state": {to.Query().Get("state")}, "code": {server.Code()}}
	b.wantRedirect(b.get(marketplacesPage+"/ebay/callback?"+answer.Encode()), marketplacesPage+"?done=connected")
}

// ebayListing is what the test reads of a listing.
type ebayListing struct {
	ID, Marketplace, Status string
	URL                     *string
	Failure                 *struct{ Code string }
}

// An owner connects the account and publishes cards on eBay, until the seller revokes the consent.
func TestEbay_FirstListing(t *testing.T) {
	t.Parallel()
	server := ebaytest.New(t, pgtest.New(t))
	s := start(t, onEbay(server))
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	ready := func(currency string) string {
		made := c.create(`{"identification":{"title":"Ember Fox","condition":"NM","game":"pokemon"},
			"pricing":{"asking_price":{"amount":1250,"currency":"` + currency + `"}}}`)
		path := "/cards/" + made.ID + "/photos/front"
		c.do("PUT", path, blank(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
		return made.ID
	}
	publish := func(card, body string) response { return c.do("POST", "/listings/"+card+"/publish", body) }
	await := func(l ebayListing, status string) (now ebayListing) {
		t.Helper()
		eventually(t, "the listing is "+status, func() bool {
			c.do("GET", "/listings/"+l.ID, nil).want(t, http.StatusOK, &now)
			return now.Status == status
		})
		return now
	}
	card := ready("USD")
	publish(card, `{"marketplace":"ebay"}`).refused(t, "invalid_request")
	b.want(b.get(marketplacesPage), http.StatusOK, "Connect eBay")
	b.connectEbay(t, server)
	b.want(b.get("/settings/audit"), http.StatusOK, "connected the marketplace: ebay", "owner-"+c.account)

	var first, foreign ebayListing
	publish(card, `{}`).want(t, http.StatusAccepted, &first)
	if live := await(first, "live"); first.Marketplace != "ebay" || !strings.HasPrefix(*live.URL, server.URL+"/itm/") {
		t.Errorf("listing %+v, want it on eBay", live)
	}
	publish(ready("EUR"), `{}`).want(t, http.StatusAccepted, &foreign)
	if failed := await(foreign, "failed"); failed.Failure == nil || failed.Failure.Code != "wrong_currency" {
		t.Errorf("listing in euros: %+v, want it failed", failed)
	}

	server.Revoke()
	eventually(t, "the page shows that the consent was revoked", func() bool {
		return strings.Contains(b.get(marketplacesPage).body, "does not let CardVault sell for you")
	})
	publish(ready("USD"), `{}`).refused(t, "invalid_request")
	b.want(b.get("/settings/audit"), http.StatusOK, "ended the connection to the marketplace: ebay")
}

// Commands connect accounts too, and other processes use the connection.
func TestEbay_OtherProcess(t *testing.T) {
	t.Parallel()
	server := ebaytest.New(t, pgtest.New(t))
	s := start(t, onEbay(server))
	c := s.client(t, false)
	market, _ := s.Markets.Find("ebay")
	address, err := market.Connector.Begin(t.Context(), c.account, registry.Values{registry.Site: "EBAY_US"})
	if err != nil {
		t.Fatal(err)
	}
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	err = app.With(context.WithoutCancel(t.Context()), s.Config, func(other *app.App) error {
		answer := url.Values{"state": {to.Query().Get("state")}, "code": {server.Code()}}
		market, _ := other.Markets.Find("ebay")
		if _, err := market.Connector.Connections().Complete(t.Context(), c.account, answer); err != nil {
			return err
		}
		for _, warning := range market.Connector.Connected(t.Context(), c.account) {
			t.Errorf("connected with a warning: %s: %v", warning.Text, warning.Err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := market.Connector.Ready(t.Context(), c.account); err != nil {
		t.Errorf("Ready in this process: %v", err)
	}
}

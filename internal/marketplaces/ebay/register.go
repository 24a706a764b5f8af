package ebay

import (
	"fmt"
	"net/http"

	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
)

// Kind registers eBay.
var Kind = registry.Kind{Name: Name, Label: "eBay", Limits: ebayapi.Limits, Connect: &connect, Open: open}

// open opens eBay if the installation has keys for it.
func open(in registry.Installation) (*registry.Opened, error) {
	if !in.Config.SellsOnEbay() {
		return nil, nil
	}
	environment, err := ParseEnvironment(in.Config.EbayEnvironment)
	if err != nil {
		return nil, fmt.Errorf("CARDVAULT_EBAY_ENVIRONMENT: %w", err)
	}
	credentials := Credentials{
		ClientID: in.Config.EbayClientID, ClientSecret: in.Config.EbayClientSecret, Redirect: in.Config.EbayRedirect,
	}
	var additional []string
	if in.Config.NotifiedByEbay() {
		additional = []string{wire.ScopeSubscribe}
	}
	provider := NewProvider(environment, credentials, additional...)
	budget := callbudget.New(in.DB, Name, in.Config.EbayCallsPerDay)
	market := New(environment, connections.New(in.DB, in.Keys, provider, in.Listings), budget)
	if in.Config.NotifiedByEbay() {
		market.UseNotifications(Notifications{
			Endpoint: in.Public + NotificationsPath, VerificationToken: in.Config.EbayVerificationToken,
			AlertEmail: in.Config.EbayAlertEmail,
		}, credentials)
	}
	return market.Opened(), nil
}

// Opened returns what the market can do.
func (m *Market) Opened() *registry.Opened {
	opened := &registry.Opened{
		Seller: m.Seller, Connector: m, Budget: m.budget,
		Notifications: func(n registry.Notified) http.Handler { return NewReceiver(m, n) },
	}
	if m.notifier != nil {
		opened.Subscribe = m.Subscribe
	}
	return opened
}

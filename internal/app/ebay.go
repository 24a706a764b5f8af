package app

import (
	"fmt"
	"net/http"
	"net/netip"
	"time"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// openEbay opens eBay if the installation has keys for it.
func (a *App) openEbay() error {
	if !a.Config.SellsOnEbay() {
		return nil
	}
	environment, err := ebay.ParseEnvironment(a.Config.EbayEnvironment)
	if err != nil {
		return fmt.Errorf("CARDVAULT_EBAY_ENVIRONMENT: %w", err)
	}
	credentials := ebay.Credentials{
		ClientID: a.Config.EbayClientID, ClientSecret: a.Config.EbayClientSecret, Redirect: a.Config.EbayRedirect,
	}
	var additional []string
	if a.Config.NotifiedByEbay() {
		additional = []string{wire.ScopeSubscribe}
	}
	provider := ebay.NewProvider(environment, credentials, additional...)
	a.Connections = connections.New(a.DB, a.keyring, provider, listings.NewWaiting(a.reviser))
	a.Ebay = ebay.New(environment, a.Connections, callbudget.New(a.DB, ebay.Name, a.Config.EbayCallsPerDay))
	if !a.Config.NotifiedByEbay() {
		return nil
	}
	public, err := a.Config.Public()
	if err != nil {
		return err
	}
	a.Ebay.UseNotifications(ebay.Notifications{
		Endpoint: public + ebay.NotificationsPath, VerificationToken: a.Config.EbayVerificationToken,
		AlertEmail: a.Config.EbayAlertEmail,
	}, credentials)
	return nil
}

const (
	// notificationClass is the class of eBay's notifications in the limiter.
	notificationClass ratelimit.Class = "notification"
	// notificationLimit is the number of notifications of one address in a minute.
	notificationLimit = 1200
)

// notifications returns the receiver of eBay's notifications.
func (a *App) notifications(s *Services, address func(*http.Request) netip.Addr) http.Handler {
	allow := func(r *http.Request) (time.Duration, bool) {
		key := ratelimit.AddressKey(address(r))
		decision := a.Limiter.Take(r.Context(), key, notificationClass, notificationLimit)
		return decision.RetryAfter, decision.Allowed
	}
	return ebay.NewReceiver(a.Ebay, s.Listings, allow, api.WriteError)
}

// connectMarketplaces adds the marketplaces to which accounts are connected by their owners.
func (a *App) connectMarketplaces(c listings.Config) listings.Config {
	if a.Ebay != nil {
		c.Markets[ebay.Name] = listings.Market{Seller: a.Ebay.Seller, Limits: ebayapi.Limits, Connection: a.Ebay}
	}
	return c
}

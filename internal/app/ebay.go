package app

import (
	"fmt"

	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/listings/connections"
	"github.com/cardvault/cardvault/internal/listings/marketplaces/ebay"
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
	provider := ebay.NewProvider(environment, ebay.Credentials{
		ClientID: a.Config.EbayClientID, ClientSecret: a.Config.EbayClientSecret, Redirect: a.Config.EbayRedirect,
	})
	a.Connections = connections.New(a.DB, a.keyring, provider, listings.NewWaiting(a.reviser))
	a.Ebay = ebay.New(environment, a.Connections)
	return nil
}

// connectMarketplaces adds the marketplaces to which accounts are connected by their owners.
func (a *App) connectMarketplaces(c listings.Config) listings.Config {
	if a.Ebay != nil {
		c.Sellers[ebay.Name] = a.Ebay.Seller
		c.Connections = map[string]listings.Connection{ebay.Name: a.Ebay}
	}
	return c
}

package sandbox

import (
	"fmt"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
)

// Kind registers the sandbox marketplace.
var Kind = registry.Kind{
	Name: Name, Label: "sandbox", Limits: ebayapi.Limits, Sandbox: true,
	Open: func(in registry.Installation) (*registry.Opened, error) {
		market, err := New(in.Config.MarketURL)
		if err != nil {
			return nil, fmt.Errorf("CARDVAULT_MARKET_URL: %w", err)
		}
		return &registry.Opened{Seller: market.Seller}, nil
	},
}

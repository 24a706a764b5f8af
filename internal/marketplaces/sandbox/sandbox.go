// Package sandbox is the adapter for the sandbox marketplace (command "cardvault market"), which sandbox
// accounts and development use. It implements eBay's API.
//
// The adapter differs from eBay's in its base URL, in how it authenticates and in being less strict.
// Everything else is package ebayapi.
package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// Name is the marketplace's name in the API.
const Name = "sandbox"

// The sandbox marketplace has no business policies and no warehouses, but requires their names like eBay does.
const (
	location = "sandbox"
	policy   = "1"
)

// assumedCondition is the condition with which a card without one is listed. No real buyer sees it.
const assumedCondition = "NM"

// Market is the sandbox marketplace at one address.
type Market struct {
	baseURL string
	http    *http.Client
}

// New returns the sandbox marketplace at a base URL such as "http://localhost:8090".
func New(baseURL string) (*Market, error) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf(
			"open sandbox: %q is not the address of a sandbox marketplace, such as http://localhost:8090", baseURL)
	}
	return &Market{baseURL: strings.TrimRight(baseURL, "/"), http: ebayapi.NewHTTPClient()}, nil
}

// Seller returns the access of one account. The account's identifier is sent as the token, which is the
// seller's name at the sandbox marketplace. Sellers see their own offers and orders only.
func (m *Market) Seller(accountID string) marketplaces.Marketplace {
	return ebayapi.New(ebayapi.Config{
		Name: Name, BaseURL: m.baseURL, MediaURL: m.baseURL, ItemURL: m.baseURL + "/itm/",
		Token:         func(context.Context) (string, error) { return accountID, nil },
		MarketplaceID: "EBAY_US", Language: "en-US", LocationKey: location,
		Policies: wire.ListingPolicies{
			FulfillmentPolicyID: policy, PaymentPolicyID: policy, ReturnPolicyID: policy,
		},
		AssumedCondition: assumedCondition,
		HTTP:             m.http,
	})
}

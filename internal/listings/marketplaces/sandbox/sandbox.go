// Package sandbox is the marketplace of sandbox accounts and of development: the sandbox marketplace that
// ships with the product (command "cardvault market") and speaks eBay's API.
//
// It differs from eBay only in its address, in how a seller is known there and in being less
// strict; everything else is package ebayapi.
package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/cardvault/cardvault/internal/ebay"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/listings/marketplaces/ebayapi"
)

// Name is the marketplace's name in the API.
const Name = "sandbox"

// The sandbox marketplace knows no business policies and no warehouses: like eBay it wants them named.
const (
	location = "sandbox"
	policy   = "1"
)

// assumedCondition is what a card without a condition is listed as: here nobody is misled by it.
const assumedCondition = "NM"

// Market is the sandbox marketplace at one address.
type Market struct {
	baseURL string
	http    *http.Client
}

// New returns the sandbox marketplace at the address that the operator configured, such as
// "http://localhost:8090".
func New(baseURL string) (*Market, error) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("sandbox.New: %q is not the address of a sandbox marketplace, such as http://localhost:8090", baseURL)
	}
	return &Market{baseURL: strings.TrimRight(baseURL, "/"), http: ebayapi.NewHTTPClient()}, nil
}

// Seller returns one account's access. The sandbox marketplace takes the account's identifier, sent as the
// token, for the seller's name: sellers see their own offers and orders only.
func (m *Market) Seller(accountID string) marketplaces.Marketplace {
	return ebayapi.New(ebayapi.Config{
		Name: Name, BaseURL: m.baseURL, ItemURL: m.baseURL + "/itm/",
		Token:         func(context.Context) (string, error) { return accountID, nil },
		MarketplaceID: "EBAY_US", Language: "en-US", LocationKey: location,
		Policies:         ebay.ListingPolicies{FulfillmentPolicyID: policy, PaymentPolicyID: policy, ReturnPolicyID: policy},
		AssumedCondition: assumedCondition,
		HTTP:             m.http,
	})
}

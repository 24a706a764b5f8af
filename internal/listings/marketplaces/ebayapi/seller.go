// Package ebayapi is the marketplace that speaks eBay's Sell Inventory and Sell Fulfillment
// contracts: eBay itself, and the sandbox marketplace that ships with the product.
//
// It keeps nothing: what exists is asked of the marketplace every time, which is what makes each
// call repeatable after a crash. It does not obtain tokens.
package ebayapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/cardvault/cardvault/internal/ebay"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
)

// Config says which marketplace, and as which seller.
type Config struct {
	Name    string // the marketplace's name in the API
	BaseURL string // "https://api.ebay.com", without a slash at the end
	ItemURL string // what stands before a listing's identifier in its address: "https://www.ebay.com/itm/"
	// Token returns the seller's access token; it is called for every request.
	Token         func(ctx context.Context) (string, error)
	MarketplaceID string // "EBAY_US"
	Language      string // "en-US"
	LocationKey   string // the seller's inventory location
	Policies      ebay.ListingPolicies
	// AssumedCondition is sent for cards that are neither graded nor have a condition; if it is ""
	// they are refused, since eBay lists no single card without one.
	AssumedCondition string
	// HTTP is the client to use, as NewHTTPClient makes it.
	HTTP *http.Client
}

// Seller implements marketplaces.Marketplace for one seller.
type Seller struct{ cfg Config }

var _ marketplaces.Marketplace = (*Seller)(nil)

// New returns the seller's access.
func New(cfg Config) *Seller { return &Seller{cfg: cfg} }

// Name implements marketplaces.Marketplace.
func (s *Seller) Name() string { return s.cfg.Name }

// listingID undoes ebay.SKU; false for an SKU that is not one of ours.
func listingID(sku string) (string, bool) {
	unique, ok := strings.CutPrefix(sku, id.Listing)
	if !ok {
		return "", false
	}
	return id.Parse(id.Listing, id.Listing+"_"+unique)
}

// offer returns the seller's offer for the listing, or nil if there is none.
func (s *Seller) offer(ctx context.Context, sku string) (*ebay.Offer, error) {
	query := url.Values{"sku": {ebay.SKU(sku)}, "marketplace_id": {s.cfg.MarketplaceID}, "format": {ebay.FixedPrice}}
	var page ebay.Offers
	err := s.call(ctx, http.MethodGet, ebay.InventoryPath+"/offer?"+query.Encode(), nil, &page)
	if missing(err) {
		return nil, nil
	}
	if err != nil || len(page.Offers) == 0 {
		return nil, err
	}
	return &page.Offers[0], nil
}

// missing reports whether the marketplace answered that there is no such thing.
func missing(err error) bool {
	answer, ok := asAnswer(err)
	return ok && answer.Status == http.StatusNotFound
}

// asAnswer returns the marketplace's final answer if err is one.
func asAnswer(err error) (*apiError, bool) {
	var answer *apiError
	ok := errors.As(err, &answer)
	return answer, ok
}

// final turns a final answer into a Refusal and leaves other errors as they are.
func final(err error) error {
	if answer, ok := asAnswer(err); ok {
		return answer.refusal()
	}
	return err
}

// published returns the listing of an offer that has one.
func (s *Seller) published(listing string) marketplaces.Published {
	return marketplaces.Published{ExternalID: listing, URL: s.cfg.ItemURL + url.PathEscape(listing)}
}

// Package ebayapi is the adapter for marketplaces that implement eBay's Sell Inventory and Sell
// Fulfillment APIs: eBay itself and the sandbox marketplace of the product.
//
// The package stores nothing. It reads the current state from the marketplace every time, which makes
// each call repeatable after a crash. It does not obtain tokens.
package ebayapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// Config configures a marketplace and a seller.
type Config struct {
	Name    string // the marketplace's name in the API
	BaseURL string // "https://api.ebay.com", without a slash at the end
	// MediaURL is the BaseURL of the Media API. It is needed for UploadPicture only.
	MediaURL string
	ItemURL  string // prefix of a listing's URL: "https://www.ebay.com/itm/"
	// Take, if set, is called before every request. Its error keeps the request from being sent.
	Take func(ctx context.Context) error
	// Token returns the seller's access token. It is called for every request.
	Token func(ctx context.Context) (string, error)
	// Reject, if set, is called with a token that the marketplace did not accept. The request is then repeated once
	// with what Token returns.
	Reject        func(ctx context.Context, token string) error
	MarketplaceID string // "EBAY_US"
	Language      string // "en-US"
	LocationKey   string // the seller's inventory location
	Policies      wire.ListingPolicies
	// AssumedCondition is sent for cards that are neither graded nor have a condition. If it is "",
	// they are refused, because eBay requires a condition for single cards.
	AssumedCondition string
	// HTTP is the client to use; see NewHTTPClient.
	HTTP *http.Client
}

// Seller is the marketplaces.Marketplace of one seller.
type Seller struct{ cfg Config }

var _ marketplaces.Marketplace = (*Seller)(nil)

// Limits are the limits of eBay, which has no bulk call that ends listings.
var Limits = marketplaces.Limits{Publish: wire.MaxBulk, Revise: wire.MaxBulk, RevisionsPerDay: wire.MaxRevisions}

// New returns a Seller.
func New(cfg Config) *Seller { return &Seller{cfg: cfg} }

// Name implements marketplaces.Marketplace.
func (s *Seller) Name() string { return s.cfg.Name }

// parseSKU is the inverse of wire.SKU. It returns false for an SKU that CardVault did not make.
func parseSKU(sku string) (listingID string, ok bool) {
	unique, ok := strings.CutPrefix(sku, id.Listing)
	if !ok {
		return "", false
	}
	return id.Parse(id.Listing, id.Listing+"_"+unique)
}

// offer returns the seller's offer for the listing, or nil if there is none.
func (s *Seller) offer(ctx context.Context, listingID string) (*wire.Offer, error) {
	query := url.Values{
		"sku": {wire.SKU(listingID)}, "marketplace_id": {s.cfg.MarketplaceID}, "format": {wire.FixedPrice},
	}
	var page wire.Offers
	err := s.call(ctx, http.MethodGet, wire.InventoryPath+"/offer?"+query.Encode(), nil, &page)
	if missing(err) {
		return nil, nil
	}
	if err != nil || len(page.Offers) == 0 {
		return nil, err
	}
	return &page.Offers[0], nil
}

// Has reports whether the seller has an offer for the listing, in any state.
func (s *Seller) Has(ctx context.Context, listingID string) (bool, error) {
	offer, err := s.offer(ctx, listingID)
	if err != nil {
		return false, fmt.Errorf("look for listing: %w", asRefusal(err))
	}
	return offer != nil, nil
}

// missing reports whether the marketplace answered that the resource does not exist.
func missing(err error) bool {
	answer, ok := asAPIError(err)
	return ok && answer.Status == http.StatusNotFound
}

// asAPIError returns the permanent error of the marketplace in err's chain, if any.
func asAPIError(err error) (*apiError, bool) {
	var answer *apiError
	ok := errors.As(err, &answer)
	return answer, ok
}

// asRefusal converts a permanent error to a Refusal. It returns other errors unchanged.
func asRefusal(err error) error {
	if answer, ok := asAPIError(err); ok {
		return answer.refusal()
	}
	return err
}

// live returns the status of a live listing. listing is the marketplace's identifier.
func (s *Seller) live(listingID, listing string) marketplaces.Status {
	return marketplaces.Status{
		ListingID: listingID, State: marketplaces.Live,
		ExternalID: listing, URL: s.cfg.ItemURL + url.PathEscape(listing),
	}
}

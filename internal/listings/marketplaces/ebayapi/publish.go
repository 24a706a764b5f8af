package ebayapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/ebay"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
)

// maxImages is the maximum number of images of a listing.
const maxImages = 24

// Publish implements marketplaces.Marketplace. It reads the offer before it writes, because replacing
// the inventory item of a sold listing would put it back in stock, and publishing a withdrawn offer
// would list the card a second time.
func (s *Seller) Publish(ctx context.Context, o marketplaces.Offer) (marketplaces.Published, error) {
	item, err := s.inventoryItem(o)
	if err != nil {
		return marketplaces.Published{}, err
	}
	existing, err := s.offer(ctx, o.ListingID)
	if err != nil {
		return marketplaces.Published{}, fmt.Errorf("ebayapi.Publish: %w", asRefusal(err))
	}
	if existing != nil {
		return s.resume(ctx, o.ListingID, existing)
	}
	offerID, err := s.createOffer(ctx, o, item)
	if err != nil {
		return marketplaces.Published{}, fmt.Errorf("ebayapi.Publish: %w", asRefusal(err))
	}
	return s.publishOffer(ctx, o.ListingID, offerID)
}

// resume continues an earlier Publish of the listing.
func (s *Seller) resume(ctx context.Context, listingID string, existing *ebay.Offer) (marketplaces.Published, error) {
	switch {
	case existing.Status == ebay.Published && existing.Listing != nil:
		return s.published(existing.Listing.ListingID), nil
	case over(existing):
		return marketplaces.Published{}, &marketplaces.Refusal{
			Code:    marketplaces.CodeEnded,
			Message: "this listing was ended at the marketplace: publish the card again",
		}
	}
	return s.publishOffer(ctx, listingID, existing.OfferID)
}

// over reports whether an unpublished offer had a listing: End leaves its quantity at zero, and ending
// it on eBay's site leaves the listing's details.
func over(o *ebay.Offer) bool { return o.AvailableQuantity == 0 || o.Listing != nil }

// createOffer stores the inventory item and the offer, and returns the offer's identifier.
func (s *Seller) createOffer(ctx context.Context, o marketplaces.Offer, item ebay.InventoryItem) (string, error) {
	path := ebay.InventoryPath + "/inventory_item/" + url.PathEscape(ebay.SKU(o.ListingID))
	if err := s.call(ctx, http.MethodPut, path, item, nil); err != nil {
		return "", err
	}
	var created ebay.OfferCreated
	err := s.call(ctx, http.MethodPost, ebay.InventoryPath+"/offer", s.newOffer(o), &created)
	if answer, ok := asAPIError(err); ok {
		if offerID, ok := answer.existingOffer(); ok {
			return offerID, nil // another attempt was faster
		}
	}
	return created.OfferID, err
}

// publishOffer publishes the offer. If it is refused, another attempt may have been faster, so the state of the offer
// decides.
func (s *Seller) publishOffer(ctx context.Context, listingID, offerID string) (marketplaces.Published, error) {
	var changed ebay.ListingChanged
	path := ebay.InventoryPath + "/offer/" + url.PathEscape(offerID) + "/publish"
	if err := s.call(ctx, http.MethodPost, path, nil, &changed); err != nil {
		return s.publishedAnyway(ctx, listingID, err)
	}
	return s.published(changed.ListingID), nil
}

// publishedAnyway returns the listing of an offer although publishing it failed with err, if the offer has one.
func (s *Seller) publishedAnyway(ctx context.Context, listingID string, err error) (marketplaces.Published, error) {
	if _, ok := asAPIError(err); ok {
		now, lookErr := s.offer(ctx, listingID)
		if lookErr == nil && now != nil && now.Status == ebay.Published && now.Listing != nil {
			return s.published(now.Listing.ListingID), nil
		}
	}
	return marketplaces.Published{}, fmt.Errorf("ebayapi.Publish: %w", asRefusal(err))
}

func (s *Seller) inventoryItem(o marketplaces.Offer) (ebay.InventoryItem, error) {
	if err := o.Check(); err != nil {
		return ebay.InventoryItem{}, err
	}
	item := ebay.InventoryItem{
		Product: ebay.Product{
			Title: blank.Trim(o.Title), Aspects: Aspects(o, s.cfg.Language),
			ImageURLs: o.ImageURLs[:min(len(o.ImageURLs), maxImages)],
		},
		Availability: ebay.Availability{ShipToLocationAvailability: ebay.ShipToLocationAvailability{Quantity: 1}},
	}
	var err error
	item.Condition, item.ConditionDescriptors, err = s.condition(o)
	return item, err
}

func (s *Seller) newOffer(o marketplaces.Offer) ebay.NewOffer {
	price := amount(o.Price)
	return ebay.NewOffer{
		SKU: ebay.SKU(o.ListingID), MarketplaceID: s.cfg.MarketplaceID, Format: ebay.FixedPrice,
		OfferTerms: ebay.OfferTerms{
			AvailableQuantity: 1, CategoryID: category(o.Game), ListingDescription: Description(o, s.cfg.Language),
			ListingDuration: ebay.GoodTillCancelled, ListingPolicies: s.cfg.Policies,
			MerchantLocationKey: s.cfg.LocationKey, PricingSummary: ebay.PricingSummary{Price: &price},
		},
	}
}

// amount returns money in eBay's decimal format.
func amount(m money.Money) ebay.Amount {
	return ebay.Amount{Value: m.Major(), Currency: m.Currency}
}

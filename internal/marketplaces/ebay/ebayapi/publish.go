package ebayapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/money"
)

// maxImages is the maximum number of images of a listing.
const maxImages = 24

// Publish implements marketplaces.Marketplace. One offer takes fewer calls than the bulk calls for it.
func (s *Seller) Publish(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	if len(offers) > 1 {
		return s.publishMany(ctx, offers)
	}
	return marketplaces.Each(offers, func(o marketplaces.Offer) (marketplaces.Status, error) {
		return s.publishOne(ctx, o)
	})
}

// publishOne publishes an offer. It reads the offer before it writes, because replacing the inventory item of a sold
// listing would put it back in stock, and publishing a withdrawn offer would list the card a second time.
func (s *Seller) publishOne(ctx context.Context, o marketplaces.Offer) (marketplaces.Status, error) {
	item, err := s.inventoryItem(o)
	if err != nil {
		return marketplaces.Status{}, err
	}
	existing, err := s.offer(ctx, o.ListingID)
	if err != nil {
		return marketplaces.Status{}, fmt.Errorf("publish listing: %w", asRefusal(err))
	}
	if existing != nil {
		return s.resume(ctx, o.ListingID, existing)
	}
	offerID, err := s.createOffer(ctx, o, item)
	if err != nil {
		return marketplaces.Status{}, fmt.Errorf("publish listing: %w", asRefusal(err))
	}
	return s.publishOffer(ctx, o.ListingID, offerID)
}

// resume continues an earlier Publish of the listing.
func (s *Seller) resume(ctx context.Context, listingID string, existing *wire.Offer) (marketplaces.Status, error) {
	switch {
	case existing.Status == wire.Published && existing.Listing != nil:
		return s.live(listingID, existing.Listing.ListingID), nil
	case over(existing):
		return marketplaces.Status{}, &marketplaces.Refusal{
			Code:    marketplaces.CodeEnded,
			Message: "this listing was ended at the marketplace: publish the card again",
		}
	}
	return s.publishOffer(ctx, listingID, existing.OfferID)
}

// over reports whether an unpublished offer had a listing: End leaves its quantity at zero, and ending
// it on eBay's site leaves the listing's details.
func over(o *wire.Offer) bool { return o.AvailableQuantity == 0 || o.Listing != nil }

// createOffer stores the inventory item and the offer, and returns the offer's identifier.
func (s *Seller) createOffer(ctx context.Context, o marketplaces.Offer, item wire.InventoryItem) (string, error) {
	path := wire.InventoryPath + "/inventory_item/" + url.PathEscape(wire.SKU(o.ListingID))
	if err := s.call(ctx, http.MethodPut, path, item, nil); err != nil {
		return "", err
	}
	var created wire.OfferCreated
	err := s.call(ctx, http.MethodPost, wire.InventoryPath+"/offer", s.newOffer(o), &created)
	if answer, ok := asAPIError(err); ok {
		if offerID, ok := answer.existingOffer(); ok {
			return offerID, nil // another attempt was faster
		}
	}
	return created.OfferID, err
}

// publishOffer publishes the offer. If it is refused, another attempt may have been faster, so the state of the offer
// decides.
func (s *Seller) publishOffer(ctx context.Context, listingID, offerID string) (marketplaces.Status, error) {
	var changed wire.ListingChanged
	path := wire.InventoryPath + "/offer/" + url.PathEscape(offerID) + "/publish"
	if err := s.call(ctx, http.MethodPost, path, nil, &changed); err != nil {
		return s.publishedAnyway(ctx, listingID, err)
	}
	return s.live(listingID, changed.ListingID), nil
}

// publishedAnyway returns the listing of an offer although publishing it failed with err, if the offer has one.
func (s *Seller) publishedAnyway(ctx context.Context, listingID string, err error) (marketplaces.Status, error) {
	if _, ok := asAPIError(err); ok {
		now, lookErr := s.offer(ctx, listingID)
		if lookErr == nil && now != nil && now.Status == wire.Published && now.Listing != nil {
			return s.live(listingID, now.Listing.ListingID), nil
		}
	}
	return marketplaces.Status{}, fmt.Errorf("publish listing: %w", asRefusal(err))
}

func (s *Seller) inventoryItem(o marketplaces.Offer) (wire.InventoryItem, error) {
	if err := o.Check(); err != nil {
		return wire.InventoryItem{}, err
	}
	item := wire.InventoryItem{
		Product: wire.Product{
			Title: blank.Trim(o.Title), Aspects: Aspects(o, s.cfg.Language),
			ImageURLs: o.ImageURLs[:min(len(o.ImageURLs), maxImages)],
		},
		Availability: wire.Availability{ShipToLocationAvailability: wire.ShipToLocationAvailability{Quantity: 1}},
	}
	var err error
	item.Condition, item.ConditionDescriptors, err = s.condition(o)
	return item, err
}

func (s *Seller) newOffer(o marketplaces.Offer) wire.NewOffer {
	price := amount(o.Price)
	return wire.NewOffer{
		SKU: wire.SKU(o.ListingID), MarketplaceID: s.cfg.MarketplaceID, Format: wire.FixedPrice,
		OfferTerms: wire.OfferTerms{
			AvailableQuantity: 1, CategoryID: category(o.Game), ListingDescription: Description(o, s.cfg.Language),
			ListingDuration: wire.GoodTillCancelled, ListingPolicies: s.cfg.Policies,
			MerchantLocationKey: s.cfg.LocationKey, PricingSummary: wire.PricingSummary{Price: &price},
		},
	}
}

// amount returns money in eBay's decimal format.
func amount(m money.Money) wire.Amount {
	return wire.Amount{Value: m.Major(), Currency: m.Currency}
}

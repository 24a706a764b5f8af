package ebayapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// Status implements marketplaces.Marketplace.
func (s *Seller) Status(ctx context.Context, ref marketplaces.Ref) (marketplaces.Status, error) {
	offer, err := s.offer(ctx, ref.ListingID)
	if err != nil {
		return marketplaces.Status{}, fmt.Errorf("read status: %w", asRefusal(err))
	}
	status := s.status(ref.ListingID, offer)
	if status.State != marketplaces.Sold {
		return status, nil
	}
	return s.withOrder(ctx, ref, status)
}

// End implements marketplaces.Marketplace.
func (s *Seller) End(ctx context.Context, refs []marketplaces.Ref) []marketplaces.Result {
	return marketplaces.Each(refs, func(ref marketplaces.Ref) (marketplaces.Status, error) { return s.end(ctx, ref) })
}

// end ends a listing. It leaves the offer with a quantity of zero, so that a late Publish does not publish it again.
func (s *Seller) end(ctx context.Context, ref marketplaces.Ref) (marketplaces.Status, error) {
	offer, err := s.offer(ctx, ref.ListingID)
	if err == nil && s.status(ref.ListingID, offer).State == marketplaces.Live {
		offer, err = s.withdraw(ctx, ref.ListingID, offer)
	}
	if err == nil && offer != nil && offer.Status == wire.Unpublished && !over(offer) {
		err = s.closeOffer(ctx, offer)
	}
	if err != nil {
		return marketplaces.Status{}, fmt.Errorf("end listing: %w", asRefusal(err))
	}
	status := s.status(ref.ListingID, offer)
	if status.State == marketplaces.Sold {
		return s.withOrder(ctx, ref, status)
	}
	return status, nil
}

// withdraw ends the listing and returns the updated offer. If it is refused, a buyer or another attempt
// may have been faster, so the state of the offer decides.
func (s *Seller) withdraw(ctx context.Context, listingID string, offer *wire.Offer) (*wire.Offer, error) {
	path := wire.InventoryPath + "/offer/" + url.PathEscape(offer.OfferID) + "/withdraw"
	err := s.call(ctx, http.MethodPost, path, nil, &wire.ListingChanged{})
	if _, ok := asAPIError(err); err != nil && !ok {
		return nil, err
	}
	now, lookErr := s.offer(ctx, listingID)
	switch {
	case lookErr != nil:
		return nil, lookErr
	case s.status(listingID, now).State != marketplaces.Live:
		return now, nil
	case err == nil:
		return nil, s.later("has not ended the listing yet", 0, nil)
	}
	return nil, err
}

// closeOffer sets the quantity of an unpublished offer to zero.
func (s *Seller) closeOffer(ctx context.Context, offer *wire.Offer) error {
	terms := offer.OfferTerms
	terms.AvailableQuantity = 0
	return s.call(ctx, http.MethodPut, wire.InventoryPath+"/offer/"+url.PathEscape(offer.OfferID), terms, nil)
}

// status converts an offer to a Status. A sold-out offer stays PUBLISHED with quantity zero, a withdrawn
// one has no listing, and one that was ended on the marketplace's site keeps its listing.
func (s *Seller) status(listingID string, offer *wire.Offer) marketplaces.Status {
	status := marketplaces.Status{ListingID: listingID, State: marketplaces.Unknown}
	if offer == nil {
		return status
	}
	if offer.Listing == nil {
		status.State, status.EndReason = marketplaces.Ended, marketplaces.Withdrawn
		return status
	}
	status = s.live(listingID, offer.Listing.ListingID)
	switch {
	case offer.Listing.SoldQuantity > 0:
		status.State = marketplaces.Sold
	case offer.Status == wire.Published &&
		(offer.Listing.ListingStatus == wire.ListingActive || offer.Listing.ListingStatus == wire.ListingOutOfStock):
		status.State = marketplaces.Live
	default:
		status.State, status.EndReason = marketplaces.Ended, marketplaces.EndedAtMarketplace
	}
	return status
}

package ebayapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// Revise implements marketplaces.Marketplace. One listing takes fewer calls than the bulk calls for it.
func (s *Seller) Revise(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	if len(offers) > 1 {
		return s.reviseMany(ctx, offers)
	}
	return marketplaces.Each(offers, func(o marketplaces.Offer) (marketplaces.Status, error) {
		return s.reviseOne(ctx, o)
	})
}

// reviseOne revises a listing. It writes only what differs, and writes the quantities as it read them.
// If a buyer is faster than a change of the price, the change does not put the card back in stock. A change of the
// title has to replace the inventory item, with its quantity, so the time between reading and writing it is as short
// as possible.
func (s *Seller) reviseOne(ctx context.Context, o marketplaces.Offer) (marketplaces.Status, error) {
	if err := o.Check(); err != nil {
		return marketplaces.Status{}, err
	}
	offer, err := s.offer(ctx, o.ListingID)
	status := s.status(o.ListingID, offer)
	if err == nil && status.State == marketplaces.Live {
		status, err = s.reviseLive(ctx, o, offer)
	}
	if err != nil {
		return marketplaces.Status{}, fmt.Errorf("revise listing: %w", asRefusal(err))
	}
	if status.State == marketplaces.Sold {
		return s.withOrder(ctx, marketplaces.Ref{ListingID: o.ListingID}, status)
	}
	return status, nil
}

// reviseLive writes the title and the price of a live offer. If that is refused, a buyer or the seller may have been
// faster, so the state of the offer decides.
func (s *Seller) reviseLive(
	ctx context.Context, o marketplaces.Offer, offer *wire.Offer,
) (marketplaces.Status, error) {
	err := s.reviseTitle(ctx, o)
	if err == nil {
		err = s.reviseTerms(ctx, o, offer)
	}
	if _, ok := asAPIError(err); !ok {
		return s.status(o.ListingID, offer), err
	}
	return s.unlessLive(ctx, o.ListingID, err)
}

// unlessLive handles err, the refusal of a revision. It returns err if the listing is still live, or else its status.
func (s *Seller) unlessLive(ctx context.Context, listingID string, err error) (marketplaces.Status, error) {
	now, lookErr := s.offer(ctx, listingID)
	if lookErr != nil {
		return marketplaces.Status{}, lookErr
	}
	status := s.status(listingID, now)
	if status.State == marketplaces.Live {
		return marketplaces.Status{}, err
	}
	return status, nil
}

// reviseTitle replaces the inventory item if its title differs. It keeps the pictures.
func (s *Seller) reviseTitle(ctx context.Context, o marketplaces.Offer) error {
	path := wire.InventoryPath + "/inventory_item/" + url.PathEscape(wire.SKU(o.ListingID))
	var current wire.InventoryItem
	if err := s.call(ctx, http.MethodGet, path, nil, &current); err != nil {
		return err
	}
	if current.Product.Title == blank.Trim(o.Title) {
		return nil
	}
	item, err := s.inventoryItem(o)
	if err != nil {
		return err
	}
	item.Availability, item.Product.ImageURLs = current.Availability, current.Product.ImageURLs
	return s.call(ctx, http.MethodPut, path, item, nil)
}

// reviseTerms replaces the terms of the offer if the price or the description differs.
func (s *Seller) reviseTerms(ctx context.Context, o marketplaces.Offer, offer *wire.Offer) error {
	price, terms := amount(o.Price), offer.OfferTerms
	if terms.PricingSummary.Price != nil && *terms.PricingSummary.Price == price &&
		terms.ListingDescription == Description(o, s.cfg.Language) {
		return nil
	}
	terms.PricingSummary.Price, terms.ListingDescription = &price, Description(o, s.cfg.Language)
	return s.call(ctx, http.MethodPut, wire.InventoryPath+"/offer/"+url.PathEscape(offer.OfferID), terms, nil)
}

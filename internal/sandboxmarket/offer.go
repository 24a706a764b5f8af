package sandboxmarket

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// The states of an offer. A draft was never published. A withdrawn offer was ended through the API,
// an ended one on the site: getOffer shows them differently.
const (
	draft     = "draft"
	live      = "live"
	sold      = "sold"
	withdrawn = "withdrawn"
	ended     = "ended"
)

// offer is a row of market.offers: one SKU's inventory item, offer and listing.
type offer struct {
	SKU       string  `db:"sku"`
	Seller    string  `db:"seller"`
	Item      string  `db:"item"`
	OfferID   *string `db:"offer_id"`
	Terms     *string `db:"terms"`
	State     string  `db:"state"`
	ListingID *string `db:"listing_id"`

	Marketplace string `db:"marketplace"`
	RevisedOn   string `db:"revised_on"` // the day of the last revision, UTC
	Revisions   int    `db:"revisions"`  // on that day

	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

// replaceItem replaces the inventory item. A live offer must stay publishable.
func (o *offer) replaceItem(item wire.InventoryItem) error {
	data, err := json.Marshal(item)
	if err != nil {
		return fmt.Errorf("sandboxmarket: inventory item: %w", err)
	}
	o.Item = string(data)
	return o.checkLive()
}

// create creates the offer of the SKU. A SKU has at most one.
func (o *offer) create(offerID, marketplace string, terms wire.OfferTerms) error {
	if o.OfferID != nil {
		return badRequest(wire.UserError, "A user error has occurred. Offer entity already exists.",
			wire.Parameter{Name: wire.ParameterOffer, Value: *o.OfferID})
	}
	o.OfferID, o.Marketplace = &offerID, marketplace
	return o.replaceTerms(terms)
}

// replaceTerms replaces all terms. A live offer must stay publishable.
func (o *offer) replaceTerms(terms wire.OfferTerms) error {
	data, err := json.Marshal(terms)
	if err != nil {
		return fmt.Errorf("sandboxmarket: offer: %w", err)
	}
	text := string(data)
	o.Terms = &text
	return o.checkLive()
}

// checkLive returns an error if a change makes a live listing invalid, or revises it too often.
func (o *offer) checkLive() error {
	if o.State != live {
		return nil
	}
	if err := o.checkPublishable(); err != nil {
		return err
	}
	return o.countRevision(now())
}

// publish creates a listing with a new identifier. As on eBay, an offer whose listing ended can be
// published again, but not one that was sold.
func (o *offer) publish(listingID string) error {
	switch o.State {
	case live:
		return badRequest(wire.UserError, "A user error has occurred. The offer is already published.")
	case sold:
		return badRequest(25004, "The offer has an invalid quantity. The item is sold out.")
	}
	if err := o.checkPublishable(); err != nil {
		return err
	}
	o.State, o.ListingID = live, &listingID
	return nil
}

// close ends or sells a live offer.
func (o *offer) close(state string) error {
	if o.State != live {
		return badRequest(wire.OfferNotFound, "This Offer is not available : it has no live listing.")
	}
	o.State = state
	return nil
}

// content returns the inventory item and the terms.
func (o *offer) content() (item wire.InventoryItem, terms wire.OfferTerms, err error) {
	if err := json.Unmarshal([]byte(o.Item), &item); err != nil {
		return item, terms, fmt.Errorf("sandboxmarket: stored item: %w", err)
	}
	if o.Terms == nil {
		return item, terms, nil
	}
	if err := json.Unmarshal([]byte(*o.Terms), &terms); err != nil {
		return item, terms, fmt.Errorf("sandboxmarket: stored offer: %w", err)
	}
	return item, terms, nil
}

// wire returns the offer as getOffer shows it.
func (o *offer) wire() (wire.Offer, error) {
	_, terms, err := o.content()
	if err != nil {
		return wire.Offer{}, err
	}
	shown := wire.Offer{OfferID: *o.OfferID, SKU: o.SKU, MarketplaceID: o.Marketplace, Format: wire.FixedPrice,
		Status: wire.Unpublished, OfferTerms: terms}
	switch o.State {
	case live:
		shown.Status = wire.Published
		shown.Listing = &wire.ListingDetails{ListingID: *o.ListingID, ListingStatus: wire.ListingActive}
	case sold:
		shown.Status, shown.AvailableQuantity = wire.Published, 0
		shown.Listing = &wire.ListingDetails{ListingID: *o.ListingID, ListingStatus: wire.ListingEnded, SoldQuantity: 1}
	case ended:
		shown.Listing = &wire.ListingDetails{ListingID: *o.ListingID, ListingStatus: wire.ListingEnded}
	}
	return shown, nil
}

// wireItem returns the inventory item as getInventoryItem shows it. A sale reduces its quantity.
func (o *offer) wireItem() (wire.InventoryItem, error) {
	item, _, err := o.content()
	if o.State == sold {
		item.Availability.ShipToLocationAvailability.Quantity = 0
	}
	return item, err
}

package cards

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// StartListing makes ref the card's listing inside a transaction that holds the account's clock. A price that is not
// nil becomes the card's asking price. If the card cannot be listed, StartListing returns the reason: card_archived,
// card_sold, card_already_listed, card_not_identified, card_not_priced or card_has_no_photo.
func (s *Service) StartListing(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string,
	ref ListingRef, price *money.Money) (Card, error) {
	return s.UpdateIn(ctx, tx, stamp, cardID, func(c *Card, now time.Time) ([]events.Data, error) {
		if price != nil {
			c.SetAskingPrice(price, now)
		}
		return nil, c.startListing(ref)
	})
}

func (c *Card) startListing(ref ListingRef) error {
	switch {
	case c.Archived:
		return fault.New(fault.CardArchived, "This card is archived; bring it back before publishing it.")
	case c.Sold():
		return fault.New(fault.CardSold, "This card was sold.")
	case c.UnderWay():
		return fault.New(fault.CardAlreadyListed, "This card has a listing under way: %s.", c.Listing.ID)
	case c.Identification.Title == nil:
		return fault.New(fault.CardNotIdentified, "Identify this card, or give it a title, before publishing it.")
	case c.Pricing.AskingPrice == nil:
		return fault.New(fault.CardNotPriced, "Set an asking price before publishing this card.")
	case len(c.ReadyPhotos()) == 0:
		return fault.New(fault.CardHasNoPhoto, "Add a photo before publishing this card.")
	}
	c.Listing = &ref
	return nil
}

// UpdateListing updates the card's listing inside a transaction that holds the account's clock. A nil ref means that
// the listing ended or failed. listingEvents returns the events of the listing, which precede the card's events. It can
// call Card.Sell.
func (s *Service) UpdateListing(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string,
	ref *ListingRef, listingEvents func(*Card) []events.Data) (Card, error) {
	return s.UpdateIn(ctx, tx, stamp, cardID, func(c *Card, _ time.Time) ([]events.Data, error) {
		c.Listing = ref
		return listingEvents(c), nil
	})
}

// StartListings is StartListing for many cards: refs[i] becomes the listing of card cardIDs[i], unless check returns an
// error.
func (s *Service) StartListings(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, refs []ListingRef,
	check func(*Card) error,
) ([]ItemResult, error) {
	updates := make([]ItemUpdate, len(cardIDs))
	for i, cardID := range cardIDs {
		updates[i] = ItemUpdate{cardID, func(c *Card, _ time.Time) ([]events.Data, error) {
			if err := c.startListing(refs[i]); err != nil {
				return nil, err
			}
			return nil, check(c)
		}}
	}
	return s.UpdateManyIn(ctx, tx, stamp, updates)
}

// SetListings is UpdateListing for many cards and listings without events of their own.
func (s *Service) SetListings(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, refs []ListingRef,
) error {
	updates := make([]ItemUpdate, len(cardIDs))
	for i, cardID := range cardIDs {
		updates[i] = ItemUpdate{cardID, func(c *Card, _ time.Time) ([]events.Data, error) {
			c.Listing = &refs[i]
			return nil, nil
		}}
	}
	results, err := s.UpdateManyIn(ctx, tx, stamp, updates)
	if err != nil {
		return err
	}
	return FirstError(results, func(r ItemResult) error { return r.Err })
}

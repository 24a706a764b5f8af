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

// Repricing is a new asking price of a card with a live listing.
type Repricing struct {
	ListingID string
	Card      events.Card
	Price     money.Money
	At        time.Time
}

// Listings is the part of package listings that Service uses.
type Listings interface {
	// Reprice has live listings revised to new prices, in a number of statements that does not depend on the number of
	// listings. It returns the events of the listings that had another price, by listing id.
	Reprice(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, list []Repricing) (map[string]events.Data, error)
}

// UseListings sets the listings whose prices follow the asking prices of cards. Call it before using the service.
// Without listings, only the cards change.
func (s *Service) UseListings(l Listings) { s.listings = l }

// checkRepricing returns an error if the asking price cannot be changed to price. Nil means none.
func (c *Card) checkRepricing(price *money.Money) error {
	if c.Sold() || c.Listing == nil || c.Listing.Status != ListingLive {
		return c.checkEditable("its asking price")
	}
	current := c.Pricing.AskingPrice
	switch {
	case price == nil:
		return fault.New(fault.CardListed, "This card has a live listing; end the listing before removing the price.")
	case price.Amount == 0:
		return fault.New(fault.CardListed,
			"This card has a live listing; end the listing before setting the price to zero.")
	case current != nil && current.Currency != price.Currency:
		return fault.New(fault.CardListed,
			"This card has a live listing in %s; end the listing before changing the currency.", current.Currency)
	}
	return nil
}

// repricing returns the new price of the card's live listing, or false if the update does not change it.
func repricing(before, after *Card, at time.Time) (Repricing, bool) {
	price := after.Pricing.AskingPrice
	if after.Listing == nil || after.Listing.Status != ListingLive || price == nil ||
		equal(price, before.Pricing.AskingPrice) {
		return Repricing{}, false
	}
	return Repricing{after.Listing.ID, after.EventCard(), *price, at}, true
}

// reprice has the live listings revised and returns their events by listing id.
func (s *Service) reprice(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, list []Repricing,
) (map[string]events.Data, error) {
	if len(list) == 0 || s.listings == nil {
		return nil, nil
	}
	return s.listings.Reprice(ctx, tx, stamp, list)
}

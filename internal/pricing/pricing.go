// Package pricing says what a card sells for: what the account itself got for the same card, else
// what the reference catalogue says. It changes nothing, converts no currency, and invents nothing:
// every figure is a price that stands in the database, or the middle of two.
package pricing

import (
	"context"
	"errors"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Query says which card is meant: exactly one of the two.
type Query struct {
	CardID *string // one of the account's cards
	// Card is any card; only its title is required. What is missing is not compared, but for the
	// grade: a card without one is an ungraded card.
	Card *cards.Description
}

// Basis is where a price comes from.
type Basis string

// The bases.
const (
	SoldListings Basis = "sold_listings"
	Catalog      Basis = "catalog"
)

// Estimate is what a card sells for. All of it is in one currency.
type Estimate struct {
	Price       money.Money // the median
	Low, High   money.Money // the quartiles; the extremes where there are fewer than four prices
	Basis       Basis
	SampleSize  int          // how many prices it rests on
	Comparables []Comparable // the newest of them, at most 20
	AsOf        time.Time    // when it held: now for sold listings, the catalogue's oldest price otherwise
}

// Comparable is one of the prices.
type Comparable struct {
	Title  string
	Price  money.Money
	SoldAt *time.Time // nil if it is a catalogue's price
	Source string     // the marketplace, or SourceCatalog
}

// SourceCatalog is the source of comparables from the catalogue.
const SourceCatalog = "catalog"

// Cards is what pricing needs of cards; *cards.Service is one.
type Cards interface {
	// Get returns one card; card_not_found if the account has none with this id.
	Get(ctx context.Context, accountID, cardID string) (cards.Card, error)
}

// Catalogue is what pricing needs of the reference catalogue; *catalog.Service is one.
type Catalogue interface {
	// Get returns the cards with these identifiers; unknown ones are left out.
	Get(ctx context.Context, ids ...string) ([]catalog.Card, error)
	// Find returns the cards that fit the query, best first.
	Find(ctx context.Context, q catalog.Query, limit int) ([]catalog.Card, error)
}

// Service looks up prices.
type Service struct {
	db        *postgres.DB
	clock     clock.Clock
	cards     Cards
	catalogue Catalogue
}

// New returns a Service.
func New(db *postgres.DB, c clock.Clock, inventory Cards, catalogue Catalogue) *Service {
	return &Service{db: db, clock: c, cards: inventory, catalogue: catalogue}
}

// Lookup returns what the card sells for. A card of the account that is not identified is
// card_not_identified; a card without any known price is no_price_found.
func (s *Service) Lookup(ctx context.Context, accountID string, q Query) (Estimate, error) {
	card, err := s.describe(ctx, accountID, q)
	if err != nil {
		return Estimate{}, err
	}
	for _, look := range []func(context.Context, string, cards.Description) (Estimate, error){s.soldListings, s.inCatalogue} {
		found, err := look(ctx, accountID, card)
		if !errors.Is(err, errNoPrices) {
			return found, err
		}
	}
	return Estimate{}, fault.New(fault.NoPriceFound,
		"Neither your sold listings nor the catalogue has a price for this card. Check its title, set and number.")
}

// errNoPrices says that a source knows no price.
var errNoPrices = errors.New("pricing: no prices")

// describe returns the card that the query means.
func (s *Service) describe(ctx context.Context, accountID string, q Query) (cards.Description, error) {
	switch {
	case (q.CardID == nil) == (q.Card == nil):
		return cards.Description{}, fault.Invalid("card_id", "send exactly one of card_id and card")
	case q.Card != nil && (q.Card.Title == nil || *q.Card.Title == ""):
		return cards.Description{}, fault.Invalid("card.title", "is required")
	case q.Card != nil:
		return *q.Card, nil
	}
	card, err := s.cards.Get(ctx, accountID, *q.CardID)
	if err != nil {
		return cards.Description{}, err
	}
	if card.Identification.Title == nil {
		return cards.Description{}, fault.New(fault.CardNotIdentified, "Identify this card, or give it a title, before looking up its price.")
	}
	return card.Identification.Description, nil
}

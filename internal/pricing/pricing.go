// Package pricing estimates the price of a card, from the account's own sales of the same card or else from the
// reference catalogue. Prices are weighed by how much the cards that they are of differ from the card (weight.go), and
// outliers are left out (fence.go). It stores nothing and converts no currency. Every figure is a price in the database
// or the mean of two.
package pricing

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Query identifies a card. Exactly one of its fields is set.
type Query struct {
	CardID *string // one of the account's cards
	// Card describes any card. Only its title is required. Missing values are not compared, except that a card without
	// a grade is ungraded, and one without a variant may be the ordinary printing.
	Card *cards.Description
}

// Basis is the source of an estimate.
type Basis string

// The bases.
const (
	SoldListings Basis = "sold_listings"
	Catalog      Basis = "catalog"
)

// Estimate is the estimated price of a card. All amounts except the excluded ones have the same currency.
type Estimate struct {
	Price       money.Money // the weighted median
	Low, High   money.Money // the weighted quartiles; the extremes if there are fewer than four prices
	Basis       Basis
	SampleSize  int          // the number of prices that it is based on
	NewestDays  int          // the age of the newest price, in days
	MaxWeight   Weight       // the largest weight of a price
	Comparables []Comparable // the newest prices, at most 20
	Excluded    []Comparable // the newest prices that were found but not used, at most 20
	AsOf        time.Time    // now for sold listings; otherwise the time of the catalogue's oldest price
}

// Comparable is one price that was found for an estimate.
type Comparable struct {
	Title    string
	Price    money.Money
	SoldAt   *time.Time // nil if it is a catalogue's price
	AgeDays  int        // since it was sold or, for a catalogue's price, since the catalogue had it
	Source   string     // the marketplace, or SourceCatalog
	Weight   Weight
	Excluded Exclusion // why the estimate does not use it; "" if it does
}

// Exclusion is the reason why an estimate does not use a price.
type Exclusion string

// The reasons.
const (
	Outlier       Exclusion = "outlier"
	OtherCurrency Exclusion = "other_currency"
)

// SourceCatalog is the source of comparables from the catalogue.
const SourceCatalog = "catalog"

// Cards is the part of *cards.Service that pricing uses.
type Cards interface {
	// Get returns a card, or card_not_found if the account does not have it.
	Get(ctx context.Context, accountID, cardID string) (cards.Card, error)
	// FindMany returns the account's cards with these identifiers, by identifier, without unknown ones.
	FindMany(ctx context.Context, q postgres.Querier, accountID string, ids []string) (map[string]cards.Card, error)
}

// Catalogue is the part of *catalog.Service that pricing uses.
type Catalogue interface {
	// Get returns the cards with these identifiers. It leaves out unknown identifiers.
	Get(ctx context.Context, ids ...string) ([]catalog.Card, error)
	// FindMany returns the cards that match each of the queries, best match first.
	FindMany(ctx context.Context, queries []catalog.Query, limit int) ([][]catalog.Card, error)
}

// Service looks up prices.
type Service struct {
	db        *postgres.DB
	clock     clock.Clock
	cards     Cards
	catalogue Catalogue
	running   concurrency.ReadLimiter
}

// maxLookups is how many look-ups of an account run at once. Each look-up reads the catalogue and the account's sales.
const maxLookups = 4

// New returns a Service.
func New(db *postgres.DB, c clock.Clock, inventory Cards, catalogue Catalogue) *Service {
	return &Service{
		db: db, clock: c, cards: inventory, catalogue: catalogue, running: concurrency.NewReadLimiter(maxLookups),
	}
}

// Lookup returns the estimated price of a card. It fails with card_not_identified for a card of the account
// that is not identified, with no_price_found if no price is known, and with rate_limited if too many look-ups of the
// account are running.
func (s *Service) Lookup(ctx context.Context, accountID string, q Query) (Estimate, error) {
	slot, err := s.running.Acquire(ctx, accountID)
	if err != nil {
		return Estimate{}, err
	}
	defer slot.Release()
	card, err := s.describe(ctx, accountID, q)
	if err != nil {
		return Estimate{}, err
	}
	results, err := s.estimates(ctx, accountID, []cards.Description{card})
	if err != nil {
		return Estimate{}, err
	}
	return results[0].Estimate, results[0].Err
}

// Result is the estimate of one of many cards, or the fault for which it has none.
type Result struct {
	Estimate Estimate
	Err      error
}

// LookupMany returns what Lookup returns for each of the account's cards, in the given order. The number of statements
// does not depend on the number of cards. The cards must differ.
func (s *Service) LookupMany(ctx context.Context, accountID string, cardIDs []string) ([]Result, error) {
	if i := cards.Repeated(cardIDs); i >= 0 {
		return nil, fault.Invalid(fmt.Sprintf("card_ids.%d", i), "must differ from the identifiers before it")
	}
	list, err := s.cards.FindMany(ctx, s.db, accountID, cardIDs)
	if err != nil {
		return nil, err
	}
	results := make([]Result, len(cardIDs))
	var descriptions []cards.Description
	var places []int // of identified
	for i, text := range cardIDs {
		cardID, _ := id.Parse(id.Card, text) // a malformed identifier matches nothing
		card, exists := list[cardID]
		switch {
		case !exists:
			results[i].Err = cards.NotFound()
		case card.Identification.Title == nil:
			results[i].Err = notIdentified()
		default:
			descriptions, places = append(descriptions, card.Identification.Description), append(places, i)
		}
	}
	estimates, err := s.estimates(ctx, accountID, descriptions)
	if err != nil {
		return nil, err
	}
	for n, i := range places {
		results[i] = estimates[n]
	}
	return results, nil
}

// Estimates returns the estimated prices of the account's cards, or the fault of a card without a price. The cards must
// differ.
func (s *Service) Estimates(
	ctx context.Context, accountID string, cardIDs []string,
) (prices []money.Money, refused []error, err error) {
	results, err := s.LookupMany(ctx, accountID, cardIDs)
	if err != nil {
		return nil, nil, err
	}
	prices, refused = make([]money.Money, len(results)), make([]error, len(results))
	for i, r := range results {
		prices[i], refused[i] = r.Estimate.Price, r.Err
	}
	return prices, refused, nil
}

// estimates estimates each card from sold listings or else from the catalogue.
func (s *Service) estimates(ctx context.Context, accountID string, all []cards.Description) ([]Result, error) {
	now := s.clock.Time()
	sums, err := s.soldListings(ctx, accountID, all, now)
	if err == nil {
		err = s.addFromCatalogue(ctx, all, sums, now)
	}
	if err != nil {
		return nil, err
	}
	results := make([]Result, len(all))
	for i, e := range sums {
		if e == nil {
			results[i].Err = fault.New(fault.NoPriceFound, "Neither your sold listings nor the catalogue has a price "+
				"for this card. Check its title, set and number.")
			continue
		}
		results[i].Estimate = *e
	}
	return results, nil
}

// describe returns the description of the query's card.
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
		return cards.Description{}, notIdentified()
	}
	return card.Identification.Description, nil
}

func notIdentified() error {
	return fault.New(fault.CardNotIdentified, "Identify this card, or give it a title, before looking up its price.")
}

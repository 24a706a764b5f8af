// Package catalog is the reference catalogue: printings of cards with their texts, prices and fingerprints, for
// identification and price lookup. It imports catalogue files of users and searches them.
//
// The catalogue is shared by all accounts. The package never reads or writes cards of accounts, makes no network
// requests, and contains no catalogue data.
package catalog

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Card is one printing of a card.
type Card struct {
	// ID is the printing's identifier in the catalogue it came from, such as "swsh4-25".
	ID string
	// Game is one of the contract's games: pokemon, magic, yugioh, sports, other.
	Game string
	Name string
	// Set is the set's name, SetCode the short code that the set is known by ("VIV").
	Set, SetCode string
	// Number is the collector number as the catalogue has it, without the total: "25", "TG12", "SWSH179".
	Number string
	// PrintedTotal is the number after the slash ("185" in 025/185), or 0 if unknown or not printed.
	PrintedTotal int
	// Year is the year of release; 0 if unknown.
	Year        int
	Illustrator string
	// HP is 0 where the card has none.
	HP int
	// Language is a BCP 47 tag, or empty.
	Language        string
	Rarity, Variant string
	// Text is the body text, without the name.
	Text string
	// Price is the catalogue's price of the card at PriceAsOf, or nil.
	Price     *money.Money
	PriceAsOf *time.Time
}

// Match is a search result with a score from 0 to 1. Each search defines its score.
type Match struct {
	Card  Card
	Score float64
}

// FingerprintMatch is a card that a fingerprint search found.
type FingerprintMatch struct {
	Card Card
	// Distance is the number of bits, of 512, in which the fingerprints differ.
	Distance int
}

// Service imports and searches the catalogue.
type Service struct {
	db *postgres.DB
}

// New returns the catalogue in db.
func New(db *postgres.DB) *Service { return &Service{db: db} }

// Get returns the cards with these identifiers in the given order, each once, without unknown ones.
func (s *Service) Get(ctx context.Context, ids ...string) ([]Card, error) {
	var rows []cardRow
	err := s.db.Select(ctx, &rows, `SELECT `+cardColumns+` FROM catalog_cards c WHERE c.id = ANY($1)`, pq.Array(ids))
	if err != nil {
		return nil, fmt.Errorf("catalog.Get: %w", err)
	}
	found := make(map[string]Card, len(rows))
	for _, row := range rows {
		found[row.ID] = row.card()
	}
	cards := make([]Card, 0, len(rows))
	for _, id := range ids {
		if card, ok := found[id]; ok {
			cards = append(cards, card)
			delete(found, id)
		}
	}
	return cards, nil
}

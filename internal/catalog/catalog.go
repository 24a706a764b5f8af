// Package catalog is the reference catalogue: printings of cards with their texts, prices and fingerprints, for
// identification and price lookup. It imports catalogue files of users and searches them.
//
// All accounts share the catalogue. The package never reads or writes cards of accounts, makes no network requests, and
// contains no catalogue data.
//
// Searches of fingerprints use an index in the memory of the process (fingerprintindex.go). Writers of the catalogue
// increment its version (version.go). The next search then loads the index again (fingerprintcache.go).
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
	ID           string // in the imported catalogue, such as "swsh4-25"
	Game         string // pokemon, magic, yugioh, sports or other
	Name         string
	Set          string // name of the set
	SetCode      string // short code of the set, such as "VIV"
	Number       string // collector number in the catalogue, without the total: "25", "TG12", "SWSH179"
	PrintedTotal int    // the number after the slash (185 in 025/185); 0 if unknown or not printed
	Year         int    // of release; 0 if unknown
	Illustrator  string
	HP           int    // 0 if the card has none
	Language     string // a BCP 47 tag, or empty
	Rarity       string
	Variant      string
	Text         string       // body text, without the name
	Price        *money.Money // in the catalogue at PriceAsOf; may be nil
	PriceAsOf    *time.Time
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
	db           *postgres.DB
	fingerprints fingerprintCache
}

// New returns the catalogue in db.
func New(db *postgres.DB) *Service { return &Service{db: db, fingerprints: fingerprintCache{db: db}} }

// Get returns the cards with these identifiers in the given order, each once, without unknown ones.
func (s *Service) Get(ctx context.Context, ids ...string) ([]Card, error) {
	var rows []cardRow
	err := s.db.Select(ctx, &rows, `SELECT `+cardColumns+` FROM catalog_cards c WHERE c.id = ANY($1)`, pq.Array(ids))
	if err != nil {
		return nil, fmt.Errorf("load catalogue cards: %w", err)
	}
	byID := make(map[string]Card, len(rows))
	for _, row := range rows {
		byID[row.ID] = row.card()
	}
	cards := make([]Card, 0, len(rows))
	for _, id := range ids {
		if card, ok := byID[id]; ok {
			cards = append(cards, card)
			delete(byID, id)
		}
	}
	return cards, nil
}

package catalog

import (
	"context"
	"fmt"
	"strings"
)

// Query identifies a card by fields that a user entered. Empty fields are not compared.
type Query struct {
	Title string
	// Set is the set's name or its code.
	Set string
	// Number is a collector number, with the printed total ("025/185") or without.
	Number string
	// Game is one of the contract's games.
	Game string
}

// nearTitle is the minimum similarity of a misspelled title. One wrong letter in a name of eight leaves
// about half of its trigrams.
const nearTitle = 0.5

// Find returns the cards that match every field of q, best match first. The title must equal the card's name
// except for case, accents and punctuation. If no card has that name, similar names match. A query without
// title and number finds nothing, because it would match whole sets.
func (s *Service) Find(ctx context.Context, q Query, limit int) ([]Card, error) {
	q = Query{Title: textKey(clean(q.Title)), Set: textKey(clean(q.Set)), Number: clean(q.Number), Game: q.Game}
	if q.Title == "" && strings.TrimSpace(q.Number) == "" {
		return nil, nil
	}
	found, err := s.find(ctx, q, `c.name_key = $1`, limit)
	if err == nil && len(found) == 0 && q.Title != "" {
		similar := fmt.Sprintf(`c.name_key %% $1 AND similarity(c.name_key, $1) >= %g`, nearTitle)
		found, err = s.find(ctx, q, similar, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("catalog.Find: %w", err)
	}
	return found, nil
}

// find returns the cards that match q, whose title and set are keys. sameTitle is the condition for the name.
func (s *Service) find(ctx context.Context, q Query, sameTitle string, limit int) ([]Card, error) {
	number, total := ParseNumber(q.Number)
	query := `SELECT ` + cardColumns + ` FROM catalog_cards c
		WHERE ($1 = '' OR ` + sameTitle + `)
		AND ($2 = '' OR c.set_key = $2 OR c.set_code_key = $2)
		AND ($3 = '' OR c.number_key = $3)
		AND ($4 = 0 OR c.printed_total IN ($4, 0))
		AND ($5 = '' OR c.game = $5)
		ORDER BY similarity(c.name_key, $1) DESC, c.printed_total = $4 DESC, c.price_amount IS NULL, c.year DESC, c.id
		LIMIT $6`
	var rows []cardRow
	err := s.db.Select(ctx, &rows, query, q.Title, q.Set, numberKey(number), total, q.Game, limit)
	return cards(rows), err
}

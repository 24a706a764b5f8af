package catalog

import (
	"context"
	"fmt"

	"github.com/lib/pq"
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

// The conditions by which find finds cards. Each uses an index.
const (
	sameTitle  = `c.name_key = q.title`
	sameNumber = `c.number_key = q.number`
)

var similarTitle = fmt.Sprintf(`c.name_key %% q.title AND similarity(c.name_key, q.title) >= %g`, nearTitle)

// Find returns the cards that match every field of q, best match first. The title must equal the card's name
// except for case, accents and punctuation. If no card has that name, similar names match. A query without
// title and number finds nothing, because it would match whole sets.
func (s *Service) Find(ctx context.Context, q Query, limit int) ([]Card, error) {
	found, err := s.FindMany(ctx, []Query{q}, limit)
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// FindMany returns what Find returns for each of the queries. It runs at most three statements.
func (s *Service) FindMany(ctx context.Context, queries []Query, limit int) ([][]Card, error) {
	found := make([][]Card, len(queries))
	var titled, numbered, misspelled findKeys
	for i, q := range queries {
		if title := textKey(clean(q.Title)); title != "" {
			titled.add(i, title, q)
		} else {
			numbered.add(i, "", q)
		}
	}
	numbered = numbered.only(func(k int) bool { return numbered.numbers[k] != "" })
	err := s.find(ctx, found, titled, sameTitle, limit)
	if err == nil {
		misspelled = titled.only(func(k int) bool { return len(found[titled.places[k]]) == 0 })
		err = s.find(ctx, found, misspelled, similarTitle, limit)
	}
	if err == nil {
		err = s.find(ctx, found, numbered, sameNumber, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("catalog.Find: %w", err)
	}
	return found, nil
}

// findKeys are queries in the form in which find compares them: one element for each in all arrays.
type findKeys struct {
	places                       pq.Int64Array // the index of the query
	titles, sets, numbers, games pq.StringArray
	totals                       pq.Int64Array
}

// add adds the query at a place.
func (k *findKeys) add(place int, title string, q Query) {
	number, total := ParseNumber(clean(q.Number))
	k.places, k.totals = append(k.places, int64(place)), append(k.totals, int64(total))
	k.titles, k.sets = append(k.titles, title), append(k.sets, textKey(clean(q.Set)))
	k.numbers, k.games = append(k.numbers, numberKey(number)), append(k.games, q.Game)
}

// only returns the queries for whose indexes keep returns true.
func (k *findKeys) only(keep func(at int) bool) (kept findKeys) {
	for i := range k.places {
		if keep(i) {
			kept.places, kept.totals = append(kept.places, k.places[i]), append(kept.totals, k.totals[i])
			kept.titles, kept.sets = append(kept.titles, k.titles[i]), append(kept.sets, k.sets[i])
			kept.numbers, kept.games = append(kept.numbers, k.numbers[i]), append(kept.games, k.games[i])
		}
	}
	return kept
}

// find adds the cards that match each of the queries to found. condition is the part of the match that an index finds.
func (s *Service) find(ctx context.Context, found [][]Card, keys findKeys, condition string, limit int) error {
	if len(keys.places) == 0 {
		return nil
	}
	const order = `similarity(c.name_key, q.title) DESC, c.printed_total = q.total DESC, c.price_amount IS NULL,
		c.year DESC, c.id`
	query := `SELECT q.place, ` + cardColumns + `
		FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[])
			AS q (place, title, set, number, total, game)
		CROSS JOIN LATERAL (
			SELECT c.* FROM catalog_cards c WHERE ` + condition + `
			AND (q.set = '' OR c.set_key = q.set OR c.set_code_key = q.set)
			AND (q.number = '' OR c.number_key = q.number)
			AND (q.total = 0 OR c.printed_total IN (q.total, 0))
			AND (q.game = '' OR c.game = q.game)
			ORDER BY ` + order + ` LIMIT $7
		) AS c
		ORDER BY q.place, ` + order
	var rows []struct {
		cardRow
		Place int `db:"place"`
	}
	err := s.db.Select(ctx, &rows, query,
		keys.places, keys.titles, keys.sets, keys.numbers, keys.totals, keys.games, limit)
	for _, row := range rows {
		found[row.Place] = append(found[row.Place], row.card())
	}
	return err
}

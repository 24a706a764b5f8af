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
	matches, err := s.FindMany(ctx, []Query{q}, limit)
	if err != nil {
		return nil, err
	}
	return matches[0], nil
}

// FindMany returns what Find returns for each of the queries. It runs at most three statements.
func (s *Service) FindMany(ctx context.Context, queries []Query, limit int) ([][]Card, error) {
	matches := make([][]Card, len(queries))
	var byTitle, byNumber, byTypo findKeys
	for i, q := range queries {
		if title := textKey(clean(q.Title)); title != "" {
			byTitle.add(i, title, q)
		} else {
			byNumber.add(i, "", q)
		}
	}
	byNumber = byNumber.only(func(k int) bool { return byNumber.numbers[k] != "" })
	err := s.find(ctx, matches, byTitle, sameTitle, limit)
	if err == nil {
		byTypo = byTitle.only(func(k int) bool { return len(matches[byTitle.places[k]]) == 0 })
		err = s.find(ctx, matches, byTypo, similarTitle, limit)
	}
	if err == nil {
		err = s.find(ctx, matches, byNumber, sameNumber, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("find cards: %w", err)
	}
	return matches, nil
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
func (k *findKeys) only(keep func(at int) bool) (rest findKeys) {
	for i := range k.places {
		if keep(i) {
			rest.places, rest.totals = append(rest.places, k.places[i]), append(rest.totals, k.totals[i])
			rest.titles, rest.sets = append(rest.titles, k.titles[i]), append(rest.sets, k.sets[i])
			rest.numbers, rest.games = append(rest.numbers, k.numbers[i]), append(rest.games, k.games[i])
		}
	}
	return rest
}

// find adds the cards that match each of the queries to matches. condition is the part of the match that an index
// finds.
func (s *Service) find(ctx context.Context, matches [][]Card, keys findKeys, condition string, limit int) error {
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
		matches[row.Place] = append(matches[row.Place], row.card())
	}
	return err
}

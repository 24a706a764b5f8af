package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/catalog/folding"
)

// ByNumber returns the cards with this collector number, ignoring case and leading zeros. printedTotal restricts the
// result to cards with that printed total. If it is 0, a total in number, such as "008/193", does that.
func (s *Service) ByNumber(ctx context.Context, h Hints, number string, printedTotal, limit int) ([]Card, error) {
	number, total := ParseNumber(number)
	if printedTotal == 0 {
		printedTotal = total
	}
	key := numberKey(clean(number))
	if key == "" {
		return nil, nil
	}
	const query = `SELECT ` + cardColumns + ` FROM catalog_cards c
		WHERE c.number_key = $4 AND ($5 = 0 OR c.printed_total = $5) AND ` + allowed + `
		ORDER BY ` + agreement + ` DESC, c.year DESC, c.id LIMIT $6`
	var rows []cardRow
	if err := s.db.Select(ctx, &rows, query, h.params(key, printedTotal, limit)...); err != nil {
		return nil, fmt.Errorf("search by number: %w", err)
	}
	return cards(rows), nil
}

// ByName returns the cards with a similar name, best match first. The score is the similarity of the trigrams, from
// 0.3. It is 1 for the same name, ignoring case and accents. Chinese and Japanese names have few letters, so for them
// it also returns names that contain the name, or a word that differs from it by one letter, with lower scores.
func (s *Service) ByName(ctx context.Context, h Hints, name string, limit int) ([]Match, error) {
	key := textKey(clean(name))
	if key == "" {
		return nil, nil
	}
	// The subquery hides the name from the planner, which would compare it with all names of its statistics.
	similar, args := "c.name_key % (SELECT $4::text)", h.params(key, limit)
	patterns, err := s.unspacedPatterns(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("search by name: %w", err)
	}
	if len(patterns) > 0 {
		similar, args = "("+similar+" OR c.name_key LIKE ANY ($6))", append(args, pq.Array(patterns))
	}
	query := `SELECT ` + cardColumns + `, similarity(c.name_key, $4) AS score FROM catalog_cards c
		WHERE ` + similar + ` AND ` + allowed + `
		ORDER BY score DESC, ` + agreement + ` DESC, c.year DESC, c.id LIMIT $5`
	var rows []scoredRow
	if err := s.db.Select(ctx, &rows, query, args...); err != nil {
		return nil, fmt.Errorf("search by name: %w", err)
	}
	return matches(rows), nil
}

// Printings returns at most limit cards with this name. It prefers cards that agree with h, then newer cards.
func (s *Service) Printings(ctx context.Context, h Hints, name string, limit int) ([]Card, error) {
	key := textKey(clean(name))
	if key == "" {
		return nil, nil
	}
	const query = `SELECT ` + cardColumns + ` FROM catalog_cards c WHERE c.name_key = $4 AND ` + allowed + `
		ORDER BY ` + agreement + ` DESC, c.year DESC, c.id LIMIT $5`
	var rows []cardRow
	if err := s.db.Select(ctx, &rows, query, h.params(key, limit)...); err != nil {
		return nil, fmt.Errorf("load printings: %w", err)
	}
	return slices.DeleteFunc(cards(rows), func(c Card) bool { return c.Name != name }), nil
}

// ByFingerprint returns the limit cards whose fingerprints have the smallest distance from hash, and as many of the set
// in h, nearest first. The hash consists of 256 bits of a difference hash and 256 bits of a DCT hash, both
// as in Python's ImageHash. There is no maximum distance: callers decide which matches are near enough.
func (s *Service) ByFingerprint(ctx context.Context, h Hints, hash [64]byte, limit int) ([]FingerprintMatch, error) {
	index, err := s.fingerprints.current(ctx)
	if err != nil {
		return nil, fmt.Errorf("search by fingerprint: %w", err)
	}
	var cardIDs pq.StringArray
	var distances pq.Int64Array
	for _, n := range index.nearest(h, hash, limit) {
		cardIDs, distances = append(cardIDs, index.entries[n.entry].cardID), append(distances, int64(n.distance))
	}
	if len(cardIDs) == 0 {
		return nil, nil
	}
	const query = `SELECT ` + cardColumns + `, f.distance
		FROM unnest($4::text[], $5::int[]) AS f (card_id, distance) JOIN catalog_cards c ON c.id = f.card_id
		WHERE ` + allowed + ` ORDER BY f.distance, ` + agreement + ` DESC, c.id`
	var rows []struct {
		cardRow
		Distance int `db:"distance"`
	}
	if err := s.db.Select(ctx, &rows, query, h.params(cardIDs, distances)...); err != nil {
		return nil, fmt.Errorf("search by fingerprint: %w", err)
	}
	list := make([]FingerprintMatch, len(rows))
	for i, row := range rows {
		list[i] = FingerprintMatch{Card: row.card(), Distance: row.Distance}
	}
	return list, nil
}

// Bits formats a hash as a bit string for PostgreSQL.
func Bits(hash [64]byte) string {
	var text strings.Builder
	text.Grow(8 * len(hash))
	for _, b := range hash {
		fmt.Fprintf(&text, "%08b", b)
	}
	return text.String()
}

// unspacedPatterns returns the patterns of the Chinese and Japanese words of a name that the index of trigrams has.
func (s *Service) unspacedPatterns(ctx context.Context, key string) (patterns []string, err error) {
	words := slices.DeleteFunc(strings.Fields(key), func(word string) bool {
		letters := []rune(word)
		return len(letters) < minRunTypo || !folding.IsUnspaced(letters[0])
	})
	if len(words) == 0 {
		return nil, nil
	}
	words = words[:min(len(words), maxNameWords)]
	terms, err := s.knownWords(ctx, words)
	for _, word := range words {
		patterns = append(patterns, wordPatterns(word, terms)...)
	}
	return patterns, err
}

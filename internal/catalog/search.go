package catalog

import (
	"context"
	"fmt"
	"strings"
)

// ByNumber returns the cards with this collector number: leading zeros, case and a total behind a
// stroke ("008/193") do not matter. With a printedTotal (as argument or in number) only cards of sets
// with that total are returned; 0 means any.
func (s *Service) ByNumber(ctx context.Context, number string, printedTotal, limit int) ([]Card, error) {
	number, total := ParseNumber(number)
	if printedTotal == 0 {
		printedTotal = total
	}
	key := numberKey(clean(number))
	if key == "" {
		return nil, nil
	}
	const query = `SELECT ` + cardColumns + ` FROM catalog_cards c
		WHERE c.number_key = $1 AND ($2 = 0 OR c.printed_total = $2)
		ORDER BY c.year DESC, c.id LIMIT $3`
	var rows []cardRow
	if err := s.db.Select(ctx, &rows, query, key, printedTotal, limit); err != nil {
		return nil, fmt.Errorf("catalog.ByNumber: %w", err)
	}
	return cards(rows), nil
}

// ByName returns the cards whose name is like this one, best first. The score is the similarity of the
// trigrams, 1 for the same name whatever its case and accents; under 0.3 nothing is returned.
func (s *Service) ByName(ctx context.Context, name string, limit int) ([]Match, error) {
	key := textKey(clean(name))
	if key == "" {
		return nil, nil
	}
	const query = `SELECT ` + cardColumns + `, similarity(c.name_key, $1) AS score FROM catalog_cards c
		WHERE c.name_key % $1
		ORDER BY score DESC, c.year DESC, c.id LIMIT $2`
	var rows []scoredRow
	if err := s.db.Select(ctx, &rows, query, key, limit); err != nil {
		return nil, fmt.Errorf("catalog.ByName: %w", err)
	}
	return matches(rows), nil
}

// ByFingerprint returns the cards whose fingerprint is nearest to hash, nearest first. The hash is 256
// bits of a difference hash followed by 256 of a DCT hash (as Python's ImageHash makes them). Every
// card that has a fingerprint is compared: whether the nearest is near enough is the caller's to judge.
func (s *Service) ByFingerprint(ctx context.Context, hash [64]byte, limit int) ([]FingerprintMatch, error) {
	const query = `SELECT ` + cardColumns + `, f.distance FROM (
			SELECT card_id, bit_count(hash # $1::bit(512)) AS distance FROM catalog_fingerprints
			ORDER BY distance, card_id LIMIT $2) f
		JOIN catalog_cards c ON c.id = f.card_id ORDER BY f.distance, c.id`
	var rows []struct {
		cardRow
		Distance int `db:"distance"`
	}
	if err := s.db.Select(ctx, &rows, query, bits(hash), limit); err != nil {
		return nil, fmt.Errorf("catalog.ByFingerprint: %w", err)
	}
	list := make([]FingerprintMatch, len(rows))
	for i, row := range rows {
		list[i] = FingerprintMatch{Card: row.card(), Distance: row.Distance}
	}
	return list, nil
}

// bits returns a hash as PostgreSQL reads a bit string: 512 characters 0 or 1.
func bits(hash [64]byte) string {
	var text strings.Builder
	text.Grow(8 * len(hash))
	for _, b := range hash {
		fmt.Fprintf(&text, "%08b", b)
	}
	return text.String()
}

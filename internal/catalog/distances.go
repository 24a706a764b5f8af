package catalog

import (
	"context"
	"fmt"

	"github.com/lib/pq"
)

// Distances returns the distances of a hash, as of ByFingerprint, from the fingerprints of the cards with these
// identifiers. It has no entry for a card without a fingerprint.
func (s *Service) Distances(ctx context.Context, hash [64]byte, ids []string) (map[string]int, error) {
	var rows []struct {
		ID       string `db:"card_id"`
		Distance int    `db:"distance"`
	}
	err := s.db.Select(ctx, &rows, `
		SELECT card_id, bit_count(hash # $1::bit(512)) AS distance FROM catalog_fingerprints WHERE card_id = ANY($2)`,
		Bits(hash), pq.Array(ids))
	if err != nil {
		return nil, fmt.Errorf("catalog.Distances: %w", err)
	}
	found := make(map[string]int, len(rows))
	for _, row := range rows {
		found[row.ID] = row.Distance
	}
	return found, nil
}

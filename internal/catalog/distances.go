package catalog

import (
	"context"
	"fmt"
)

// Distances returns the distances of a hash, as of ByFingerprint, from the fingerprints of the cards with these
// identifiers. It has no entry for a card without a fingerprint.
func (s *Service) Distances(ctx context.Context, hash [64]byte, ids []string) (map[string]int, error) {
	index, err := s.fingerprints.current(ctx)
	if err != nil {
		return nil, fmt.Errorf("compare fingerprints: %w", err)
	}
	return index.distances(hash, ids), nil
}

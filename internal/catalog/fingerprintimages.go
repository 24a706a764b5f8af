package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// ImageVersion distinguishes the versions of an image file, as far as its size and time of modification do.
type ImageVersion struct {
	Size     int64     // in bytes
	Modified time.Time // to the microsecond
}

// Fingerprint is the fingerprint of a card, computed from an image file.
type Fingerprint struct {
	CardID string
	Hash   [64]byte
	Image  ImageVersion
}

// FingerprintImages returns the image versions of the fingerprints of the cards with these identifiers. The version is
// zero if the card has no fingerprint or an imported one. The result has no entry for an identifier that is not in the
// catalogue.
func (s *Service) FingerprintImages(ctx context.Context, ids []string) (map[string]ImageVersion, error) {
	var rows []struct {
		ID       string     `db:"id"`
		Size     int64      `db:"size"`
		Modified *time.Time `db:"modified"`
	}
	err := s.db.Select(ctx, &rows, `
		SELECT c.id, coalesce(f.image_size, 0) AS size, f.image_modified AS modified
		FROM catalog_cards c LEFT JOIN catalog_fingerprints f ON f.card_id = c.id WHERE c.id = ANY($1)`, pq.Array(ids))
	if err != nil {
		return nil, fmt.Errorf("load fingerprint images: %w", err)
	}
	versions := make(map[string]ImageVersion, len(rows))
	for _, row := range rows {
		version := ImageVersion{Size: row.Size}
		if row.Modified != nil {
			version.Modified = row.Modified.UTC()
		}
		versions[row.ID] = version
	}
	return versions, nil
}

// SaveFingerprints inserts or replaces the fingerprints of cards, which must differ, in one transaction. It leaves out
// cards that are not in the catalogue. It waits while an import runs.
func (s *Service) SaveFingerprints(ctx context.Context, list []Fingerprint) error {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Fingerprint) int { return cmp.Compare(a.CardID, b.CardID) })
	var ids, hashes, times pq.StringArray
	var sizes pq.Int64Array
	for _, f := range list {
		ids, hashes = append(ids, f.CardID), append(hashes, Bits(f.Hash))
		sizes, times = append(sizes, f.Image.Size), append(times, timestamp.Format(f.Image.Modified))
	}
	ctx = postgres.WithStatementTimeout(ctx, importTimeout)
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(importLock)); err != nil {
			return err
		}
		result, err := tx.Exec(ctx, `
			INSERT INTO catalog_fingerprints (card_id, hash, image_size, image_modified)
			SELECT i.id, i.hash::bit(512), i.size, i.modified
			FROM unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[]) AS i (id, hash, size, modified)
			JOIN catalog_cards c ON c.id = i.id
			ON CONFLICT (card_id) DO UPDATE SET hash = excluded.hash, image_size = excluded.image_size,
				image_modified = excluded.image_modified`, ids, hashes, sizes, times)
		if err != nil {
			return err
		}
		if n, _ := result.RowsAffected(); n == 0 { // does not fail with lib/pq
			return nil
		}
		return incrementVersion(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("save fingerprints: %w", err)
	}
	return nil
}

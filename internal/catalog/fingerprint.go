package catalog

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/cardvault/cardvault/internal/postgres"
)

// importFingerprints imports the fingerprints of cards that the catalogue has.
func (j importJob) importFingerprints(ctx context.Context, tx *postgres.Tx) (Report, error) {
	var report Report
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(importLock)); err != nil {
		return report, err
	}
	const create = `
		CREATE TEMP TABLE fingerprint_import (ordinal integer, line integer, card_id text COLLATE "C", hash bit(512))
		ON COMMIT DROP`
	if _, err := tx.Exec(ctx, create); err != nil {
		return report, err
	}
	columns := []string{"ordinal", "line", "card_id", "hash"}
	err := j.copyRows(ctx, tx, &report, "fingerprint_import", columns, func(out *sink) error {
		return j.parseFile(out, parseFingerprints)
	})
	if err != nil {
		return report, err
	}
	return report, mergeFingerprints(ctx, tx, &report)
}

// parseFingerprints parses {"<card id>": {"name": …, "hash": "<128 hexadecimal digits>"}, …}.
func parseFingerprints(f *file, out *sink) error {
	return eachMember(&f.source, func(line int, id string, value json.RawMessage) error {
		var entry struct {
			Hash string `json:"hash"`
		}
		if err := json.Unmarshal(value, &entry); err != nil {
			return out.skip("", line, fmt.Sprintf("the entry of %q is not an object with a hash", id))
		}
		hash, err := hex.DecodeString(entry.Hash)
		if err != nil || len(hash) != 64 {
			return out.skip("", line, fmt.Sprintf("the hash of %q is not 128 hexadecimal digits", id))
		}
		return out.row([]any{out.rows, line, clean(id), Bits([64]byte(hash))})
	})
}

// mergeFingerprints merges fingerprint_import into catalog_fingerprints. As usual in JSON, the last member with an
// identifier counts.
func mergeFingerprints(ctx context.Context, tx *postgres.Tx, report *Report) error {
	repeats := 0
	for _, statement := range []struct {
		count *int
		query string
	}{
		{&repeats, `DELETE FROM fingerprint_import r USING
				(SELECT card_id, max(ordinal) AS last FROM fingerprint_import GROUP BY card_id HAVING count(*) > 1) f
			WHERE r.card_id = f.card_id AND r.ordinal < f.last`},
		{&report.Unmatched, `DELETE FROM fingerprint_import i
			WHERE NOT EXISTS (SELECT FROM catalog_cards c WHERE c.id = i.card_id)`},
		{&report.Updated, `UPDATE catalog_fingerprints f
			SET hash = i.hash, image_size = NULL, image_modified = NULL FROM fingerprint_import i
			WHERE i.card_id = f.card_id AND i.hash <> f.hash`},
		{&report.Inserted, `INSERT INTO catalog_fingerprints (card_id, hash)
			SELECT i.card_id, i.hash FROM fingerprint_import i
			WHERE NOT EXISTS (SELECT FROM catalog_fingerprints f WHERE f.card_id = i.card_id)`},
	} {
		result, err := tx.Exec(ctx, statement.query)
		if err != nil {
			return err
		}
		rows, _ := result.RowsAffected() // does not fail with lib/pq
		*statement.count = int(rows)
	}
	report.Skipped += report.Unmatched + repeats
	report.Unchanged = report.Read - report.Skipped - report.Updated - report.Inserted
	if _, err := tx.Exec(ctx, `ANALYZE catalog_fingerprints`); err != nil {
		return err
	}
	if report.Updated+report.Inserted == 0 {
		return nil
	}
	return incrementVersion(ctx, tx)
}

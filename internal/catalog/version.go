package catalog

import (
	"context"

	"github.com/cardvault/cardvault/internal/postgres"
)

// currentVersion returns the version of the catalogue. Data that was read in an earlier version can be out of date.
func currentVersion(ctx context.Context, db *postgres.DB) (version int64, err error) {
	err = db.Get(ctx, &version, `SELECT version FROM catalog_version WHERE only_row`)
	return version, err
}

// incrementVersion makes all processes read the catalogue again after the commit. A transaction that changes
// catalog_cards or catalog_fingerprints calls it last, because the row is locked until the commit.
func incrementVersion(ctx context.Context, tx *postgres.Tx) error {
	_, err := tx.Exec(ctx, `UPDATE catalog_version SET version = version + 1 WHERE only_row`)
	return err
}

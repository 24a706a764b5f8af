package main

import (
	"context"
	"fmt"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/collation"
	"github.com/cardvault/cardvault/internal/postgres"
)

// fill writes the batches and cards of the owners as if they had been imported over the last two years: box by box, the
// owners in turn, so that the rows of an account are spread over the disk.
func fill(ctx context.Context, db *postgres.DB, owners []string) error {
	indexes, err := dropIndexes(ctx, db)
	if err != nil {
		return err
	}
	boxes := newBoxes(owners)
	err = db.InTx(ctx, func(tx *postgres.Tx) error {
		// The order that rows take in the statement is the one that they will have on disk.
		if err := tx.CopyIn(ctx, "batches", batchColumns, boxes.batches()); err != nil {
			return err
		}
		if err := tx.CopyIn(ctx, "cards", cardColumns, boxes.cards()); err != nil {
			return err
		}
		for _, table := range []string{
			`INSERT INTO card_changes SELECT account_id, id, updated_at FROM cards`,
			`INSERT INTO card_prices
			SELECT account_id, id, coalesce(asking_currency || lpad(asking_amount::text, 11, '0'), '') FROM cards`,
		} {
			if _, err := tx.Exec(ctx, table); err != nil {
				return err
			}
		}
		return fillSearch(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	return createIndexes(ctx, db, indexes)
}

// fillSearch writes card_search, with the keys of the titles, which are few.
func fillSearch(ctx context.Context, tx *postgres.Tx) error {
	var titles []string
	if err := tx.Select(ctx, &titles, `SELECT DISTINCT title FROM cards WHERE title IS NOT NULL`); err != nil {
		return err
	}
	keys := make([][]byte, len(titles))
	for i, title := range titles {
		keys[i] = collation.Key(title)
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO card_search (account_id, card_id, searched, title_key, title_order, keyed)
		SELECT account_id, id, searched, title_key, title_order,
			hashtextextended((title_key || E'\n' || searched) COLLATE "C", 1)
		FROM (
			SELECT account_id, id, concat_ws(E'\n', title, number, set, sku, external_id) AS searched,
				left(lower(coalesce(title, '')), 80) AS title_key, coalesce(k.title_order, '') AS title_order
			FROM cards LEFT JOIN unnest($1::text[], $2::bytea[]) AS k (title, title_order) USING (title)) AS c`,
		pq.Array(titles), pq.ByteaArray(keys))
	return err
}

// dropIndexes drops all indexes of cards and its derived tables but the primary keys, and returns the statements that
// create them again. Building them once is many times faster than updating them for a million rows.
func dropIndexes(ctx context.Context, db *postgres.DB) (definitions []string, err error) {
	var indexes []struct {
		Name       string `db:"indexname"`
		Definition string `db:"indexdef"`
	}
	err = db.Select(ctx, &indexes, `
		SELECT indexname, indexdef FROM pg_indexes
		WHERE schemaname = current_schema() AND tablename IN ('cards', 'card_changes', 'card_prices', 'card_search')
			AND indexname NOT LIKE '%\_pkey'`)
	if err != nil {
		return nil, err
	}
	for _, index := range indexes {
		if _, err := db.Exec(ctx, `DROP INDEX `+index.Name); err != nil {
			return nil, err
		}
		definitions = append(definitions, index.Definition)
	}
	return definitions, nil
}

func createIndexes(ctx context.Context, db *postgres.DB, definitions []string) error {
	return db.InTx(ctx, func(tx *postgres.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL maintenance_work_mem = '512MB'`); err != nil {
			return err
		}
		for _, definition := range definitions {
			if _, err := tx.Exec(ctx, definition); err != nil {
				return err
			}
		}
		return nil
	})
}

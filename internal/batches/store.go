package batches

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

const columns = `account_id, id, name, description, status, card_count, completed_at, version, created_at, updated_at`

func find(ctx context.Context, q postgres.Querier, accountID, batchID string) (Batch, error) {
	var b Batch
	err := q.Get(ctx, &b, `SELECT `+columns+` FROM batches WHERE account_id = $1 AND id = $2`, accountID, batchID)
	if errors.Is(err, sql.ErrNoRows) {
		return Batch{}, NotFound()
	}
	if err != nil {
		return Batch{}, fmt.Errorf("load batch: %w", err)
	}
	return b, nil
}

// findMany returns the batches of the account in any order, without those that do not exist.
func findMany(ctx context.Context, q postgres.Querier, accountID string, ids []string) (rows []Batch, err error) {
	err = q.Select(ctx, &rows, `SELECT `+columns+` FROM batches WHERE account_id = $1 AND id = ANY($2)`,
		accountID, pq.Array(ids))
	if err != nil {
		return nil, fmt.Errorf("load batches: %w", err)
	}
	return rows, nil
}

// list reads one page of batches.
func list(ctx context.Context, db *postgres.DB, accountID string, f Filter, after *paging.Position, size int) (
	read paging.Read[Batch], err error) {
	l := paging.List{
		Columns: columns, Table: "batches", Sort: paging.ByTime("created_at"), ID: "id", Account: accountID,
		Since: f.UpdatedSince,
	}
	if f.UpdatedSince != nil {
		l.Sort = paging.ByTime("updated_at")
	}
	if f.Status != nil {
		l.Filter = append(l.Filter, paging.Where("status = ?", string(*f.Status)))
	}
	var rows []struct {
		Batch
		paging.Scanned
	}
	if err := paging.Select(ctx, db, &rows, l, after, size); err != nil {
		return read, fmt.Errorf("list batches: %w", err)
	}
	for _, r := range rows {
		read.Add(r.Batch, r.Scanned)
	}
	return read, nil
}

func insert(ctx context.Context, tx *postgres.Tx, b Batch) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO batches (account_id, id, name, description, status, card_count, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		b.AccountID, b.ID, b.Name, b.Description, string(b.Status), b.CardCount, b.Version, b.CreatedAt, b.UpdatedAt)
	return err
}

func update(ctx context.Context, tx *postgres.Tx, b Batch) error {
	_, err := tx.Exec(ctx, `
		UPDATE batches SET name = $3, description = $4, status = $5, card_count = $6, completed_at = $7, version = $8,
			updated_at = $9
		WHERE account_id = $1 AND id = $2`,
		b.AccountID, b.ID, b.Name, b.Description, string(b.Status), b.CardCount, b.CompletedAt, b.Version, b.UpdatedAt)
	return err
}

package batches

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/cardvault/cardvault/internal/page"
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
		return Batch{}, fmt.Errorf("batches.find: %w", err)
	}
	return b, nil
}

// list reads a page, and one row more that shows whether there is another.
func list(ctx context.Context, q postgres.Querier, accountID string, f Filter, after *page.Position, size int) ([]Batch, error) {
	where := page.Where("account_id = ?", accountID)
	if f.Status != nil {
		where.And("status = ?", string(*f.Status))
	}
	text, args := where.Keyset(`SELECT `+columns+` FROM batches`, f.UpdatedSince, after, size)
	var found []Batch
	if err := q.Select(ctx, &found, text, args...); err != nil {
		return nil, fmt.Errorf("batches.list: %w", err)
	}
	return found, nil
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
		UPDATE batches SET status = $3, card_count = $4, completed_at = $5, version = $6, updated_at = $7
		WHERE account_id = $1 AND id = $2`,
		b.AccountID, b.ID, string(b.Status), b.CardCount, b.CompletedAt, b.Version, b.UpdatedAt)
	return err
}

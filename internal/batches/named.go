package batches

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// MaxName is the maximum length of a batch's name, in characters (openapi/v1.yaml).
const MaxName = 120

// CheckName returns an invalid_request error unless name is a valid batch name.
func CheckName(name string) error {
	switch n := utf8.RuneCountInString(name); {
	case n > MaxName || blank.Is(name):
		return fault.Invalid("name", "must have 1 to %d characters, not spaces alone", MaxName)
	case !blank.IsLine(name):
		return fault.Invalid("name", "must not contain control characters such as line breaks")
	}
	return nil
}

// OpenNamed returns the identifier of the account's newest open batch of this name. It creates the batch if there is
// none. The transaction must hold the account's clock.
func (s *Service) OpenNamed(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, name string) (string, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	var batchID string
	err := tx.Get(ctx, &batchID, `
		SELECT id FROM batches WHERE account_id = $1 AND name = $2 AND status = $3
		ORDER BY created_at DESC, id DESC LIMIT 1`,
		stamp.AccountID, name, string(Open))
	if err == nil {
		return batchID, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("open batch: %w", err)
	}
	batch := Batch{
		AccountID: stamp.AccountID, ID: id.New(id.Batch, stamp.At), Name: name,
		Status: Open, Version: 1, CreatedAt: stamp.At, UpdatedAt: stamp.At,
	}
	if err := insert(ctx, tx, batch); err != nil {
		return "", fmt.Errorf("open batch: %w", err)
	}
	return batch.ID, nil
}

// Name returns a batch's name, or batch_not_found if the account does not have it.
func (s *Service) Name(ctx context.Context, accountID, batchID string) (string, error) {
	b, err := s.Get(ctx, accountID, batchID)
	return b.Name, err
}

// Names returns the names of the account's batches with these identifiers, by identifier. It leaves out unknown
// identifiers.
func (s *Service) Names(ctx context.Context, accountID string, batchIDs []string) (map[string]string, error) {
	if len(batchIDs) == 0 {
		return nil, nil
	}
	list, err := findMany(ctx, s.db, accountID, batchIDs)
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(list))
	for i := range list {
		names[list[i].ID] = list[i].Name
	}
	return names, nil
}

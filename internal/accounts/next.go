package accounts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Next returns the account after the given one in the order of identifiers, or "" after the last. "" is before the
// first.
func (s *Service) Next(ctx context.Context, after string) (accountID string, err error) {
	err = s.db.Get(ctx, &accountID, `SELECT id FROM accounts WHERE id > $1 ORDER BY id LIMIT 1`, after)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("list next accounts: %w", err)
	}
	return accountID, nil
}

package csvfile

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/waiting"
)

// maxUnfinished is the number of imports that Unfinished returns.
const maxUnfinished = 100

// Unfinished is an accepted import with rows that are not applied yet.
type Unfinished struct {
	ImportID string
	Left     int // cards that are not written yet
	waiting.Waiting
}

// Unfinished returns the first accepted imports of an account that are not finished, in the order in which they were
// accepted.
func (s *Service) Unfinished(ctx context.Context, accountID string) ([]Unfinished, error) {
	var left []struct {
		ImportID string `db:"import_id"`
		Cards    int    `db:"cards"`
	}
	err := s.db.Select(ctx, &left, `
		SELECT i.import_id, coalesce(sum(c.cards), 0) AS cards
		FROM (SELECT account_id, import_id FROM card_imports WHERE account_id = $1 ORDER BY import_id LIMIT $2) AS i
		LEFT JOIN card_import_chunks c ON c.account_id = i.account_id AND c.import_id = i.import_id
		GROUP BY i.import_id ORDER BY i.import_id`, accountID, maxUnfinished)
	if err != nil {
		return nil, fmt.Errorf("read unfinished imports: %w", err)
	}
	ids := make([]string, len(left))
	for i, one := range left {
		ids[i] = one.ImportID
	}
	rows, err := s.imports.Rows(ctx, s.db, accountID, ids...)
	if err != nil {
		return nil, err
	}
	var list []Unfinished
	for _, one := range left {
		if row, ok := rows[one.ImportID]; ok {
			list = append(list, Unfinished{one.ImportID, one.Cards, row.Waiting()})
		}
	}
	return list, nil
}

// Waiting returns why an accepted import of the account waits, or nil if it is finished.
func (s *Service) Waiting(ctx context.Context, accountID, importID string) (*waiting.Waiting, error) {
	return s.imports.Waiting(ctx, s.db, accountID, importID)
}

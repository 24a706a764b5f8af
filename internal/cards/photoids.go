package cards

import (
	"context"
	"fmt"

	"github.com/lib/pq"
)

// PhotoIDs returns the photos of at most limit cards after the one given, in the order of identifiers,
// and the last of these cards; "" if there is none. It is for what goes through a whole inventory.
func (s *Service) PhotoIDs(
	ctx context.Context, accountID, after string, limit int,
) (ids []string, last string, err error) {
	var found []struct {
		ID     string         `db:"id"`
		Photos pq.StringArray `db:"photos"`
	}
	err = s.db.Select(ctx, &found, `
		SELECT id, ARRAY(SELECT photo ->> 'id' FROM jsonb_array_elements(photos) AS photo) AS photos
		FROM cards WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`, accountID, after, limit)
	if err != nil {
		return nil, "", fmt.Errorf("cards.PhotoIDs: %w", err)
	}
	for _, f := range found {
		ids, last = append(ids, f.Photos...), f.ID
	}
	return ids, last, nil
}

package cards

import (
	"context"
	"fmt"

	"github.com/lib/pq"
)

// PhotoIDs returns the photos of up to limit cards after the given one, ordered by card id, and the last
// of these cards, or "" if there is none. It includes deleted cards that can come back. Callers use it to iterate over
// all cards of an account.
func (s *Service) PhotoIDs(
	ctx context.Context, accountID, after string, limit int,
) (ids []string, last string, err error) {
	var found []struct {
		ID     string         `db:"id"`
		Photos pq.StringArray `db:"photos"`
	}
	err = s.db.Select(ctx, &found, `
		SELECT id, ARRAY(SELECT photo ->> 'id' FROM jsonb_array_elements(photos) AS photo) AS photos
		FROM (
			(SELECT id, photos FROM cards WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3)
			UNION ALL
			(SELECT card_id, photos FROM deleted_cards WHERE account_id = $1 AND card_id > $2 ORDER BY card_id LIMIT $3)
		) AS all_cards ORDER BY id LIMIT $3`, accountID, after, limit)
	if err != nil {
		return nil, "", fmt.Errorf("list photos: %w", err)
	}
	for _, f := range found {
		ids, last = append(ids, f.Photos...), f.ID
	}
	return ids, last, nil
}

package cards

import (
	"context"
	"fmt"
)

// WithFailedPhotos returns the newest cards with a photo that could not be imported, at most limit. It reads an index
// of such cards.
func (s *Service) WithFailedPhotos(ctx context.Context, accountID string, limit int) ([]Card, error) {
	found, err := query(ctx, s.db, limit, `
		SELECT `+columns+` FROM cards WHERE account_id = $1 AND photos @> '[{"status": "failed"}]'
		ORDER BY created_at DESC, id DESC LIMIT $2`, accountID, limit)
	if err != nil {
		return nil, fmt.Errorf("list failed photos: %w", err)
	}
	return found, nil
}

package listings

import (
	"context"
	"fmt"
	"time"
)

// LatestFailed returns the newest listings that were requested at or after since and did not go live, at most limit.
// It reads an index of such listings.
func (s *Service) LatestFailed(ctx context.Context, accountID string, since time.Time, limit int) ([]Listing, error) {
	var rows []row
	err := s.db.Select(ctx, &rows, `
		SELECT `+columns+` FROM listings WHERE account_id = $1 AND status = 'failed' AND created_at >= $2
		ORDER BY created_at DESC, id DESC LIMIT $3`, accountID, since, limit)
	if err != nil {
		return nil, fmt.Errorf("list failed listings: %w", err)
	}
	failed := make([]Listing, len(rows))
	for i, r := range rows {
		failed[i] = r.listing()
	}
	return failed, nil
}

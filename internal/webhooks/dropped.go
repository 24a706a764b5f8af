package webhooks

import (
	"context"
	"fmt"
	"time"
)

// maxDroppedRead is the number of an account's latest dropped deliveries that are read to find an endpoint's dropped
// deliveries.
const maxDroppedRead = 1000

// LatestDropped returns the deliveries to existing endpoints that were dropped last, at or after since, at most limit.
// They have no attempts. It reads at most maxDroppedRead dropped deliveries of the account by the index of their times,
// because deleting an endpoint drops all that wait for it.
func (s *Log) LatestDropped(
	ctx context.Context, accountID string, since time.Time, limit int,
) ([]LoggedDelivery, error) {
	var rows []Delivery
	err := s.db.Select(ctx, &rows, `
		SELECT r.* FROM (`+selectSQL[Dropped]+`
			WHERE d.account_id = $1 AND d.dropped_at >= $2
			ORDER BY d.dropped_at DESC, d.id DESC LIMIT $3
		) r
		JOIN webhook_endpoints e ON e.account_id = $1 AND e.id = r.endpoint_id AND e.deleted_at IS NULL
		ORDER BY r.finished_at DESC, r.id DESC LIMIT $4`, accountID, since, maxDroppedRead, limit)
	if err != nil {
		return nil, fmt.Errorf("load dropped deliveries: %w", err)
	}
	list, err := s.withEvents(ctx, accountID, rows)
	if err != nil {
		return nil, fmt.Errorf("load dropped deliveries: %w", err)
	}
	return list, nil
}

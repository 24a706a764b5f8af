package webhooks

import (
	"context"
	"fmt"
	"time"
)

// Finished counts the deliveries to an endpoint that were delivered or dropped since a time.
type Finished struct {
	Delivered, Dropped int
	// More is true if there are more deliveries than were read, so that the counts say nothing about the time.
	More bool
}

// CountFinished counts the deliveries to an endpoint that were delivered or dropped since a time. It reads at most
// limit delivered ones, by the index of the endpoint in the partitions of the days since then, and at most limit
// dropped ones of the account. A count that is kept for each endpoint and day would cost a write for each batch of
// results instead.
func (s *Log) CountFinished(
	ctx context.Context, accountID, endpointID string, since time.Time, limit int,
) (Finished, error) {
	var row struct {
		Delivered   int `db:"delivered"`
		Dropped     int `db:"dropped"`
		DroppedRead int `db:"dropped_read"`
	}
	err := s.db.Get(ctx, &row, `
		SELECT d.delivered, x.dropped, x.dropped_read
		FROM (
			SELECT count(*) AS delivered FROM (
				SELECT FROM deliveries_delivered WHERE account_id = $1 AND endpoint_id = $2 AND delivered_at >= $3
				LIMIT $4
			) read
		) d, (
			SELECT count(*) FILTER (WHERE endpoint_id = $2) AS dropped, count(*) AS dropped_read FROM (
				SELECT endpoint_id FROM deliveries_dropped WHERE account_id = $1 AND dropped_at >= $3
				ORDER BY dropped_at DESC LIMIT $4
			) read
		) x`, accountID, endpointID, since, limit+1)
	if err != nil {
		return Finished{}, fmt.Errorf("count finished deliveries: %w", err)
	}
	more := row.Delivered > limit || row.DroppedRead > limit
	return Finished{Delivered: row.Delivered, Dropped: row.Dropped, More: more}, nil
}

package cards

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// CountByBatch returns the number of cards by batch and status, without batches that have no cards. It reads all cards
// of the batches, so its result is kept like a summary.
func (s *Service) CountByBatch(
	ctx context.Context, accountID string, batchIDs []string,
) (map[string]map[Status]int64, error) {
	if len(batchIDs) == 0 {
		return nil, nil
	}
	ids := slices.Sorted(slices.Values(batchIDs))
	key := "batches " + accountID + " " + strings.Join(ids, " ")
	summary, err := s.summaries.get(ctx, s.db, accountID, key, func(ctx context.Context) (*Summary, error) {
		return countByBatch(ctx, s.db, accountID, ids)
	})
	if err != nil {
		return nil, err
	}
	counts := map[string]map[Status]int64{}
	for _, group := range summary.Groups {
		batchID, status, _ := strings.Cut(*group.Value, " ")
		if counts[batchID] == nil {
			counts[batchID] = map[Status]int64{}
		}
		counts[batchID][Status(status)] = group.Count
	}
	return counts, nil
}

// countByBatch returns a summary whose groups have a batch and a status, separated by a space, as their value.
func countByBatch(ctx context.Context, db *postgres.DB, accountID string, batchIDs []string) (*Summary, error) {
	var rows []struct {
		BatchID string `db:"batch_id"`
		Status  string `db:"workflow_status"`
		Count   int64  `db:"count"`
	}
	err := db.Select(ctx, &rows, `
		SELECT batch_id, workflow_status, count(*) AS count FROM cards
		WHERE account_id = $1 AND batch_id = ANY($2) GROUP BY 1, 2`, accountID, pq.Array(batchIDs))
	if err != nil {
		return nil, fmt.Errorf("count cards by batch: %w", err)
	}
	summary := &Summary{}
	for _, row := range rows {
		value := row.BatchID + " " + row.Status
		summary.Groups = append(summary.Groups, Group{&value, Totals{Count: row.Count}})
	}
	return summary, nil
}

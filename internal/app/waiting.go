package app

import (
	"cmp"
	"context"
	"slices"

	"github.com/cardvault/cardvault/internal/queue"
)

// StuckWork is background work that fails or that no worker takes.
type StuckWork struct {
	Queue string `json:"queue"`
	queue.Row
}

// Stuck returns background work whose last attempt failed or that no worker has claimed for a minute: the longest
// waiting first, at most limit. "" means the work of all accounts.
func (a *App) Stuck(ctx context.Context, s *Services, accountID string, limit int) ([]StuckWork, error) {
	var list []StuckWork
	for _, q := range a.queuesOf(s, a.CSVFiles()) {
		rows, err := q.Stuck(ctx, a.DB, accountID, limit)
		if err != nil {
			return nil, err
		}
		list = appendStuck(list, q.Name(), rows)
	}
	archives, err := s.Exports.Stuck(ctx, accountID, limit)
	if err != nil {
		return nil, err
	}
	list = appendStuck(list, "account_exports", archives)
	slices.SortStableFunc(list, func(x, y StuckWork) int {
		return cmp.Or(x.Since.Compare(y.Since), cmp.Compare(x.AccountID, y.AccountID), cmp.Compare(x.Key, y.Key))
	})
	return list[:min(len(list), limit)], nil
}

func appendStuck(list []StuckWork, name string, rows []queue.Row) []StuckWork {
	for _, row := range rows {
		list = append(list, StuckWork{name, row})
	}
	return list
}

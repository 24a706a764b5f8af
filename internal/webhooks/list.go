package webhooks

import (
	"context"
	"fmt"
	"slices"

	"github.com/cardvault/cardvault/internal/page"
)

// Endpoints returns a page of the account's endpoints, newest first. It reads all endpoints, MaxEndpoints at most.
func (s *Log) Endpoints(ctx context.Context, accountID string, p page.Request) (page.Page[Endpoint], error) {
	var none page.Page[Endpoint]
	scope := "webhooks " + accountID
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return none, err
	}
	all, err := SelectEndpoints(ctx, s.db, accountID)
	if err != nil {
		return none, fmt.Errorf("list endpoints: %w", err)
	}
	var read page.Read[Endpoint]
	for _, e := range slices.Backward(all) {
		if after == nil || e.ID < after.ID {
			read.Add(e, page.Scanned{Included: true})
		}
	}
	return page.Cut(s.cursors, scope, read, p.Size(), func(e Endpoint) page.Position {
		return page.Position{At: e.CreatedAt, ID: e.ID}
	}), nil
}

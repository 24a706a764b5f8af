package webhooks

import (
	"context"
	"fmt"
	"slices"

	"github.com/cardvault/cardvault/internal/paging"
)

// Endpoints returns a page of the account's endpoints, newest first. It reads all endpoints, MaxEndpoints at most.
func (s *Log) Endpoints(ctx context.Context, accountID string, p paging.Request) (paging.Page[Endpoint], error) {
	var none paging.Page[Endpoint]
	scope := "webhooks " + accountID
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return none, err
	}
	all, err := SelectEndpoints(ctx, s.db, accountID)
	if err != nil {
		return none, fmt.Errorf("list endpoints: %w", err)
	}
	var read paging.Read[Endpoint]
	for _, e := range slices.Backward(all) {
		if after == nil || e.ID < after.ID {
			read.Add(e, paging.Scanned{Included: true})
		}
	}
	return paging.Cut(s.cursors, scope, read, p.Size(), func(e Endpoint) paging.Position {
		return paging.Position{At: e.CreatedAt, ID: e.ID}
	}), nil
}

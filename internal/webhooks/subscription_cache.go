package webhooks

import (
	"context"
	"slices"
	"sync"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/postgres"
)

// accountsKnown bounds how many accounts' endpoints are remembered. Past it all are forgotten, which
// costs each account one look.
const maxCachedAccounts = 10_000

// subscribers remembers the endpoints of accounts that write. It is exact, not nearly so: the stamp of
// every write says which version of the account's endpoints holds until the write commits.
type subscriptionCache struct {
	mu        sync.RWMutex
	byAccount map[string]subscription
}

// subscription is an account's endpoints at a version.
type subscription struct {
	version   int64
	endpoints []Endpoint
}

// of returns the account's endpoints. stamp must come from tx.
func (s *subscriptionCache) endpoints(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp) ([]Endpoint, error) {
	s.mu.RLock()
	known, ok := s.byAccount[stamp.AccountID]
	s.mu.RUnlock()
	if ok && known.version == stamp.EndpointsVersion {
		return known.endpoints, nil
	}
	list, err := selectEndpoints(ctx, tx, stamp.AccountID)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byAccount == nil || len(s.byAccount) >= maxCachedAccounts {
		s.byAccount = map[string]subscription{}
	}
	s.byAccount[stamp.AccountID] = subscription{stamp.EndpointsVersion, list}
	return list, nil
}

// wants reports whether the endpoint gets events of this kind.
func (e Endpoint) wants(kind events.Kind) bool {
	return len(e.Events) == 0 || slices.Contains(e.Events, kind)
}

package delivery

import (
	"context"
	"sync"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// maxCachedAccounts limits the cached accounts. The cache is cleared when it is full; each account is then read once
// more.
const maxCachedAccounts = 10_000

// subscriptionCache caches the endpoints of accounts. It never returns outdated endpoints: the stamp of a write
// contains the version of the account's endpoints, which cannot change until the write commits.
type subscriptionCache struct {
	mu        sync.RWMutex
	byAccount map[string]subscription
}

// subscription is a version of an account's endpoints.
type subscription struct {
	version   int64
	endpoints []webhooks.Endpoint
}

// endpoints returns the account's endpoints. stamp must be of transaction tx.
func (s *subscriptionCache) endpoints(ctx context.Context, tx *postgres.Tx,
	stamp clock.Stamp) ([]webhooks.Endpoint, error) {
	s.mu.RLock()
	entry, ok := s.byAccount[stamp.AccountID]
	s.mu.RUnlock()
	if ok && entry.version == stamp.EndpointsVersion {
		return entry.endpoints, nil
	}
	list, err := webhooks.SelectEndpoints(ctx, tx, stamp.AccountID)
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

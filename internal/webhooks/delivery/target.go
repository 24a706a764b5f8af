package delivery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// target holds an endpoint's data for attempts.
type target struct {
	version time.Time // the endpoint's updated_at
	url     string
	secrets []webhooks.Key // the current one first, then the previous ones, newest first
}

// keys returns the secrets that sign at time now.
func (t *target) keys(now time.Time) [][]byte {
	keys := make([][]byte, 0, len(t.secrets))
	for _, key := range t.secrets {
		if key.Signs(now) {
			keys = append(keys, key.Secret)
		}
	}
	return keys
}

// loadTarget returns the target of an endpoint, or nil if the endpoint is disabled or deleted.
func loadTarget(ctx context.Context, db postgres.Querier, keys *keyring.Keyring, key webhooks.EndpointKey,
	now time.Time) (*target, error) {
	var row struct {
		URL       string    `db:"url"`
		UpdatedAt time.Time `db:"updated_at"`
		webhooks.SecretRow
	}
	err := db.Get(ctx, &row, `
		SELECT url, updated_at, `+webhooks.SecretColumns+` FROM webhook_endpoints
		WHERE account_id = $1 AND id = $2 AND enabled AND deleted_at IS NULL`, key.Account, key.Endpoint)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("load target: %w", err)
	}
	t := &target{version: row.UpdatedAt, url: row.URL}
	if t.secrets, err = row.Keys(keys, key, now); err != nil {
		return nil, fmt.Errorf("load target: %w", err)
	}
	return t, nil
}

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

// target holds what an attempt needs to know of the endpoint.
type target struct {
	version       time.Time // the endpoint's updated_at
	url           string
	secret        []byte
	previous      []byte // nil if there is none
	previousUntil time.Time
}

// keys returns the secrets that sign at time now, the current one first.
func (t *target) keys(now time.Time) [][]byte {
	if t.previous != nil && now.Before(t.previousUntil) {
		return [][]byte{t.secret, t.previous}
	}
	return [][]byte{t.secret}
}

// loadTarget returns the target of an endpoint, or nil if the endpoint is disabled or deleted.
func loadTarget(ctx context.Context, db postgres.Querier, keys *keyring.Keyring, key webhooks.EndpointKey,
	now time.Time) (*target, error) {
	var row struct {
		URL               string     `db:"url"`
		UpdatedAt         time.Time  `db:"updated_at"`
		Secret            []byte     `db:"secret"`
		SecretKeyID       string     `db:"secret_key_id"`
		PreviousSecret    []byte     `db:"previous_secret"`
		PreviousKeyID     *string    `db:"previous_key_id"`
		PreviousExpiresAt *time.Time `db:"previous_expires_at"`
	}
	err := db.Get(ctx, &row, `
		SELECT url, updated_at, secret, secret_key_id, previous_secret, previous_key_id, previous_expires_at
		FROM webhook_endpoints
		WHERE account_id = $1 AND id = $2 AND enabled AND deleted_at IS NULL`, key.Account, key.Endpoint)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("delivery.loadTarget: %w", err)
	}
	t := &target{version: row.UpdatedAt, url: row.URL}
	if t.secret, err = keys.Decrypt(keyring.Sealed{KeyID: row.SecretKeyID, Data: row.Secret}, key.Owner()); err != nil {
		return nil, errors.Join(webhooks.ErrUndecryptable, err)
	}
	if row.PreviousKeyID == nil || row.PreviousExpiresAt == nil || !now.Before(*row.PreviousExpiresAt) {
		return t, nil // do not decrypt an expired secret: its key may have been removed
	}
	if t.previous, err = keys.Decrypt(keyring.Sealed{KeyID: *row.PreviousKeyID, Data: row.PreviousSecret},
		key.Owner()); err != nil {
		return nil, errors.Join(webhooks.ErrUndecryptable, err)
	}
	t.previousUntil = *row.PreviousExpiresAt
	return t, nil
}

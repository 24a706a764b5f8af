package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

// target is where and how an endpoint's deliveries are sent.
type target struct {
	version       time.Time // the endpoint's updated_at
	url           string
	secret        []byte
	previous      []byte // nil: none
	previousUntil time.Time
}

// keys returns the secrets that sign at now, the current one first.
func (t *target) keys(now time.Time) [][]byte {
	if t.previous != nil && now.Before(t.previousUntil) {
		return [][]byte{t.secret, t.previous}
	}
	return [][]byte{t.secret}
}

// errUnusable says that an endpoint's secret cannot be opened.
var errUndecryptable = errors.New("webhooks: unusable endpoint")

// loadTarget returns what it takes to send to an endpoint from now on, nil if it is disabled or deleted.
func loadTarget(ctx context.Context, db postgres.Querier, keys *Keyring, key endpointKey, now time.Time) (*target, error) {
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
		WHERE account_id = $1 AND id = $2 AND enabled AND deleted_at IS NULL`, key.account, key.endpoint)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("webhooks.loadTarget: %w", err)
	}
	t := &target{version: row.UpdatedAt, url: row.URL}
	if t.secret, err = keys.decrypt(encryptedSecret{row.SecretKeyID, row.Secret}, key); err != nil {
		return nil, errors.Join(errUndecryptable, err)
	}
	if row.PreviousKeyID == nil || row.PreviousExpiresAt == nil || !now.Before(*row.PreviousExpiresAt) {
		return t, nil // one that signs no more need not be opened: its key may be gone
	}
	if t.previous, err = keys.decrypt(encryptedSecret{*row.PreviousKeyID, row.PreviousSecret}, key); err != nil {
		return nil, errors.Join(errUndecryptable, err)
	}
	t.previousUntil = *row.PreviousExpiresAt
	return t, nil
}

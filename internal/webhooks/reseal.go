package webhooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Resealed says what Reseal found.
type Resealed struct {
	Resealed int `json:"resealed"` // endpoints whose secrets are now under the current key
	Current  int `json:"current"`  // endpoints whose secrets were already
}

// resealBatch is how many endpoints are read at a time.
const resealBatch = 200

// Reseal encrypts the secrets of every account's endpoints with the keyring's current key, so that
// older keys can be taken away afterwards. Previous secrets whose grace is over are erased. It may be
// repeated and interrupted, and endpoints may be rotated meanwhile. An error joins those of endpoints
// whose secrets cannot be opened; the others are done.
func (s *Endpoints) Reseal(ctx context.Context) (Resealed, error) {
	var done Resealed
	var failed []error
	after := laneKey{}
	for {
		batch, err := selectSealed(ctx, s.db, after, resealBatch)
		if err != nil {
			return done, fmt.Errorf("webhooks.Reseal: %w", err)
		}
		for _, row := range batch {
			after = laneKey{row.AccountID, row.ID}
			changed, err := s.reseal(ctx, row, s.clock.Time())
			switch {
			case errors.Is(err, errUnusable):
				failed = append(failed, err)
			case err != nil:
				return done, fmt.Errorf("webhooks.Reseal: %w", err)
			case changed:
				done.Resealed++
			default:
				done.Current++
			}
		}
		if len(batch) < resealBatch {
			return done, errors.Join(failed...)
		}
	}
}

// reseal does one endpoint and reports whether there was something to do.
func (s *Endpoints) reseal(ctx context.Context, row sealedRow, now time.Time) (changed bool, err error) {
	key := laneKey{row.AccountID, row.ID}
	next := row
	if row.PreviousExpiresAt != nil && !now.Before(*row.PreviousExpiresAt) {
		next.PreviousSecret, next.PreviousKeyID, next.PreviousExpiresAt = nil, nil, nil
	}
	if next.SecretKeyID, next.Secret, err = s.keys.reseal(row.SecretKeyID, row.Secret, key); err != nil {
		return false, err
	}
	if next.PreviousKeyID != nil {
		keyID, secret, err := s.keys.reseal(*next.PreviousKeyID, next.PreviousSecret, key)
		if err != nil {
			return false, err
		}
		next.PreviousKeyID, next.PreviousSecret = &keyID, secret
	}
	if next.SecretKeyID == row.SecretKeyID && (next.PreviousKeyID == nil) == (row.PreviousKeyID == nil) &&
		(row.PreviousKeyID == nil || *next.PreviousKeyID == *row.PreviousKeyID) {
		return false, nil
	}
	return true, updateSealed(ctx, s.db, row.Secret, next)
}

// reseal returns the secret under the current key, as it was if it is already.
func (r *Keyring) reseal(keyID string, data []byte, owner laneKey) (string, []byte, error) {
	if keyID == r.current {
		return keyID, data, nil
	}
	secret, err := r.open(sealed{keyID, data}, owner)
	if err != nil {
		return "", nil, errors.Join(errUnusable, err)
	}
	again := r.seal(string(secret), owner)
	return again.keyID, again.data, nil
}

// sealedRow is an endpoint's secrets as stored.
type sealedRow struct {
	AccountID         string     `db:"account_id"`
	ID                string     `db:"id"`
	Secret            []byte     `db:"secret"`
	SecretKeyID       string     `db:"secret_key_id"`
	PreviousSecret    []byte     `db:"previous_secret"`
	PreviousKeyID     *string    `db:"previous_key_id"`
	PreviousExpiresAt *time.Time `db:"previous_expires_at"`
}

// selectSealed returns the secrets of the next endpoints after this one, of all accounts.
func selectSealed(ctx context.Context, db postgres.Querier, after laneKey, limit int) ([]sealedRow, error) {
	var rows []sealedRow
	err := db.Select(ctx, &rows, `
		SELECT account_id, id, secret, secret_key_id, previous_secret, previous_key_id, previous_expires_at
		FROM webhook_endpoints
		WHERE (account_id, id) > ($1, $2) AND deleted_at IS NULL
		ORDER BY account_id, id LIMIT $3`, after.account, after.endpoint, limit)
	return rows, err
}

// updateSealed stores resealed secrets, unless the endpoint has been given others since: those are
// under the current key. What the engine knows of the endpoint stays right, so updated_at does too.
func updateSealed(ctx context.Context, db postgres.Querier, was []byte, row sealedRow) error {
	_, err := db.Exec(ctx, `
		UPDATE webhook_endpoints
		SET secret = $4, secret_key_id = $5, previous_secret = $6, previous_key_id = $7, previous_expires_at = $8
		WHERE account_id = $1 AND id = $2 AND secret = $3 AND deleted_at IS NULL`,
		row.AccountID, row.ID, was, row.Secret, row.SecretKeyID, row.PreviousSecret, row.PreviousKeyID, row.PreviousExpiresAt)
	return err
}

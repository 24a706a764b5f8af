package webhooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/postgres"
)

// ReencryptResult counts the endpoints that Reencrypt processed.
type ReencryptResult struct {
	Reencrypted int `json:"reencrypted"` // endpoints whose secrets were encrypted again
	Current     int `json:"current"`     // endpoints whose secrets were encrypted with the current key before
}

// reencryptBatch is the number of endpoints per read.
const reencryptBatch = 200

// Reencrypt encrypts the secrets of all endpoints with the keyring's current key, so that older keys can be removed.
// It deletes previous secrets whose grace period is over. It can be interrupted and repeated, and endpoints can be
// rotated while it runs. The error joins the errors of all secrets that cannot be decrypted; the other secrets are
// processed.
func (s *Endpoints) Reencrypt(ctx context.Context) (ReencryptResult, error) {
	var done ReencryptResult
	var failed []error
	after := EndpointKey{}
	for {
		batch, err := selectSecrets(ctx, s.db, after, reencryptBatch)
		if err != nil {
			return done, fmt.Errorf("webhooks.Reencrypt: %w", err)
		}
		for _, row := range batch {
			after = EndpointKey{row.AccountID, row.ID}
			changed, err := s.reencrypt(ctx, row, s.clock.Time())
			switch {
			case errors.Is(err, ErrUndecryptable):
				failed = append(failed, err)
			case err != nil:
				return done, fmt.Errorf("webhooks.Reencrypt: %w", err)
			case changed:
				done.Reencrypted++
			default:
				done.Current++
			}
		}
		if len(batch) < reencryptBatch {
			return done, errors.Join(failed...)
		}
	}
}

// reencrypt processes one endpoint and reports whether its row changed.
func (s *Endpoints) reencrypt(ctx context.Context, row secretsRow, now time.Time) (changed bool, err error) {
	key := EndpointKey{row.AccountID, row.ID}
	next := row
	if row.PreviousExpiresAt != nil && !now.Before(*row.PreviousExpiresAt) {
		next.PreviousSecret, next.PreviousKeyID, next.PreviousExpiresAt = nil, nil, nil
	}
	if next.SecretKeyID, next.Secret, err = s.reencryptSecret(row.SecretKeyID, row.Secret, key); err != nil {
		return false, err
	}
	if next.PreviousKeyID != nil {
		keyID, secret, err := s.reencryptSecret(*next.PreviousKeyID, next.PreviousSecret, key)
		if err != nil {
			return false, err
		}
		next.PreviousKeyID, next.PreviousSecret = &keyID, secret
	}
	if next.SecretKeyID == row.SecretKeyID && (next.PreviousKeyID == nil) == (row.PreviousKeyID == nil) &&
		(row.PreviousKeyID == nil || *next.PreviousKeyID == *row.PreviousKeyID) {
		return false, nil
	}
	return true, updateSecrets(ctx, s.db, row.Secret, next)
}

// reencryptSecret returns a stored secret encrypted with the current key.
func (s *Endpoints) reencryptSecret(keyID string, data []byte, key EndpointKey) (string, []byte, error) {
	sealed, err := s.keys.Reencrypt(keyring.Sealed{KeyID: keyID, Data: data}, key.Owner())
	if err != nil {
		return "", nil, errors.Join(ErrUndecryptable, err)
	}
	return sealed.KeyID, sealed.Data, nil
}

// secretsRow holds the stored secrets of an endpoint.
type secretsRow struct {
	AccountID         string     `db:"account_id"`
	ID                string     `db:"id"`
	Secret            []byte     `db:"secret"`
	SecretKeyID       string     `db:"secret_key_id"`
	PreviousSecret    []byte     `db:"previous_secret"`
	PreviousKeyID     *string    `db:"previous_key_id"`
	PreviousExpiresAt *time.Time `db:"previous_expires_at"`
}

// selectSecrets returns the secrets of the next endpoints after the given one, over all accounts.
func selectSecrets(ctx context.Context, db postgres.Querier, after EndpointKey, limit int) ([]secretsRow, error) {
	var rows []secretsRow
	err := db.Select(ctx, &rows, `
		SELECT account_id, id, secret, secret_key_id, previous_secret, previous_key_id, previous_expires_at
		FROM webhook_endpoints
		WHERE (account_id, id) > ($1, $2) AND deleted_at IS NULL
		ORDER BY account_id, id LIMIT $3`, after.Account, after.Endpoint, limit)
	return rows, err
}

// updateSecrets stores re-encrypted secrets unless the endpoint's secret was rotated in the meantime; a rotated
// secret uses the current key. updated_at does not change, because the engine's copy of the endpoint remains valid.
func updateSecrets(ctx context.Context, db postgres.Querier, was []byte, row secretsRow) error {
	_, err := db.Exec(ctx, `
		UPDATE webhook_endpoints
		SET secret = $4, secret_key_id = $5, previous_secret = $6, previous_key_id = $7, previous_expires_at = $8
		WHERE account_id = $1 AND id = $2 AND secret = $3 AND deleted_at IS NULL`,
		row.AccountID, row.ID, was, row.Secret, row.SecretKeyID, row.PreviousSecret, row.PreviousKeyID,
		row.PreviousExpiresAt)
	return err
}

package webhooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
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
	var errs []error
	after := EndpointKey{}
	for {
		batch, err := selectKeys(ctx, s.db, after, reencryptBatch)
		if err != nil {
			return done, fmt.Errorf("re-encrypt secrets: %w", err)
		}
		for _, key := range batch {
			after = key
			changed, err := s.reencrypt(ctx, key, s.clock.Time())
			switch {
			case errors.Is(err, ErrUndecryptable):
				errs = append(errs, err)
			case err != nil:
				return done, fmt.Errorf("re-encrypt secrets: %w", err)
			case changed:
				done.Reencrypted++
			default:
				done.Current++
			}
		}
		if len(batch) < reencryptBatch {
			return done, errors.Join(errs...)
		}
	}
}

// reencrypt processes one endpoint and reports whether its row changed. It locks the row, so that it stores no secret
// that was replaced or has ended. updated_at does not change, because the engine's copy of the endpoint remains valid.
func (s *Endpoints) reencrypt(ctx context.Context, key EndpointKey, now time.Time) (changed bool, err error) {
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		current, err := lockSecrets(ctx, tx, key)
		if fault.Is(err, fault.EndpointNotFound) {
			return nil // deleted in the meantime
		}
		if err != nil {
			return err
		}
		before := len(current.Previous)
		current.removeExpired(now)
		changed = len(current.Previous) != before || !s.keys.Current(current.Current)
		if current.Current, err = s.reencryptSecret(current.Current, key); err != nil {
			return err
		}
		for i := range current.Previous {
			p := &current.Previous[i]
			changed = changed || !s.keys.Current(p.sealed())
			secret, err := s.reencryptSecret(p.sealed(), key)
			if err != nil {
				return err
			}
			p.seal(secret)
		}
		if !changed {
			return nil
		}
		return updateSecrets(ctx, tx, key, current)
	})
	return changed, err
}

// reencryptSecret returns a stored secret encrypted with the current key.
func (s *Endpoints) reencryptSecret(current keyring.Sealed, key EndpointKey) (keyring.Sealed, error) {
	secret, err := s.keys.Reencrypt(current, key.Owner())
	if err != nil {
		return current, errors.Join(ErrUndecryptable, err)
	}
	return secret, nil
}

// selectKeys returns the next endpoints after the given one, over all accounts.
func selectKeys(ctx context.Context, db postgres.Querier, after EndpointKey, limit int) ([]EndpointKey, error) {
	var rows []struct {
		Account  string `db:"account_id"`
		Endpoint string `db:"id"`
	}
	err := db.Select(ctx, &rows, `
		SELECT account_id, id FROM webhook_endpoints
		WHERE (account_id, id) > ($1, $2) AND deleted_at IS NULL
		ORDER BY account_id, id LIMIT $3`, after.Account, after.Endpoint, limit)
	keys := make([]EndpointKey, len(rows))
	for i, row := range rows {
		keys[i] = EndpointKey{row.Account, row.Endpoint}
	}
	return keys, err
}

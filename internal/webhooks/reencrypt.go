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
	var failed []error
	after := EndpointKey{}
	for {
		batch, err := selectKeys(ctx, s.db, after, reencryptBatch)
		if err != nil {
			return done, fmt.Errorf("webhooks.Reencrypt: %w", err)
		}
		for _, key := range batch {
			after = key
			changed, err := s.reencrypt(ctx, key, s.clock.Time())
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

// reencrypt processes one endpoint and reports whether its row changed. The row is locked meanwhile, so that no secret
// is stored that was replaced or ended in the meantime. updated_at does not change, because the engine's copy of the
// endpoint remains valid.
func (s *Endpoints) reencrypt(ctx context.Context, key EndpointKey, now time.Time) (changed bool, err error) {
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		stored, err := lockSecrets(ctx, tx, key)
		if fault.Is(err, fault.EndpointNotFound) {
			return nil // deleted in the meantime
		}
		if err != nil {
			return err
		}
		before := len(stored.Previous)
		stored.removeExpired(now)
		changed = len(stored.Previous) != before || !s.keys.Current(stored.Current)
		if stored.Current, err = s.reencryptSecret(stored.Current, key); err != nil {
			return err
		}
		for i := range stored.Previous {
			p := &stored.Previous[i]
			changed = changed || !s.keys.Current(p.sealed())
			sealed, err := s.reencryptSecret(p.sealed(), key)
			if err != nil {
				return err
			}
			p.seal(sealed)
		}
		if !changed {
			return nil
		}
		return updateSecrets(ctx, tx, key, stored)
	})
	return changed, err
}

// reencryptSecret returns a stored secret encrypted with the current key.
func (s *Endpoints) reencryptSecret(stored keyring.Sealed, key EndpointKey) (keyring.Sealed, error) {
	sealed, err := s.keys.Reencrypt(stored, key.Owner())
	if err != nil {
		return stored, errors.Join(ErrUndecryptable, err)
	}
	return sealed, nil
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

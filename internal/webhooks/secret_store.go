package webhooks

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/postgres"
)

// The newest previous secret has columns of its own, which processes of earlier versions read and write.
const previousColumns = `previous_secret_id, previous_expires_at, older_secrets`

// previousRow are the previous secrets in a row of webhook_endpoints, without the newest one's ciphertext.
type previousRow struct {
	PreviousID        *string    `db:"previous_secret_id"`
	PreviousExpiresAt *time.Time `db:"previous_expires_at"`
	Older             []byte     `db:"older_secrets"` // JSON of a list of sealedSecret, newest first
}

// sealedSecret is an encrypted previous secret.
type sealedSecret struct {
	PreviousSecret
	KeyID string `json:"key_id"`
	Data  []byte `json:"data"`
}

func (s *sealedSecret) sealed() keyring.Sealed { return keyring.Sealed{KeyID: s.KeyID, Data: s.Data} }

func (s *sealedSecret) seal(secret keyring.Sealed) { s.KeyID, s.Data = secret.KeyID, secret.Data }

// newest returns the newest previous secret. An earlier version stored no identifier; the secret then has its
// endpoint's identifier.
func (r previousRow) newest(endpointID string) PreviousSecret {
	p := PreviousSecret{ID: strings.Replace(endpointID, id.Endpoint, id.Secret, 1), ExpiresAt: *r.PreviousExpiresAt}
	if r.PreviousID != nil {
		p.ID = *r.PreviousID
	}
	return p
}

// older returns the previous secrets other than the newest one.
func (r previousRow) older() (list []sealedSecret, err error) {
	if err := json.Unmarshal(r.Older, &list); err != nil {
		return nil, fmt.Errorf("decode older secrets: %w", err)
	}
	return list, nil
}

// previous returns the endpoint's previous secrets, newest first.
func (r previousRow) previous(endpointID string) ([]PreviousSecret, error) {
	list := []PreviousSecret{}
	if r.PreviousExpiresAt != nil {
		list = append(list, r.newest(endpointID))
	}
	older, err := r.older()
	for _, o := range older {
		list = append(list, o.PreviousSecret)
	}
	return list, err
}

// SecretColumns are the columns of a SecretRow.
const SecretColumns = `secret, secret_key_id, previous_secret, previous_key_id, ` + previousColumns

// SecretRow holds the encrypted secrets of a row of webhook_endpoints.
type SecretRow struct {
	Secret         []byte  `db:"secret"`
	SecretKeyID    string  `db:"secret_key_id"`
	PreviousSecret []byte  `db:"previous_secret"`
	PreviousKeyID  *string `db:"previous_key_id"`
	previousRow
}

// secrets are the encrypted secrets of an endpoint.
type secrets struct {
	Current   keyring.Sealed
	Previous  []sealedSecret // newest first
	updatedAt time.Time      // of the endpoint
}

func (r SecretRow) secrets(endpointID string) (secrets, error) {
	s := secrets{Current: keyring.Sealed{KeyID: r.SecretKeyID, Data: r.Secret}}
	if r.PreviousKeyID != nil && r.PreviousExpiresAt != nil {
		s.Previous = append(s.Previous, sealedSecret{r.newest(endpointID), *r.PreviousKeyID, r.PreviousSecret})
	}
	older, err := r.older()
	s.Previous = append(s.Previous, older...)
	return s, err
}

// removeExpired removes the previous secrets whose grace period is over.
func (s *secrets) removeExpired(now time.Time) {
	s.Previous = slices.DeleteFunc(s.Previous, func(p sealedSecret) bool { return !p.Signs(now) })
}

// touch advances the endpoint's time of change, by which the engine detects changes of the endpoint.
func (s *secrets) touch(now time.Time) {
	s.updatedAt = s.updatedAt.Add(time.Microsecond)
	if now.After(s.updatedAt) {
		s.updatedAt = now
	}
}

// Key is a decrypted secret that signs until Until, or without an end if Until is zero.
type Key struct {
	Secret []byte
	Until  time.Time
}

// Signs reports whether the key signs at a time.
func (k Key) Signs(now time.Time) bool { return k.Until.IsZero() || now.Before(k.Until) }

// Keys decrypts the secrets that sign at a time, the current one first. Expired secrets are not decrypted, because
// their key may have been removed. The error is ErrUndecryptable if a secret cannot be decrypted.
func (r SecretRow) Keys(keys *keyring.Keyring, key EndpointKey, now time.Time) ([]Key, error) {
	current, err := r.secrets(key.Endpoint)
	if err != nil {
		return nil, err
	}
	current.removeExpired(now)
	list := make([]Key, 1+len(current.Previous))
	if list[0].Secret, err = keys.Decrypt(current.Current, key.Owner()); err != nil {
		return nil, errors.Join(ErrUndecryptable, err)
	}
	for i, p := range current.Previous {
		list[i+1].Until = p.ExpiresAt
		if list[i+1].Secret, err = keys.Decrypt(p.sealed(), key.Owner()); err != nil {
			return nil, errors.Join(ErrUndecryptable, err)
		}
	}
	return list, nil
}

// lockSecrets returns the secrets of an endpoint and locks its row, so that no other transaction changes them.
func lockSecrets(ctx context.Context, tx *postgres.Tx, key EndpointKey) (secrets, error) {
	var row struct {
		SecretRow
		UpdatedAt time.Time `db:"updated_at"`
	}
	err := tx.Get(ctx, &row, `
		SELECT updated_at, `+SecretColumns+` FROM webhook_endpoints
		WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`, key.Account, key.Endpoint)
	if errors.Is(err, sql.ErrNoRows) {
		return secrets{}, endpointNotFound()
	}
	if err != nil {
		return secrets{}, err
	}
	current, err := row.secrets(key.Endpoint)
	current.updatedAt = row.UpdatedAt
	return current, err
}

// updateSecrets stores the secrets of an endpoint.
func updateSecrets(ctx context.Context, tx *postgres.Tx, key EndpointKey, s secrets) error {
	var newest sealedSecret
	older := []sealedSecret{}
	if len(s.Previous) > 0 {
		newest, older = s.Previous[0], append(older, s.Previous[1:]...)
	}
	text, err := json.Marshal(older)
	if err != nil {
		return fmt.Errorf("encode older secrets: %w", err)
	}
	_, err = tx.Exec(ctx, `
		UPDATE webhook_endpoints
		SET secret = $3, secret_key_id = $4, previous_secret = $5, previous_key_id = nullif($6, ''),
		    previous_secret_id = nullif($7, ''), previous_expires_at = $8, older_secrets = $9, updated_at = $10
		WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`,
		key.Account, key.Endpoint, s.Current.Data, s.Current.KeyID, newest.Data, newest.KeyID, newest.ID,
		nilIfZero(newest.ExpiresAt), string(text), s.updatedAt)
	return err
}

func nilIfZero(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

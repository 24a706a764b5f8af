package webhooks

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// ErrUndecryptable means that an endpoint's secret cannot be decrypted.
var ErrUndecryptable = errors.New("webhooks: cannot decrypt secret")

// DefaultGrace is the default time for which a previous secret continues to sign after a rotation.
const DefaultGrace = 24 * time.Hour

// MaxPreviousSecrets is the maximum number of an endpoint's secrets that were replaced and still sign.
const MaxPreviousSecrets = 4

// Owner returns the owner for which the secrets of the endpoint are encrypted.
func (k EndpointKey) Owner() keyring.Owner { return keyring.Owner{k.Account, k.Endpoint} }

// newSecret returns "whsec_" followed by 32 random bytes in base64url without padding.
func newSecret() string {
	raw := make([]byte, 32)
	rand.Read(raw)
	return "whsec_" + base64.RawURLEncoding.EncodeToString(raw)
}

// PreviousSecret is a secret that was replaced. Until ExpiresAt, it signs deliveries too.
type PreviousSecret struct {
	ID        string    `json:"id"`
	ExpiresAt time.Time `json:"expires_at"`
}

// Signs reports whether the secret signs at a time.
func (p PreviousSecret) Signs(now time.Time) bool { return now.Before(p.ExpiresAt) }

// SigningSecrets returns the previous secrets that sign at a time, newest first.
func (e Endpoint) SigningSecrets(now time.Time) []PreviousSecret {
	return slices.DeleteFunc(slices.Clone(e.PreviousSecrets), func(p PreviousSecret) bool { return !p.Signs(now) })
}

// RotateSecret creates a new secret for the endpoint and returns it. The replaced secret also signs deliveries until
// the grace period ends; grace may be 0. Secrets that were replaced earlier sign until theirs ends. If there would be
// more than MaxPreviousSecrets, RotateSecret returns webhook_secret_limit_reached.
func (s *Endpoints) RotateSecret(ctx context.Context, accountID, endpointID string,
	grace time.Duration) (string, error) {
	if grace < 0 {
		return "", fault.Invalid("grace", "must not be negative")
	}
	secret := newSecret()
	detail := "the old one signs too for " + grace.String()
	err := s.changeSecrets(ctx, accountID, endpointID, audit.WebhookSecretRotated, detail,
		func(key EndpointKey, current *secrets, now time.Time) error {
			if grace > 0 {
				if err := current.replace(now, now.Add(grace)); err != nil {
					return err
				}
			}
			current.Current = s.keys.Encrypt(secret, key.Owner())
			return nil
		})
	if err != nil {
		return "", fmt.Errorf("rotate secret: %w", err)
	}
	return secret, nil
}

// replace makes the current secret a previous one.
func (s *secrets) replace(now, expires time.Time) error {
	if n := len(s.Previous); n >= MaxPreviousSecrets {
		oldest := s.Previous[n-1]
		return fault.New(fault.SecretLimitReached,
			"%d previous secrets of the webhook still sign, which is the maximum. The oldest one, %s, signs until %s. "+
				"Wait until then, or end a previous secret early.", n, oldest.ID, timestamp.Format(oldest.ExpiresAt))
	}
	previous := sealedSecret{PreviousSecret: PreviousSecret{ID: id.New(id.Secret, now), ExpiresAt: expires}}
	previous.seal(s.Current)
	s.Previous = slices.Insert(s.Previous, 0, previous)
	return nil
}

// EndSecret ends the grace period of a previous secret now, so that it signs no more deliveries. It returns
// webhook_secret_not_found if the endpoint has no such secret that still signs.
func (s *Endpoints) EndSecret(ctx context.Context, accountID, endpointID, secretID string) error {
	fullID, ok := id.Parse(id.Secret, secretID)
	err := s.changeSecrets(ctx, accountID, endpointID, audit.WebhookSecretEnded, secretID,
		func(_ EndpointKey, current *secrets, _ time.Time) error {
			i := slices.IndexFunc(current.Previous, func(p sealedSecret) bool { return p.ID == fullID })
			if !ok || i < 0 {
				return fault.NotFound(fault.SecretNotFound)
			}
			current.Previous = slices.Delete(current.Previous, i, i+1)
			return nil
		})
	if err != nil {
		return fmt.Errorf("end secret: %w", err)
	}
	return nil
}

// changeSecrets changes the secrets of an endpoint. Previous secrets whose grace period is over are removed before.
func (s *Endpoints) changeSecrets(ctx context.Context, accountID, endpointID string, kind audit.Kind, detail string,
	change func(key EndpointKey, current *secrets, now time.Time) error) error {
	fullID, ok := id.Parse(id.Endpoint, endpointID)
	if !ok {
		return endpointNotFound()
	}
	key := EndpointKey{accountID, fullID}
	return s.change(ctx, accountID, 0, func(tx *postgres.Tx, _ clock.Stamp) error {
		now := s.clock.Time() // the engine's clock ends the grace period; the account's clock may be ahead of it
		state, err := lockSecrets(ctx, tx, key)
		if err != nil {
			return err
		}
		state.removeExpired(now)
		if err := change(key, &state, now); err != nil {
			return err
		}
		state.touch(now)
		if err := updateSecrets(ctx, tx, key, state); err != nil {
			return err
		}
		return recordChange(ctx, tx, key, kind, detail)
	})
}

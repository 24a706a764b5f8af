package users

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// LinkLifetime is how long a link to set a password can be used.
const LinkLifetime = 3 * 24 * time.Hour

// errLink is the same for links that expired, were used or never existed.
var errLink = fault.New(fault.LinkExpired,
	"This link was used before or has expired. Ask an owner of the account for a new one.")

// NewLink returns the secret of a link by which the user sets a password: once, within LinkLifetime. It replaces the
// links before. It returns user_not_found for disabled users too.
func (s *Service) NewLink(ctx context.Context, userID string) (secret string, err error) {
	secret = rand.Text()
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		user, err := find(ctx, tx, "id", userID)
		if err != nil {
			return err
		}
		if user.DisabledAt != nil {
			return fault.New(fault.UserNotFound, "the user %s is disabled", user.Email)
		}
		if _, err := tx.Exec(ctx, `DELETE FROM user_links WHERE user_id = $1`, user.ID); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			INSERT INTO user_links (hash, user_id, expires_at) VALUES ($1, $2, now() + $3 * interval '1 microsecond')`,
			linkHash(secret), user.ID, LinkLifetime.Microseconds())
		return err
	})
	if err != nil {
		return "", fmt.Errorf("users.NewLink: %w", err)
	}
	return secret, nil
}

// linkHash returns the hash of a link's secret that is stored. A plain SHA-256 is enough because 130 random bits cannot
// be guessed.
func linkHash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// ByLink returns the user of a link. It returns link_expired if the link cannot be used.
func (s *Service) ByLink(ctx context.Context, secret string) (User, error) {
	var userID string
	err := s.db.Get(ctx, &userID, `SELECT user_id FROM user_links WHERE hash = $1 AND expires_at > now()`,
		linkHash(secret))
	if errors.Is(err, sql.ErrNoRows) {
		return User{}, errLink
	}
	if err != nil {
		return User{}, fmt.Errorf("users.ByLink: %w", err)
	}
	return s.Get(ctx, userID)
}

// SetPassword sets the password of a link's user, uses the link up and ends the user's sessions. It returns
// link_expired if the link cannot be used.
func (s *Service) SetPassword(ctx context.Context, secret, password string) (User, error) {
	user, err := s.ByLink(ctx, secret)
	if err != nil {
		return User{}, err
	}
	hashed, err := s.hash(ctx, user.Email, password)
	if err != nil {
		return User{}, err
	}
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		used, err := tx.Exec(ctx, `DELETE FROM user_links WHERE hash = $1 AND expires_at > now()`, linkHash(secret))
		if err != nil {
			return err
		}
		if n, err := used.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, errLink)
		}
		_, err = tx.Exec(ctx, `UPDATE users SET password_hash = $2, generation = generation + 1 WHERE id = $1`,
			user.ID, *hashed)
		if err != nil {
			return err
		}
		user, err = find(ctx, tx, "id", user.ID)
		return err
	})
	if err != nil {
		return User{}, fmt.Errorf("users.SetPassword: %w", err)
	}
	return user, nil
}

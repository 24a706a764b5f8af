package users

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// LinkLifetime is how long a link can be used.
const LinkLifetime = 3 * 24 * time.Hour

// errLink is the same for links that expired, were used or never existed.
var errLink = fault.New(fault.LinkExpired,
	"This link was used before or has expired. Ask an owner of the account for a new one.")

// Link is a link by which a user sets a password, or is invited to an account, or both.
type Link struct {
	User      User
	AccountID string // that the user is invited to; "" if the link only sets a password
	Role      Role   // in the account
}

// SetsPassword reports whether the link's user sets a password by it. An invitation of a user who has one, or who
// logged in at the identity provider, does not: the user logs in and joins the account. Otherwise, the owner of any
// account could invite a user who has no password, set one, and log in as that user.
func (l Link) SetsPassword() bool {
	return l.AccountID == "" || l.User.PasswordHash == nil && l.User.LastLoginAt == nil
}

// NeedsPassword reports whether the user must have logged in by password to join the account. The password may be that
// of the owner of another account, as Invite says, who would get into this account too. Only a log-in by password shows
// that it is the person's own.
func (l Link) NeedsPassword() bool { return l.AccountID != "" && l.User.PasswordHash != nil }

// NewLink returns the secret of a link by which the user sets a password: once, within LinkLifetime. It replaces the
// links to set a password before. It returns user_not_found for disabled users too.
func (s *Service) NewLink(ctx context.Context, userID string) (secret string, err error) {
	err = s.db.InTx(ctx, func(tx *postgres.Tx) (err error) {
		secret, err = newLink(ctx, tx, userID)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("users.NewLink: %w", err)
	}
	return secret, nil
}

// NewMemberLink is NewLink for an owner of the account that the user works in. It returns a conflict if the user works
// in other accounts too, because the link gives access to all of them.
func (s *Service) NewMemberLink(ctx context.Context, accountID, userID string) (secret string, err error) {
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if err := lock(ctx, tx, userID); err != nil {
			return err
		}
		var accounts []string
		err := tx.Select(ctx, &accounts, `SELECT account_id FROM memberships WHERE user_id = $1`, userID)
		if err != nil {
			return err
		}
		found, others := false, 0
		for _, one := range accounts {
			if one == accountID {
				found = true
			} else {
				others++
			}
		}
		switch {
		case !found:
			return errNoMember
		case others > 0:
			return fault.New(fault.InsufficientScope, "This user works in other accounts too. "+
				"Only the operator of the service can make a link for them.")
		}
		if secret, err = newLink(ctx, tx, userID); err != nil {
			return err
		}
		return recordUser(ctx, tx, accountID, audit.UserPasswordLink, userID, "")
	})
	if err != nil {
		return "", fmt.Errorf("users.NewMemberLink: %w", err)
	}
	return secret, nil
}

func newLink(ctx context.Context, tx *postgres.Tx, userID string) (string, error) {
	user, err := find(ctx, tx, "id", userID)
	if err != nil {
		return "", err
	}
	if user.DisabledAt != nil {
		return "", fault.New(fault.UserNotFound, "the user %s is disabled", user.Email)
	}
	if err := deletePasswordLinks(ctx, tx, user.ID); err != nil {
		return "", err
	}
	return insertLink(ctx, tx, user.ID, nil, nil)
}

// deletePasswordLinks deletes the links by which the user sets a password, but no invitations.
func deletePasswordLinks(ctx context.Context, tx *postgres.Tx, userID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM user_links WHERE user_id = $1 AND account_id IS NULL`, userID)
	return err
}

// lock locks a user until tx ends, before the user's links and memberships change.
func lock(ctx context.Context, tx *postgres.Tx, userID string) error {
	if _, ok := id.Parse(id.User, userID); !ok {
		return errNoMember
	}
	var locked string
	err := tx.Get(ctx, &locked, `SELECT id FROM users WHERE id = $1 FOR UPDATE`, userID)
	if errors.Is(err, sql.ErrNoRows) {
		return errNoMember
	}
	return err
}

// insertLink inserts a link and returns its secret.
func insertLink(ctx context.Context, tx *postgres.Tx, userID string, accountID *string, role *Role) (string, error) {
	secret := rand.Text()
	_, err := tx.Exec(ctx, `
		INSERT INTO user_links (hash, user_id, expires_at, account_id, role)
		VALUES ($1, $2, now() + $3 * interval '1 microsecond', $4, $5)`,
		linkHash(secret), userID, LinkLifetime.Microseconds(), accountID, role)
	return secret, err
}

// linkHash returns the hash of a link's secret that is stored. A plain SHA-256 is enough because 130 random bits cannot
// be guessed.
func linkHash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// ByLink returns the link with this secret. It returns link_expired if the link cannot be used.
func (s *Service) ByLink(ctx context.Context, secret string) (Link, error) {
	link, err := findLink(ctx, s.db, secret,
		`SELECT `+linkColumns+` FROM user_links WHERE hash = $1 AND expires_at > now()`)
	if err != nil {
		return Link{}, fmt.Errorf("users.ByLink: %w", err)
	}
	return link, nil
}

const linkColumns = "user_id, coalesce(account_id, '') AS account_id, coalesce(role, '') AS role"

// findLink returns the link that the statement with the hash returns, and its user.
func findLink(ctx context.Context, q postgres.Querier, secret, statement string) (Link, error) {
	var row struct {
		UserID    string `db:"user_id"`
		AccountID string `db:"account_id"`
		Role      Role   `db:"role"`
	}
	err := q.Get(ctx, &row, statement, linkHash(secret))
	if errors.Is(err, sql.ErrNoRows) {
		return Link{}, errLink
	}
	if err != nil {
		return Link{}, err
	}
	user, err := find(ctx, q, "id", row.UserID)
	return Link{User: user, AccountID: row.AccountID, Role: row.Role}, err
}

// useLink deletes a link in the transaction of what it is for, and returns it.
func useLink(ctx context.Context, tx *postgres.Tx, secret string) (Link, error) {
	return findLink(ctx, tx, secret,
		`DELETE FROM user_links WHERE hash = $1 AND expires_at > now() RETURNING `+linkColumns)
}

// SetPassword sets the password of a link's user, uses the link up and ends the user's sessions. If the link is an
// invitation, the user joins the account. It returns link_expired if the link cannot be used, or not for a password.
func (s *Service) SetPassword(ctx context.Context, secret, password string) (User, error) {
	link, err := s.ByLink(ctx, secret)
	if err != nil {
		return User{}, err
	}
	hashed, err := s.hash(ctx, link.User.Email, password)
	if err != nil {
		return User{}, err
	}
	var user User
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		// Of two invitations that are used at the same time, the second one sees the password.
		if err := lock(ctx, tx, link.User.ID); err != nil {
			return err
		}
		used, err := useLink(ctx, tx, secret)
		if err != nil {
			return err
		}
		if !used.SetsPassword() {
			return errLink
		}
		_, err = tx.Exec(ctx, `UPDATE users SET password_hash = $2, generation = generation + 1 WHERE id = $1`,
			used.User.ID, *hashed)
		if err != nil {
			return err
		}
		if err := s.join(ctx, tx, used); err != nil {
			return err
		}
		user, err = find(ctx, tx, "id", used.User.ID)
		return err
	})
	if err != nil {
		return User{}, fmt.Errorf("users.SetPassword: %w", err)
	}
	return user, nil
}

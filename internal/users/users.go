// Package users manages the people who use the dashboard: their passwords, the accounts that they may work in, the
// links by which they are invited, and the storage of their sessions.
//
// Passwords are stored as argon2id hashes, links and sessions by a hash of their secret. The package knows nothing of
// HTTP, and users never call the API: programs use the tokens of package accounts.
package users

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Role is what a user may do in an account.
type Role string

// The roles. A member works on cards, batches, listings and sales. Tokens, webhooks, users and marketplaces are for
// owners only.
const (
	Owner  Role = "owner"
	Member Role = "member"
)

// ParseRole returns the role with this name.
func ParseRole(name string) (Role, error) {
	if role := Role(name); role == Owner || role == Member {
		return role, nil
	}
	return "", fault.Invalid("role", "must be owner or member")
}

// User is a person. A user can work in several accounts.
type User struct {
	ID          string     `db:"id" json:"id"`
	Email       string     `db:"email" json:"email"`
	LastLoginAt *time.Time `db:"last_login_at" json:"last_login_at"` // nil before the first log-in
	DisabledAt  *time.Time `db:"disabled_at" json:"disabled_at"`     // nil if the user may log in
	CreatedAt   time.Time  `db:"created_at" json:"created_at"`

	PasswordHash *string `db:"password_hash" json:"-"` // nil before the user set a password
	// Generation is the generation of the user's sessions. LogOutEverywhere increments it, which ends those before.
	Generation int `db:"generation" json:"-"`
}

const columns = "id, email, last_login_at, disabled_at, created_at, password_hash, generation"

// maxEmail is the maximum length of an address (RFC 5321, section 4.5.3.1.3).
const maxEmail = 254

// Service reads and changes users.
type Service struct {
	db       *postgres.DB
	clock    clock.Clock
	accounts *accounts.Service
	limiter  ratelimit.Limiter
	hashing  chan struct{} // limits how many passwords are hashed at the same time
}

// New returns a Service. The limiter slows down attempts to log in.
func New(db *postgres.DB, c clock.Clock, a *accounts.Service, limiter ratelimit.Limiter) *Service {
	return &Service{db: db, clock: c, accounts: a, limiter: limiter, hashing: make(chan struct{}, hashesAtOnce)}
}

// Get returns a user. It returns user_not_found if there is none with this identifier.
func (s *Service) Get(ctx context.Context, userID string) (User, error) {
	return find(ctx, s.db, "id", userID)
}

// ByEmail returns the user with this address, in upper or lower case, or user_not_found.
func (s *Service) ByEmail(ctx context.Context, email string) (User, error) {
	return find(ctx, s.db, "email_key", emailKey(email))
}

// find returns the user whose column has the value.
func find(ctx context.Context, q postgres.Querier, column, value string) (User, error) {
	var u User
	err := q.Get(ctx, &u, `SELECT `+columns+` FROM users WHERE `+column+` = $1`, value)
	if errors.Is(err, sql.ErrNoRows) {
		return User{}, fault.New(fault.UserNotFound, "there is no user %s", value)
	}
	if err != nil {
		return User{}, fmt.Errorf("users.find: %w", err)
	}
	return u, nil
}

// Create lets a user work in an account. If no user has the address, it creates one. If there is one, the role in the
// account is set to role and the password must be empty, because it is the user's own.
func (s *Service) Create(ctx context.Context, accountID, email string, role Role, password string) (User, error) {
	if err := checkEmail(email); err != nil {
		return User{}, err
	}
	if _, err := ParseRole(string(role)); err != nil {
		return User{}, err
	}
	var hashed *string
	if password != "" {
		var err error
		if hashed, err = s.hash(ctx, email, password); err != nil {
			return User{}, err
		}
	}
	var user User
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		account, err := s.accounts.GetIn(ctx, tx, accountID)
		if err != nil {
			return err
		}
		if user, err = s.findOrInsert(ctx, tx, email, hashed); err != nil {
			return err
		}
		if err := lock(ctx, tx, user.ID); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			INSERT INTO memberships (account_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role`,
			account.ID, user.ID, role, s.clock.Time())
		if err != nil {
			return err
		}
		if err := audit.Record(ctx, tx, account.ID, audit.UserAdded, user.Email, string(role)); err != nil {
			return err
		}
		return deletePasswordLinks(ctx, tx, user.ID) // the owner of another account may have one
	})
	if err != nil {
		return User{}, fmt.Errorf("users.Create: %w", err)
	}
	return user, nil
}

func (s *Service) findOrInsert(ctx context.Context, tx *postgres.Tx, email string, hashed *string) (User, error) {
	now := s.clock.Time()
	u := User{ID: id.New(id.User, now), Email: email, CreatedAt: now, PasswordHash: hashed}
	inserted, err := tx.Exec(ctx, `
		INSERT INTO users (id, email, email_key, password_hash, generation, created_at) VALUES ($1, $2, $3, $4, 0, $5)
		ON CONFLICT (email_key) DO NOTHING`, u.ID, u.Email, emailKey(email), u.PasswordHash, u.CreatedAt)
	if err != nil {
		return User{}, err
	}
	if n, err := inserted.RowsAffected(); err != nil || n == 1 {
		return u, err
	}
	if hashed != nil {
		return User{}, fault.Invalid("password",
			"must not be given, because the user exists and has a password; make a new link to change it")
	}
	return find(ctx, tx, "email_key", emailKey(email))
}

// Disable keeps a user from logging in and ends the user's sessions.
func (s *Service) Disable(ctx context.Context, userID string) (User, error) {
	var user User
	err := s.db.InTx(ctx, func(tx *postgres.Tx) (err error) {
		if err := endSessions(ctx, tx, userID); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE users SET disabled_at = $2 WHERE id = $1 AND disabled_at IS NULL`,
			userID, s.clock.Time())
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM user_links WHERE user_id = $1`, userID); err != nil {
			return err
		}
		user, err = find(ctx, tx, "id", userID)
		return err
	})
	if err != nil {
		return User{}, fmt.Errorf("users.Disable: %w", err)
	}
	return user, nil
}

// LogOutEverywhere ends the user's sessions.
func (s *Service) LogOutEverywhere(ctx context.Context, userID string) error {
	if err := endSessions(ctx, s.db, userID); err != nil {
		return fmt.Errorf("users.LogOutEverywhere: %w", err)
	}
	return nil
}

func endSessions(ctx context.Context, q postgres.Querier, userID string) error {
	_, err := q.Exec(ctx, `UPDATE users SET generation = generation + 1 WHERE id = $1`, userID)
	return err
}

func checkEmail(email string) error {
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || len(email) > maxEmail {
		return fault.Invalid("email", "must be an e-mail address such as ada@example.com")
	}
	return nil
}

// emailKey returns the form by which addresses are compared. Mail servers treat both cases of a letter as the same.
func emailKey(email string) string { return strings.ToLower(email) }

// Emails returns the addresses of the users with these identifiers, by identifier. Those that do not exist are left
// out.
func (s *Service) Emails(ctx context.Context, userIDs []string) (map[string]string, error) {
	if len(userIDs) == 0 {
		return nil, nil
	}
	var rows []struct {
		ID    string `db:"id"`
		Email string `db:"email"`
	}
	err := s.db.Select(ctx, &rows, `SELECT id, email FROM users WHERE id = ANY($1)`, pq.Array(userIDs))
	if err != nil {
		return nil, fmt.Errorf("users.Emails: %w", err)
	}
	emails := make(map[string]string, len(rows))
	for _, row := range rows {
		emails[row.ID] = row.Email
	}
	return emails, nil
}

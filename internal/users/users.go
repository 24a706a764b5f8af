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
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Role determines which actions a user may take in an account.
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

	// PasswordHash is the hash of the user's own password: nil before the user set one. Memberships may have other
	// passwords.
	PasswordHash *string `db:"password_hash" json:"-"`
	// Generation is the generation of the sessions that began with this password. Incrementing it ends those before.
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
	keys     *keyring.Keyring // encrypts the tokens of devices
	hashing  chan struct{}    // limits how many passwords are hashed at the same time
}

// New returns a Service. The limiter slows down attempts to log in.
func New(db *postgres.DB, c clock.Clock, a *accounts.Service, limiter ratelimit.Limiter) *Service {
	return &Service{
		db: db, clock: c, accounts: a, limiter: limiter, keys: randomKeys(), hashing: make(chan struct{}, hashesAtOnce),
	}
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
		return User{}, fmt.Errorf("load user: %w", err)
	}
	return u, nil
}

// ErrExists is the error of Create for a user of other accounts. The one who set that user's passwords may not be the
// person who has the address, so the person is invited instead.
var ErrExists = fault.Invalid("email", "must not be that of a user of other accounts; invite the user")

// Create creates a user who works in an account. For a user of the account it changes the role; then the password
// must be empty. For another user it returns ErrExists, unless it gets a password: that one opens this account only.
func (s *Service) Create(ctx context.Context, accountID, email string, role Role, password string) (User, error) {
	if err := checkEmail(email); err != nil {
		return User{}, err
	}
	if _, err := ParseRole(string(role)); err != nil {
		return User{}, err
	}
	hash, err := s.hashGiven(ctx, email, password)
	if err != nil {
		return User{}, err
	}
	var user User
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		account, err := s.accounts.GetIn(ctx, tx, accountID)
		if err != nil {
			return err
		}
		if user, err = s.createIn(ctx, tx, account.ID, email, role, hash); err != nil {
			return err
		}
		return audit.Record(ctx, tx, account.ID, audit.UserAdded, user.Email, string(role))
	})
	if err != nil {
		return User{}, fmt.Errorf("create a user: %w", err)
	}
	return user, nil
}

// hashGiven checks the password of a user who is created and returns its hash; nil for none.
func (s *Service) hashGiven(ctx context.Context, email, password string) (*string, error) {
	if password == "" {
		return nil, nil
	}
	hash, err := s.hash(ctx, email, password)
	if err != nil {
		return nil, err
	}
	user, err := s.ByEmail(ctx, email)
	if fault.Is(err, fault.UserNotFound) {
		return hash, nil
	}
	if err != nil {
		return nil, err
	}
	return hash, s.checkUnused(ctx, user, password)
}

func (s *Service) createIn(
	ctx context.Context, tx *postgres.Tx, accountID, email string, role Role, hash *string,
) (User, error) {
	user, created, err := s.findOrInsert(ctx, tx, email, hash)
	if err != nil {
		return User{}, err
	}
	if err := lock(ctx, tx, user.ID); err != nil {
		return User{}, err
	}
	var password *string // the user's own, if the user is new
	if !created {
		member, err := changeRoleIn(ctx, tx, accountID, user, role, hash)
		if err != nil || member {
			return user, err
		}
		password = hash
	}
	if err := s.checkQuota(ctx, tx, accountID, user.ID); err != nil {
		return User{}, err
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO memberships (account_id, user_id, role, created_at, account_password) VALUES ($1, $2, $3, $4, $5)`,
		accountID, user.ID, role, s.clock.Time(), password)
	if err != nil {
		return User{}, err
	}
	if _, err := deleteLinks(ctx, tx, accountID, user.ID); err != nil {
		return User{}, err
	}
	return user, deleteLinksBefore(ctx, tx, user.ID)
}

// changeRoleIn changes the role of a user who existed. It reports whether the user works in the account. For another
// user it returns an error if the user cannot be added.
func changeRoleIn(
	ctx context.Context, tx *postgres.Tx, accountID string, user User, role Role, hash *string,
) (member bool, err error) {
	result, err := tx.Exec(ctx, `UPDATE memberships SET role = $3 WHERE account_id = $1 AND user_id = $2`,
		accountID, user.ID, role)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	switch {
	case err != nil:
		return false, err
	case n > 0 && hash != nil:
		return false, fault.Invalid("password",
			"must not be given, because the user exists and has a password; make a new link to change it")
	case n > 0:
		return true, nil
	case user.DisabledAt != nil:
		return false, errDisabledEmail
	case hash == nil:
		return false, ErrExists
	}
	return false, nil
}

var errDisabledEmail = fault.Invalid("email", "must not be that of a user whom the operator of the service disabled")

// findOrInsert returns the user with this address. It reports whether it created the user.
func (s *Service) findOrInsert(
	ctx context.Context, tx *postgres.Tx, email string, hash *string,
) (user User, created bool, err error) {
	now := s.clock.Time()
	u := User{ID: id.New(id.User, now), Email: email, CreatedAt: now, PasswordHash: hash}
	result, err := tx.Exec(ctx, `
		INSERT INTO users (id, email, email_key, password_hash, generation, created_at) VALUES ($1, $2, $3, $4, 0, $5)
		ON CONFLICT (email_key) DO NOTHING`, u.ID, u.Email, emailKey(email), u.PasswordHash, u.CreatedAt)
	if err != nil {
		return User{}, false, err
	}
	if n, err := result.RowsAffected(); err != nil || n == 1 {
		return u, true, err
	}
	user, err = find(ctx, tx, "email_key", emailKey(email))
	return user, false, err
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
		return User{}, fmt.Errorf("disable user: %w", err)
	}
	return user, nil
}

// LogOutEverywhere ends the sessions that began with the same password, and all sessions of the user if the identity
// provider has verified the address. The owner of another account, who may know another password of the user, does
// not end the person's sessions.
func (s *Service) LogOutEverywhere(ctx context.Context, l Login) error {
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM user_sessions WHERE user_id = $1 AND ($2 OR proof && $3)`,
			l.ID, l.Proof.Verified, pq.Array(l.Proof.keys()))
		if err != nil || !l.Proof.Opens(l.passwordID()) {
			return err
		}
		return endSessions(ctx, tx, l.ID)
	})
	if err != nil {
		return fmt.Errorf("log out everywhere: %w", err)
	}
	return nil
}

func endSessions(ctx context.Context, q postgres.Querier, userID string) error {
	_, err := q.Exec(ctx, `UPDATE users SET generation = generation + 1 WHERE id = $1`, userID)
	return err
}

func checkEmail(email string) error {
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != email || len(email) > maxEmail {
		return fault.Invalid("email", "must be an e-mail address such as ada@example.com")
	}
	return nil
}

// emailKey returns the form by which addresses are compared. Mail servers treat both cases of a letter as the same.
func emailKey(email string) string { return strings.ToLower(email) }

// Emails returns the addresses of the users with these identifiers, by identifier. It leaves out unknown identifiers.
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
		return nil, fmt.Errorf("load addresses: %w", err)
	}
	emails := make(map[string]string, len(rows))
	for _, row := range rows {
		emails[row.ID] = row.Email
	}
	return emails, nil
}

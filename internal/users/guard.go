package users

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// freshTime is how long a membership that was read permits changes that every member may make.
const freshTime = time.Second

// ErrOwnersOnly is for users who are no owners of the account.
var ErrOwnersOnly = fault.New(fault.InsufficientScope,
	"Only owners of the account can do this. Ask one of them, or ask to become an owner.")

var (
	errNotMember = fault.New(fault.InsufficientScope,
		"You are not a user of this account any more. Ask an owner of the account to invite you again.")
	errSessionEnded = fault.New(fault.InsufficientScope, "Your session has ended. Log in and repeat it.")
)

// Visit identifies who makes a request and in which account, with the password that opened the account.
type Visit struct {
	Login
	AccountID, PasswordID string
}

// Guard returns the check that a user may still change an account, for the transaction of a change.
//
// A change for owners is checked always, and locks the memberships: it is refused after a removal that has committed,
// and a later removal waits for it. Other changes are checked after freshTime, so quick ones cost no statement.
func (s *Service) Guard(v Visit, ownersOnly bool) postgres.TxHook {
	return s.guard(v, ownersOnly, time.Now())
}

func (s *Service) guard(v Visit, ownersOnly bool, read time.Time) postgres.TxHook {
	return func(ctx context.Context, tx *postgres.Tx) error {
		if ownersOnly {
			return v.checkOwner(ctx, tx)
		}
		if time.Since(read) < freshTime {
			return nil
		}
		return v.checkMember(ctx, tx)
	}
}

// Confirm checks that a user may still see an account.
func (s *Service) Confirm(ctx context.Context, v Visit) error { return v.checkMember(ctx, s.db) }

func (v Visit) checkOwner(ctx context.Context, tx *postgres.Tx) error {
	user, err := v.checkUser(ctx, tx, "FOR SHARE")
	if err != nil {
		return err
	}
	members, err := lockMembers(ctx, tx, v.AccountID)
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.UserID == v.ID && m.Role == Owner {
			return v.checkPassword(user, m)
		}
	}
	return ErrOwnersOnly
}

func (v Visit) checkMember(ctx context.Context, q postgres.Querier) error {
	user, err := v.checkUser(ctx, q, "")
	if err != nil {
		return err
	}
	m, err := findMembership(ctx, q, v.AccountID, v.ID)
	if fault.Is(err, fault.UserNotFound) {
		return errNotMember
	}
	if err != nil {
		return err
	}
	return v.checkPassword(user, m)
}

// checkPassword returns an error if the password that opened the account was replaced.
func (v Visit) checkPassword(user User, m Membership) error {
	if v.Proof.Verified || user.passwordOf(m) == v.PasswordID {
		return nil
	}
	return errSessionEnded
}

// checkUser returns the user. It returns an error if the user is disabled or deleted, or if the session of the
// request has ended. lock is "" or FOR SHARE.
func (v Visit) checkUser(ctx context.Context, q postgres.Querier, lock string) (User, error) {
	var user User
	err := q.Get(ctx, &user, `SELECT `+columns+` FROM users WHERE id = $1 `+lock, v.ID)
	switch {
	case user.DisabledAt != nil, errors.Is(err, sql.ErrNoRows):
		return User{}, errDisabled
	case err != nil:
		return User{}, err
	}
	session := sessionOf(ctx)
	if session.hash == "" {
		return user, nil
	}
	var found bool
	err = q.Get(ctx, &found, `SELECT EXISTS (SELECT FROM user_sessions WHERE hash = $1)`, session.hash)
	if err == nil && !found {
		err = errSessionEnded
	}
	return user, err
}

package users

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// freshTime is how long a membership that was read is good for changes that every member may make.
const freshTime = time.Second

// ErrOwnersOnly is for users who are no owners of the account.
var ErrOwnersOnly = fault.New(fault.InsufficientScope,
	"Only owners of the account can do this. Ask one of them, or ask to become an owner.")

var (
	errNotMember = fault.New(fault.InsufficientScope,
		"You are not a user of this account any more. Ask an owner of the account to invite you again.")
	errSessionEnded = fault.New(fault.InsufficientScope, "You have logged out meanwhile. Log in and repeat it.")
)

// Guard returns the check that a user may still change an account, for the transaction of a change. m is the membership
// that was read for the request.
//
// A change for owners is checked always, and locks the memberships: it is refused after a removal that has committed,
// and a later removal waits for it. Other changes are checked after freshTime, so quick ones cost no statement.
func (s *Service) Guard(m Membership, ownersOnly bool) postgres.TxHook {
	return s.guard(m, ownersOnly, time.Now())
}

func (s *Service) guard(m Membership, ownersOnly bool, read time.Time) postgres.TxHook {
	return func(ctx context.Context, tx *postgres.Tx) error {
		if ownersOnly {
			return checkOwner(ctx, tx, m)
		}
		if time.Since(read) < freshTime {
			return nil
		}
		return checkMember(ctx, tx, m)
	}
}

// Confirm checks that a user may still see an account. m is the membership that was read for the request.
func (s *Service) Confirm(ctx context.Context, m Membership) error { return checkMember(ctx, s.db, m) }

func checkOwner(ctx context.Context, tx *postgres.Tx, m Membership) error {
	if err := checkUser(ctx, tx, m.UserID, "FOR SHARE"); err != nil {
		return err
	}
	members, err := lockMembers(ctx, tx, m.AccountID)
	if err != nil {
		return err
	}
	for _, one := range members {
		if one.UserID == m.UserID && one.Role == Owner {
			return nil
		}
	}
	return ErrOwnersOnly
}

func checkMember(ctx context.Context, q postgres.Querier, m Membership) error {
	if err := checkUser(ctx, q, m.UserID, ""); err != nil {
		return err
	}
	var member bool
	err := q.Get(ctx, &member, `
		SELECT EXISTS (SELECT FROM memberships WHERE account_id = $1 AND user_id = $2)`, m.AccountID, m.UserID)
	if err == nil && !member {
		err = errNotMember
	}
	return err
}

// checkUser returns an error if a user is disabled or deleted, or if the session of the request has ended. lock is ""
// or FOR SHARE.
func checkUser(ctx context.Context, q postgres.Querier, userID, lock string) error {
	var disabled bool
	err := q.Get(ctx, &disabled, `SELECT disabled_at IS NOT NULL FROM users WHERE id = $1 `+lock, userID)
	switch {
	case disabled, errors.Is(err, sql.ErrNoRows):
		return errDisabled
	case err != nil:
		return err
	}
	session, ok := ctx.Value(loadedKey{}).(*loadedSession)
	if !ok || session.hash == "" {
		return nil
	}
	var found bool
	err = q.Get(ctx, &found, `SELECT EXISTS (SELECT FROM user_sessions WHERE hash = $1)`, session.hash)
	if err == nil && !found {
		err = errSessionEnded
	}
	return err
}

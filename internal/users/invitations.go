package users

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Invitation is an invitation to an account that was not accepted yet.
type Invitation struct {
	UserID    string    `db:"user_id"`
	Email     string    `db:"email"`
	Role      Role      `db:"role"`
	ExpiresAt time.Time `db:"expires_at"`
}

// Invite returns the secret of a link by which the person with this address joins the account: once, within
// LinkLifetime. It replaces the person's invitation to the account before.
//
// The person has no role before the link is used. The link works whatever the owners of other accounts do with the
// address: SetPassword and Join.
func (s *Service) Invite(ctx context.Context, accountID, email string, role Role) (secret string, err error) {
	if err := checkEmail(email); err != nil {
		return "", err
	}
	if _, err := ParseRole(string(role)); err != nil {
		return "", err
	}
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		account, err := s.accounts.GetIn(ctx, tx, accountID)
		if err != nil {
			return err
		}
		user, _, err := s.findOrInsert(ctx, tx, email, nil)
		if err != nil {
			return err
		}
		if user.DisabledAt != nil {
			return errDisabledEmail
		}
		if err := checkNoMember(ctx, tx, account.ID, user.ID); err != nil {
			return err
		}
		if err := s.checkQuota(ctx, tx, account.ID, user.ID); err != nil {
			return err
		}
		if _, err := deleteLinks(ctx, tx, account.ID, user.ID); err != nil {
			return err
		}
		if err := checkInvitations(ctx, tx, account.ID); err != nil {
			return err
		}
		if err := s.countLink(ctx, account.ID); err != nil {
			return err
		}
		secret, err = insertLink(ctx, tx, Link{User: user, AccountID: account.ID, Role: role})
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, account.ID, audit.UserInvited, user.Email, string(role))
	})
	if err != nil {
		return "", fmt.Errorf("invite user: %w", err)
	}
	return secret, nil
}

// maxInvitations is the maximum number of invitations of an account that wait, and linksPerMinute how many
// invitations and password links its owners may make within ratelimit.Window.
const (
	maxInvitations = 100
	linksPerMinute = 20
)

// countLink counts a link that an owner of the account makes. It returns rate_limited after too many.
func (s *Service) countLink(ctx context.Context, accountID string) error {
	d := s.limiter.Take(ctx, "links "+accountID, ratelimit.Write, linksPerMinute)
	if d.Allowed {
		return nil
	}
	return fault.New(fault.RateLimited, "The account has made %d links within a minute. Try again in %d seconds.",
		linksPerMinute, int(d.RetryAfter.Seconds())).WithRetryAfter(d.RetryAfter)
}

// checkInvitations returns an error if the account has as many invitations as it may. The caller has locked the
// account against its deletion only, so invitations that are made at the same moment may be a few more.
func checkInvitations(ctx context.Context, tx *postgres.Tx, accountID string) error {
	var waiting int
	err := tx.Get(ctx, &waiting, `
		SELECT count(*) FROM user_links WHERE account_id = $1 AND NOT resets AND expires_at > now()`, accountID)
	if err == nil && waiting >= maxInvitations {
		err = fault.Invalid("email", "cannot be invited, because %d invitations wait; withdraw one of them", waiting)
	}
	return err
}

func checkNoMember(ctx context.Context, tx *postgres.Tx, accountID, userID string) error {
	var member bool
	err := tx.Get(ctx, &member, `
		SELECT EXISTS (SELECT FROM memberships WHERE account_id = $1 AND user_id = $2)`, accountID, userID)
	if err == nil && member {
		err = fault.Invalid("email", "must not be that of a user of the account; change the user's role instead")
	}
	return err
}

// Invitations returns the account's invitations that can be accepted, by address.
func (s *Service) Invitations(ctx context.Context, accountID string) ([]Invitation, error) {
	var list []Invitation
	err := s.db.Select(ctx, &list, `
		SELECT l.user_id, u.email, l.role, l.expires_at
		FROM user_links l JOIN users u ON u.id = l.user_id
		WHERE l.account_id = $1 AND NOT l.resets AND l.expires_at > now()
		ORDER BY u.email_key`, accountID)
	if err != nil {
		return nil, fmt.Errorf("list invitations: %w", err)
	}
	return list, nil
}

// Withdraw deletes a person's invitation to the account.
func (s *Service) Withdraw(ctx context.Context, accountID, userID string) error {
	if _, ok := id.Parse(id.User, userID); !ok {
		return errNoMember
	}
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if _, err := findInvitation(ctx, tx, accountID, userID); err != nil {
			return err
		}
		if _, err := deleteLinks(ctx, tx, accountID, userID); err != nil {
			return err
		}
		return recordUser(ctx, tx, accountID, audit.InvitationWithdrawn, userID, "")
	})
	if err != nil {
		return fmt.Errorf("withdraw invitation: %w", err)
	}
	return nil
}

// findInvitation returns the hash of a person's invitation to the account, or user_not_found.
func findInvitation(ctx context.Context, tx *postgres.Tx, accountID, userID string) (hash []byte, err error) {
	err = tx.Get(ctx, &hash, `
		SELECT hash FROM user_links WHERE account_id = $1 AND user_id = $2 AND NOT resets`, accountID, userID)
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoMember
	}
	return hash, err
}

// Join accepts an invitation for a user who is logged in, and returns the log-in. The user sets a new password, unless
// the identity provider has verified the address. The new password opens this account and all accounts that the session
// opens. It replaces their passwords, because other people may know these. Join returns link_expired if the link cannot
// be used or belongs to another user.
func (s *Service) Join(ctx context.Context, secret string, l Login, password string) (Login, error) {
	link, err := s.ByLink(ctx, secret)
	if err == nil && (link.User.ID != l.ID || !link.Invites()) {
		err = errLink
	}
	if err != nil {
		return Login{}, err
	}
	none := ""
	hash := &none
	if !l.Proof.Verified {
		if hash, err = s.hashNew(ctx, link, password); err != nil {
			return Login{}, err
		}
	}
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if err := lock(ctx, tx, l.ID); err != nil {
			return err
		}
		invitation, err := useLink(ctx, tx, secret)
		if err != nil {
			return err
		}
		if l.Proof.Verified {
			return s.join(ctx, tx, invitation, hash)
		}
		own, err := replacePasswords(ctx, tx, invitation.User, l.Proof, *hash)
		if err != nil {
			return err
		}
		if err := s.join(ctx, tx, invitation, accountPassword(own, *hash)); err != nil {
			return err
		}
		l, err = loginBy(ctx, tx, l.ID, *hash)
		return err
	})
	if err != nil {
		return Login{}, fmt.Errorf("join an account: %w", err)
	}
	return l, nil
}

// replacePasswords replaces the passwords of a proof by one with the hash. It reports whether that is the user's own
// now.
func replacePasswords(ctx context.Context, tx *postgres.Tx, user User, proof Proof, hash string) (own bool, err error) {
	memberships, err := membershipsOf(ctx, tx, user.ID)
	if err != nil {
		return false, err
	}
	own = proof.has(user.passwordID()) || opensNone(memberships)
	if own {
		if err := setPassword(ctx, tx, user.ID, hash); err != nil {
			return false, err
		}
	}
	for _, m := range memberships {
		if m.AccountPassword == nil || !proof.has(user.passwordOf(m)) {
			continue
		}
		if err := setAccountPassword(ctx, tx, m, accountPassword(own, hash)); err != nil {
			return false, err
		}
	}
	return own, nil
}

// join gives the user of an invitation the role, in an account that opens by a password with the hash. The caller has
// locked the user.
func (s *Service) join(ctx context.Context, tx *postgres.Tx, link Link, hash *string) error {
	if link.User.DisabledAt != nil {
		return errLink
	}
	if _, err := s.accounts.GetIn(ctx, tx, link.AccountID); err != nil {
		return err
	}
	result, err := tx.Exec(ctx, `
		INSERT INTO memberships (account_id, user_id, role, created_at, account_password) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (account_id, user_id) DO NOTHING`,
		link.AccountID, link.User.ID, link.Role, s.clock.Time(), hash)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return cmp.Or(err, error(errLink)) // the user joined the account in another way
	}
	ctx = caller.WithActor(ctx, caller.Actor{Type: caller.UserActor, ID: link.User.ID})
	err = audit.Record(ctx, tx, link.AccountID, audit.UserAdded, link.User.Email, string(link.Role))
	if err != nil {
		return err
	}
	return deleteLinksBefore(ctx, tx, link.User.ID)
}

package users

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
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
// The person has no role before the link is used, and a person with a password must log in by it to use the link.
// Addresses are not verified: the owner of another account may have invited the same address and set its password.
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
		user, err := s.findOrInsert(ctx, tx, email, nil)
		if err != nil {
			return err
		}
		if user.DisabledAt != nil {
			return fault.Invalid("email", "must not be that of a user whom the operator of the service disabled")
		}
		if err := checkNoMember(ctx, tx, account.ID, user.ID); err != nil {
			return err
		}
		if _, err := deleteInvitation(ctx, tx, account.ID, user.ID); err != nil {
			return err
		}
		if secret, err = insertLink(ctx, tx, user.ID, &account.ID, &role); err != nil {
			return err
		}
		return audit.Record(ctx, tx, account.ID, audit.UserInvited, user.Email, string(role))
	})
	if err != nil {
		return "", fmt.Errorf("users.Invite: %w", err)
	}
	return secret, nil
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
		WHERE l.account_id = $1 AND l.expires_at > now()
		ORDER BY u.email_key`, accountID)
	if err != nil {
		return nil, fmt.Errorf("users.Invitations: %w", err)
	}
	return list, nil
}

// Withdraw deletes a person's invitation to the account.
func (s *Service) Withdraw(ctx context.Context, accountID, userID string) error {
	if _, ok := id.Parse(id.User, userID); !ok {
		return errNoMember
	}
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		deleted, err := deleteInvitation(ctx, tx, accountID, userID)
		if err != nil {
			return err
		}
		if deleted == 0 {
			return errNoMember
		}
		return recordUser(ctx, tx, accountID, audit.InvitationWithdrawn, userID, "")
	})
	if err != nil {
		return fmt.Errorf("users.Withdraw: %w", err)
	}
	return nil
}

func deleteInvitation(ctx context.Context, q postgres.Querier, accountID, userID string) (int64, error) {
	deleted, err := q.Exec(ctx, `DELETE FROM user_links WHERE account_id = $1 AND user_id = $2`, accountID, userID)
	if err != nil {
		return 0, err
	}
	return deleted.RowsAffected()
}

// Join uses an invitation up for the user who logged in, and returns the account. It returns link_expired if the link
// cannot be used or is another user's.
func (s *Service) Join(ctx context.Context, secret, userID string) (accountID string, err error) {
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if err := lock(ctx, tx, userID); err != nil {
			return err
		}
		link, err := useLink(ctx, tx, secret)
		if err != nil {
			return err
		}
		if link.User.ID != userID || link.AccountID == "" {
			return errLink
		}
		accountID = link.AccountID
		return s.join(ctx, tx, link)
	})
	if err != nil {
		return "", fmt.Errorf("users.Join: %w", err)
	}
	return accountID, nil
}

// join gives the user of an invitation the role. A role that the user got in the meantime stays. The caller has locked
// the user.
func (s *Service) join(ctx context.Context, tx *postgres.Tx, link Link) error {
	switch {
	case link.AccountID == "":
		return nil
	case link.User.DisabledAt != nil:
		return errLink
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO memberships (account_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (account_id, user_id) DO NOTHING`, link.AccountID, link.User.ID, link.Role, s.clock.Time())
	if err != nil {
		return err
	}
	ctx = caller.WithActor(ctx, caller.Actor{Type: caller.UserActor, ID: link.User.ID})
	err = audit.Record(ctx, tx, link.AccountID, audit.UserAdded, link.User.Email, string(link.Role))
	if err != nil {
		return err
	}
	// The owner of another account may have such a link, which would give access to this account too.
	return deletePasswordLinks(ctx, tx, link.User.ID)
}

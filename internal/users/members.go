package users

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Membership is a user's role in an account.
type Membership struct {
	AccountID string    `db:"account_id" json:"account_id"`
	UserID    string    `db:"user_id" json:"user_id"`
	Role      Role      `db:"role" json:"role"`
	CreatedAt time.Time `db:"created_at" json:"created_at"`

	// AccountPassword is the hash of the password that opens this account only: "" if none opens it, and nil if the
	// user's own password does.
	AccountPassword *string `db:"account_password" json:"-"`
}

const membershipColumns = "account_id, user_id, role, created_at, account_password"

// Membership returns the role of a user in an account, or user_not_found if the user has none.
func (s *Service) Membership(ctx context.Context, accountID, userID string) (Membership, error) {
	if _, ok := id.Parse(id.User, userID); !ok {
		return Membership{}, errNoMember
	}
	m, err := findMembership(ctx, s.db, accountID, userID)
	if err != nil {
		return Membership{}, fmt.Errorf("load a membership: %w", err)
	}
	return m, nil
}

func findMembership(ctx context.Context, q postgres.Querier, accountID, userID string) (Membership, error) {
	var m Membership
	err := q.Get(ctx, &m, `
		SELECT `+membershipColumns+` FROM memberships WHERE account_id = $1 AND user_id = $2`, accountID, userID)
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoMember
	}
	return m, err
}

var errNoMember = fault.New(fault.UserNotFound, "The account has no such user.")

// Workplace is an account in which a user has a role.
type Workplace struct {
	accounts.Account
	Role       Role
	PasswordID string // the identifier of the password that opens the account; "" if none does
}

// Workplaces returns the accounts of a user that the log-in opens, in the order in which the user came to them.
func (s *Service) Workplaces(ctx context.Context, l Login) ([]Workplace, error) {
	var rows []struct {
		accounts.Account
		Role            Role    `db:"role"`
		AccountPassword *string `db:"account_password"`
	}
	err := s.db.Select(ctx, &rows, `
		SELECT `+accounts.Columns+`, role, account_password
		FROM memberships AS m (account_id, user_id, role, member_since) JOIN accounts ON id = account_id
		WHERE user_id = $1 ORDER BY member_since, account_id`, l.ID)
	if err != nil {
		return nil, fmt.Errorf("load the accounts of a user: %w", err)
	}
	var list []Workplace
	for _, row := range rows {
		passwordID := l.passwordOf(Membership{AccountPassword: row.AccountPassword})
		if l.Proof.Opens(passwordID) {
			list = append(list, Workplace{row.Account, row.Role, passwordID})
		}
	}
	return list, nil
}

// AccountUser is a user with the role in one account.
type AccountUser struct {
	User
	AccountID string `db:"account_id" json:"account_id"`
	Role      Role   `db:"role" json:"role"`
}

// List returns the users of an account, or of all accounts for "", by account and address.
func (s *Service) List(ctx context.Context, accountID string) ([]AccountUser, error) {
	var list []AccountUser
	err := s.db.Select(ctx, &list, `
		SELECT `+columns+`, account_id, role
		FROM memberships AS m (account_id, user_id, role, member_since) JOIN users ON id = user_id
		WHERE $1 IN ('', account_id) ORDER BY account_id, email_key`, accountID)
	if err != nil {
		return nil, fmt.Errorf("list users: %w", err)
	}
	return list, nil
}

// SetRole changes a user's role in an account. An account keeps at least one owner.
func (s *Service) SetRole(ctx context.Context, accountID, userID string, role Role) error {
	change := func(tx *postgres.Tx, before Role) error {
		if _, err := ParseRole(string(role)); err != nil {
			return err
		}
		if before == role {
			return nil
		}
		_, err := tx.Exec(ctx, `UPDATE memberships SET role = $3 WHERE account_id = $1 AND user_id = $2`,
			accountID, userID, role)
		if err != nil {
			return err
		}
		detail := string(before) + " → " + string(role)
		return recordUser(ctx, tx, accountID, audit.UserRoleChanged, userID, detail)
	}
	return s.changeMember(ctx, "users.SetRole", accountID, userID, role == Owner, change)
}

// Remove ends a user's work in an account, and deletes the user's links for it. An account keeps at least one owner.
func (s *Service) Remove(ctx context.Context, accountID, userID string) error {
	return s.changeMember(ctx, "users.Remove", accountID, userID, false, func(tx *postgres.Tx, _ Role) error {
		_, err := tx.Exec(ctx, `DELETE FROM memberships WHERE account_id = $1 AND user_id = $2`, accountID, userID)
		if err != nil {
			return err
		}
		if _, err := deleteLinks(ctx, tx, accountID, userID); err != nil {
			return err
		}
		return recordUser(ctx, tx, accountID, audit.UserRemoved, userID, "")
	})
}

// recordUser records a change of a user in the account's audit log.
func recordUser(ctx context.Context, tx *postgres.Tx, accountID string, kind audit.Kind, userID, detail string) error {
	user, err := find(ctx, tx, "id", userID)
	if err != nil {
		return err
	}
	return audit.Record(ctx, tx, accountID, kind, user.Email, detail)
}

// changeMember changes a membership. It passes the member's role to change. It locks all memberships of the account, so
// that two owners cannot remove each other.
func (s *Service) changeMember(
	ctx context.Context, name, accountID, userID string, staysOwner bool, change func(*postgres.Tx, Role) error,
) error {
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		members, err := lockMembers(ctx, tx, accountID)
		if err != nil {
			return err
		}
		var before Role
		otherOwners := 0
		for _, m := range members {
			switch {
			case m.UserID == userID:
				before = m.Role
			case m.Role == Owner:
				otherOwners++
			}
		}
		switch {
		case before == "":
			return errNoMember
		case !staysOwner && otherOwners == 0:
			return fault.New(fault.LastOwner, "This is the account's last owner. Make another user an owner first.")
		}
		return change(tx, before)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// lockMembers returns the memberships of an account and locks them until tx ends.
func lockMembers(ctx context.Context, tx *postgres.Tx, accountID string) ([]Membership, error) {
	var members []Membership
	err := tx.Select(ctx, &members, `
		SELECT `+membershipColumns+` FROM memberships WHERE account_id = $1 ORDER BY user_id FOR UPDATE`, accountID)
	return members, err
}

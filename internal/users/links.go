package users

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// LinkLifetime is how long a link can be used.
const LinkLifetime = 3 * 24 * time.Hour

// errLink is the same for links that expired, were used or never existed.
var errLink = fault.New(fault.LinkExpired,
	"This link was used before or has expired. Ask an owner of the account for a new one.")

// Link is a link by which a user joins an account or resets a password.
type Link struct {
	User      User
	AccountID string // of an invitation, or whose password is reset; "" for all accounts of the user
	Role      Role   // in the account
	Resets    bool   // it resets a password; false for invitations, and for links of the version before
}

// Invites reports whether the link is an invitation.
func (l Link) Invites() bool { return l.AccountID != "" && !l.Resets }

// NewLink returns the secret of a link by which the user sets one password for all accounts: once, within
// LinkLifetime. It replaces such a link from before. It returns user_not_found for disabled users too. Only the
// operator makes such links, who knows that the person has the address.
func (s *Service) NewLink(ctx context.Context, userID string) (secret string, err error) {
	err = s.db.InTx(ctx, func(tx *postgres.Tx) (err error) {
		secret, err = newLink(ctx, tx, userID)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("make a password link: %w", err)
	}
	return secret, nil
}

// NewMemberLink returns the secret of a link by which the user sets a new password for the account. It is for the
// account's owners. It returns insufficient_scope if the user works in other accounts too: their owners must be sure
// that the owner of another account does not change how their users log in.
func (s *Service) NewMemberLink(ctx context.Context, accountID, userID string) (secret string, err error) {
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if err := lock(ctx, tx, userID); err != nil {
			return err
		}
		member, err := onlyMember(ctx, tx, accountID, userID)
		if err != nil {
			return err
		}
		if err := checkLinkable(ctx, tx, userID); err != nil {
			return err
		}
		if err := s.countLink(ctx, accountID); err != nil {
			return err
		}
		if _, err := deleteLinks(ctx, tx, accountID, userID); err != nil {
			return err
		}
		secret, err = insertLink(ctx, tx, Link{
			User: User{ID: userID}, AccountID: accountID, Role: member.Role, Resets: true,
		})
		if err != nil {
			return err
		}
		return recordUser(ctx, tx, accountID, audit.UserPasswordLink, userID, "")
	})
	if err != nil {
		return "", fmt.Errorf("make a password link: %w", err)
	}
	return secret, nil
}

// onlyMember returns the membership of a user who works in no other account.
func onlyMember(ctx context.Context, tx *postgres.Tx, accountID, userID string) (Membership, error) {
	memberships, err := membershipsOf(ctx, tx, userID)
	if err != nil {
		return Membership{}, err
	}
	at := slices.IndexFunc(memberships, func(m Membership) bool { return m.AccountID == accountID })
	switch {
	case at < 0:
		return Membership{}, errNoMember
	case len(memberships) > 1:
		return Membership{}, fault.New(fault.InsufficientScope, "This user works in other accounts too, so only the "+
			"operator of the service can make this link. Or remove the user and invite them again: the invitation "+
			"sets a password for your account.")
	}
	return memberships[at], nil
}

func newLink(ctx context.Context, tx *postgres.Tx, userID string) (string, error) {
	if err := checkLinkable(ctx, tx, userID); err != nil {
		return "", err
	}
	_, err := tx.Exec(ctx, `DELETE FROM user_links WHERE user_id = $1 AND account_id IS NULL`, userID)
	if err != nil {
		return "", err
	}
	return insertLink(ctx, tx, Link{User: User{ID: userID}, Resets: true})
}

// checkLinkable returns user_not_found for users who may not log in.
func checkLinkable(ctx context.Context, tx *postgres.Tx, userID string) error {
	user, err := find(ctx, tx, "id", userID)
	if err == nil && user.DisabledAt != nil {
		err = fault.New(fault.UserNotFound, "the user %s is disabled", user.Email)
	}
	return err
}

// deleteLinks deletes the links of a user for an account: an invitation, or the link that resets the password.
func deleteLinks(ctx context.Context, q postgres.Querier, accountID, userID string) (int64, error) {
	result, err := q.Exec(ctx, `DELETE FROM user_links WHERE account_id = $1 AND user_id = $2`, accountID, userID)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// deleteLinksBefore deletes the links of the version before by which a user sets a password. An owner of another
// account may have one.
func deleteLinksBefore(ctx context.Context, tx *postgres.Tx, userID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM user_links WHERE user_id = $1 AND account_id IS NULL AND NOT resets`, userID)
	return err
}

// lock locks a user until tx ends, before the user's links and memberships change.
func lock(ctx context.Context, tx *postgres.Tx, userID string) error {
	if _, ok := id.Parse(id.User, userID); !ok {
		return errNoMember
	}
	var row string
	err := tx.Get(ctx, &row, `SELECT id FROM users WHERE id = $1 FOR UPDATE`, userID)
	if errors.Is(err, sql.ErrNoRows) {
		return errNoMember
	}
	return err
}

// insertLink inserts a link and returns its secret.
func insertLink(ctx context.Context, tx *postgres.Tx, l Link) (string, error) {
	secret := rand.Text()
	_, err := tx.Exec(ctx, `
		INSERT INTO user_links (hash, user_id, expires_at, account_id, role, resets)
		VALUES ($1, $2, now() + $3 * interval '1 microsecond', nullif($4, ''), nullif($5, ''), $6)`,
		linkHash(secret), l.User.ID, LinkLifetime.Microseconds(), l.AccountID, string(l.Role), l.Resets)
	return secret, err
}

// linkHash returns the hash of a link's secret that is stored. A plain SHA-256 is enough because 130 random bits
// cannot be guessed.
func linkHash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// ByLink returns the link with this secret. It returns link_expired if the link cannot be used.
func (s *Service) ByLink(ctx context.Context, secret string) (Link, error) {
	link, err := findLink(ctx, s.db, secret,
		`SELECT `+linkColumns+` FROM user_links WHERE hash = $1 AND expires_at > now()`)
	if err != nil {
		return Link{}, fmt.Errorf("find a link: %w", err)
	}
	return link, nil
}

const linkColumns = "user_id, coalesce(account_id, '') AS account_id, coalesce(role, '') AS role, resets"

// findLink returns the link that the statement with the hash returns, and its user.
func findLink(ctx context.Context, q postgres.Querier, secret, statement string) (Link, error) {
	var row struct {
		UserID    string `db:"user_id"`
		AccountID string `db:"account_id"`
		Role      Role   `db:"role"`
		Resets    bool   `db:"resets"`
	}
	err := q.Get(ctx, &row, statement, linkHash(secret))
	if errors.Is(err, sql.ErrNoRows) {
		return Link{}, errLink
	}
	if err != nil {
		return Link{}, err
	}
	user, err := find(ctx, q, "id", row.UserID)
	return Link{User: user, AccountID: row.AccountID, Role: row.Role, Resets: row.Resets}, err
}

// useLink deletes a link, in the transaction of the change that the link permits, and returns it.
func useLink(ctx context.Context, tx *postgres.Tx, secret string) (Link, error) {
	return findLink(ctx, tx, secret,
		`DELETE FROM user_links WHERE hash = $1 AND expires_at > now() RETURNING `+linkColumns)
}

// SetPassword sets the password of a link's user and uses the link up. By an invitation, the user joins the account,
// which the new password opens: no other password does, and the new one opens no other account. It returns
// link_expired if the link cannot be used.
func (s *Service) SetPassword(ctx context.Context, secret, password string) (Login, error) {
	link, err := s.ByLink(ctx, secret)
	if err != nil {
		return Login{}, err
	}
	hash, err := s.hashNew(ctx, link, password)
	if err != nil {
		return Login{}, err
	}
	var login Login
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if err := lock(ctx, tx, link.User.ID); err != nil {
			return err
		}
		usedLink, err := useLink(ctx, tx, secret)
		if err != nil {
			return err
		}
		if err := s.usePassword(ctx, tx, usedLink, *hash); err != nil {
			return err
		}
		login, err = loginBy(ctx, tx, usedLink.User.ID, *hash)
		return err
	})
	if err != nil {
		return Login{}, fmt.Errorf("set a password by a link: %w", err)
	}
	return login, nil
}

// hashNew checks the password that a person sets by a link, and returns its hash. For an invitation, the password must
// differ from the person's passwords, because other people may know these.
func (s *Service) hashNew(ctx context.Context, link Link, password string) (*string, error) {
	if err := checkPassword(link.User.Email, password); err != nil {
		return nil, err
	}
	if link.Invites() {
		if err := s.countNew(ctx, link); err != nil {
			return nil, err
		}
	}
	hash, err := s.hash(ctx, link.User.Email, password)
	if err != nil || !link.Invites() {
		return hash, err
	}
	return hash, s.checkUnused(ctx, link.User, password)
}

// newPasswords is how many passwords may be tried within ratelimit.Window by the invitations of a person to an account.
const newPasswords = 10

// countNew counts a password that an invitation sets. The result tells whether the person has this password already,
// and the owner who made the invitation has its link too: without a limit, an owner could guess the passwords that open
// other accounts of the person, without a failed log-in. Each account has a limit of its own, so that the owner of one
// does not keep people out of another.
func (s *Service) countNew(ctx context.Context, link Link) error {
	d := s.limiter.Take(ctx, "new passwords "+link.AccountID+" "+link.User.ID, ratelimit.Write, newPasswords)
	if d.Allowed {
		return nil
	}
	return fault.New(fault.RateLimited, "This invitation has tried too many passwords. Try again in %d seconds.",
		int(d.RetryAfter.Seconds())).WithRetryAfter(d.RetryAfter)
}

// usePassword sets the password of a link that was used. The caller has locked the user.
func (s *Service) usePassword(ctx context.Context, tx *postgres.Tx, link Link, hash string) error {
	memberships, err := membershipsOf(ctx, tx, link.User.ID)
	if err != nil {
		return err
	}
	switch {
	case link.Invites():
		own := opensNone(memberships)
		if own {
			err = setPassword(ctx, tx, link.User.ID, hash)
		}
		if err != nil {
			return err
		}
		return s.join(ctx, tx, link, accountPassword(own, hash))
	case link.AccountID != "" && len(memberships) == 0,
		(link.AccountID != "" || !link.Resets) && len(memberships) > 1: // an owner may have made it
		return errLink
	}
	for _, m := range memberships {
		if err := setAccountPassword(ctx, tx, m, nil); err != nil {
			return err
		}
	}
	return setPassword(ctx, tx, link.User.ID, hash)
}

// accountPassword returns the value of a membership whose account opens by the user's own password, or by one with
// the hash.
func accountPassword(own bool, hash string) *string {
	if own {
		return nil
	}
	return &hash
}

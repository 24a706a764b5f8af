package users

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Login is a user who has logged in, with the log-in's proof.
type Login struct {
	User
	Proof Proof
}

// Proof records how a user proved who they are: by a password, or by an identity provider that verified the address. It
// decides which accounts the session opens. A password opens the accounts that have this password. A verified address
// opens all accounts.
//
// Addresses of users are not verified. The owner of any account can invite an address and set a password through that
// invitation, so a password opens only the accounts for which it was set.
type Proof struct {
	Verified  bool     // the identity provider verified the user's address
	Passwords []string // identifiers of the passwords that were right, which end when the password is replaced

	hashes []string // short hashes of these passwords, for the tokens of devices; set by a log-in only
}

// proofOf returns the proof of passwords that were right.
func proofOf(right []storedPassword) Proof {
	var p Proof
	for _, one := range right {
		p.Passwords, p.hashes = append(p.Passwords, one.id), append(p.hashes, hashID(one.hash))
	}
	return p
}

// Current reports whether the log-in still holds for a user who may work in no account at the moment.
func (l Login) Current() bool { return l.Proof.Opens(l.passwordID()) }

// verified is the key of a proof by the identity provider.
const verified = "verified"

// ParseProof returns the proof that String formatted.
func ParseProof(text string) Proof {
	if text == verified {
		return Proof{Verified: true}
	}
	return Proof{Passwords: strings.Split(text, ",")}
}

// String returns the text of the proof for ParseProof.
func (p Proof) String() string { return strings.Join(p.keys(), ",") }

// keys returns what two proofs have in common if they end together.
func (p Proof) keys() []string {
	if p.Verified {
		return []string{verified}
	}
	return p.Passwords
}

// Opens reports whether the proof opens an account that has the password with this identifier. The identifier is "" if
// no password opens the account.
func (p Proof) Opens(passwordID string) bool {
	return p.Verified || p.has(passwordID)
}

func (p Proof) has(passwordID string) bool {
	return passwordID != "" && slices.Contains(p.Passwords, passwordID)
}

// ProofBefore returns the proof of a session that a version of the service before began, which stores none.
func (u User) ProofBefore(generation int, signedOn bool) Proof {
	switch {
	case generation != u.Generation:
		return Proof{}
	case signedOn:
		return Proof{Verified: true}
	}
	return Proof{Passwords: []string{u.passwordID()}}
}

// passwordID returns the identifier of the user's own password, which LogOutEverywhere ends too.
func (u User) passwordID() string {
	if u.PasswordHash == nil {
		return ""
	}
	return hashID(*u.PasswordHash + " " + strconv.Itoa(u.Generation))
}

// passwordOf returns the identifier of the password that opens the account of a membership.
func (u User) passwordOf(m Membership) string {
	switch {
	case m.AccountPassword == nil:
		return u.passwordID()
	case *m.AccountPassword == "":
		return ""
	}
	return hashID(*m.AccountPassword)
}

// hashID returns a short hash of the hash of a password, for sessions.
func hashID(hash string) string {
	sum := sha256.Sum256([]byte(hash))
	return hex.EncodeToString(sum[:12])
}

// storedPassword is one of the passwords of a user.
type storedPassword struct{ id, hash string }

// passwords returns the different passwords of a user.
func (u User) passwords(memberships []Membership) []storedPassword {
	var list []storedPassword
	if u.PasswordHash != nil {
		list = append(list, storedPassword{u.passwordID(), *u.PasswordHash})
	}
	for _, m := range memberships {
		if m.AccountPassword == nil || *m.AccountPassword == "" {
			continue
		}
		if one := (storedPassword{u.passwordOf(m), *m.AccountPassword}); !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}

// membershipsOf returns the memberships of a user, in the order of the accounts.
func membershipsOf(ctx context.Context, q postgres.Querier, userID string) ([]Membership, error) {
	var list []Membership
	err := q.Select(ctx, &list, `
		SELECT `+membershipColumns+` FROM memberships WHERE user_id = $1 ORDER BY account_id`, userID)
	return list, err
}

// opensNone reports whether the user's own password opens none of the accounts.
func opensNone(memberships []Membership) bool {
	return !slices.ContainsFunc(memberships, func(m Membership) bool { return m.AccountPassword == nil })
}

// setPassword replaces the user's own password, which ends the sessions that it began.
func setPassword(ctx context.Context, tx *postgres.Tx, userID, hash string) error {
	_, err := tx.Exec(ctx, `
		UPDATE users SET password_hash = $2, generation = generation + 1 WHERE id = $1`, userID, hash)
	return err
}

// setAccountPassword sets the password that opens one account of a user; nil for the user's own.
func setAccountPassword(ctx context.Context, tx *postgres.Tx, m Membership, hash *string) error {
	_, err := tx.Exec(ctx, `UPDATE memberships SET account_password = $3 WHERE account_id = $1 AND user_id = $2`,
		m.AccountID, m.UserID, hash)
	return err
}

// loginBy returns the log-in of a user who has set the password with this hash.
func loginBy(ctx context.Context, tx *postgres.Tx, userID, hash string) (Login, error) {
	user, err := find(ctx, tx, "id", userID)
	if err != nil {
		return Login{}, err
	}
	passwordID := hashID(hash)
	if user.PasswordHash != nil && *user.PasswordHash == hash {
		passwordID = user.passwordID()
	}
	return Login{user, proofOf([]storedPassword{{passwordID, hash}})}, nil
}

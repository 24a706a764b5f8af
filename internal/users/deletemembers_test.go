package users

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

func TestService_DeleteMembersIn(t *testing.T) {
	t.Parallel()
	c, ctx := setup(t), t.Context()
	other, err := c.accounts.Create(ctx, "Eve's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	join := func(account, email string) {
		t.Helper()
		if _, err := c.Create(ctx, account, email, Member, "a password for "+account); err != nil {
			t.Fatal(err)
		}
	}
	invite := func(account, email string) {
		t.Helper()
		if _, err := c.Invite(ctx, account, email, Member); err != nil {
			t.Fatal(err)
		}
	}
	for _, email := range []string{"alone@example.com", "both@example.com", "invited-there@example.com"} {
		join(c.account, email)
	}
	join(other.ID, "both@example.com")
	join(other.ID, "theirs@example.com")
	invite(other.ID, "invited-there@example.com")
	invite(c.account, "invited-here@example.com")
	sessions := NewSessions(c.db)
	for _, email := range []string{ada, "both@example.com"} {
		user, err := c.ByEmail(ctx, email)
		if err != nil {
			t.Fatal(err)
		}
		data := []byte("\x00\xff user " + user.ID + " \x80") // as the version before stored it
		if err := sessions.CommitCtx(ctx, email, data, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	err = c.db.InTx(ctx, func(tx *postgres.Tx) error { return c.DeleteMembersIn(ctx, tx, c.account) })
	if err != nil {
		t.Fatal(err)
	}
	for email, kept := range map[string]bool{
		ada: false, "alone@example.com": false, "invited-here@example.com": false,
		"both@example.com": true, "theirs@example.com": true, "invited-there@example.com": true,
	} {
		_, err := c.ByEmail(ctx, email)
		if kept && err != nil || !kept && !fault.Is(err, fault.UserNotFound) {
			t.Errorf("%s: got %v, want kept %v", email, err, kept)
		}
	}
	for email, kept := range map[string]bool{ada: false, "both@example.com": true} {
		if _, found, err := sessions.FindCtx(ctx, email); err != nil || found != kept {
			t.Errorf("session of %s: found %v, %v, want %v", email, found, err, kept)
		}
	}
	if left, err := c.List(ctx, c.account); err != nil || len(left) != 0 {
		t.Errorf("users of the deleted account: %v, %v, want none", left, err)
	}
	if theirs, err := c.List(ctx, other.ID); err != nil || len(theirs) != 2 {
		t.Errorf("users of the other account: %v, %v, want two", theirs, err)
	}
	invitations, err := c.Invitations(ctx, other.ID)
	if err != nil || len(invitations) != 1 {
		t.Errorf("invitations of the other account: %v, %v, want one", invitations, err)
	}
}

package users

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
)

// newAccount creates another account whose owner has this address.
func (c *club) newAccount(t *testing.T, owner string) (accountID string, user User) {
	t.Helper()
	account, err := c.accounts.Create(t.Context(), "The shop", false)
	if err != nil {
		t.Fatal(err)
	}
	user, err = c.Create(t.Context(), account.ID, owner, Owner, password)
	if err != nil {
		t.Fatal(err)
	}
	return account.ID, user
}

func (c *club) invite(t *testing.T, accountID, email string, role Role) (secret string) {
	t.Helper()
	secret, err := c.Invite(t.Context(), accountID, email, role)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

// roles returns the roles of the account's users by their addresses.
func (c *club) roles(t *testing.T, accountID string) map[string]Role {
	t.Helper()
	list, err := c.List(t.Context(), accountID)
	if err != nil {
		t.Fatal(err)
	}
	roles := map[string]Role{}
	for _, user := range list {
		roles[user.Email] = user.Role
	}
	return roles
}

// wantRoles checks the users of the account besides ada.
func (c *club) wantRoles(t *testing.T, want map[string]Role) {
	t.Helper()
	got := c.roles(t, c.account)
	delete(got, ada)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
}

func (c *club) setPassword(t *testing.T, secret, password string) fault.Code {
	t.Helper()
	_, err := c.SetPassword(t.Context(), secret, password)
	return code(t, err)
}

// An owner who guesses the password of an invited person learns nothing beyond the limit, and the invitations of other
// accounts stay usable.
func TestService_InvitationGuessesPasswords(t *testing.T) {
	t.Parallel()
	c := setup(t)
	guesser, _ := c.newAccount(t, "mallory@example.com")
	other, _ := c.newAccount(t, "grace@example.com")
	waiting := c.invite(t, other, ada, Member)
	for n := range newPasswords {
		secret := c.invite(t, guesser, ada, Member)
		if _, err := c.SetPassword(t.Context(), secret, fmt.Sprintf("guess number %d", n)); err != nil {
			t.Fatal(err)
		}
		if err := c.Remove(t.Context(), guesser, c.ada.ID); err != nil {
			t.Fatal(err)
		}
	}
	secret := c.invite(t, guesser, ada, Member)
	for _, guess := range []string{password, "another wrong guess"} {
		if _, err := c.SetPassword(t.Context(), secret, guess); !fault.Is(err, fault.RateLimited) {
			t.Errorf("one more guess: got %v, want rate_limited", err)
		}
	}
	if _, err := c.SetPassword(t.Context(), waiting, "a password of her own"); err != nil {
		t.Errorf("the invitation of another account: %v", err)
	}
}

func TestService_Invite(t *testing.T) {
	t.Parallel()
	c := setup(t)
	const bob = "bob@example.com"
	first := c.invite(t, c.account, bob, Owner)
	second := c.invite(t, c.account, "BOB@example.com", Member)
	c.wantRoles(t, map[string]Role{})
	pending, err := c.Invitations(t.Context(), c.account)
	if err != nil || len(pending) != 1 || pending[0].Email != bob || pending[0].Role != Member {
		t.Errorf("Invitations = %+v, %v, want the second one", pending, err)
	}
	if got := c.setPassword(t, first, password); got != fault.LinkExpired {
		t.Errorf("an invitation that was replaced: got %q, want link_expired", got)
	}
	if got := c.setPassword(t, second, password); got != "" {
		t.Errorf("the invitation: got %q, want success", got)
	}
	c.wantRoles(t, map[string]Role{bob: Member})
	if got := c.setPassword(t, second, password); got != fault.LinkExpired {
		t.Errorf("the invitation again: got %q, want link_expired", got)
	}
	if got := c.logIn(t, home, bob, password); got != "" {
		t.Errorf("log-in: got %q, want success", got)
	}
	if pending, err := c.Invitations(t.Context(), c.account); err != nil || len(pending) != 0 {
		t.Errorf("Invitations = %+v, %v, want none", pending, err)
	}
}

func TestService_InviteRefuses(t *testing.T) {
	t.Parallel()
	c := setup(t)
	disabled := c.create(t, "disabled@example.com", Member, password)
	if err := c.Remove(t.Context(), c.account, disabled.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Disable(t.Context(), disabled.ID); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		account, email string
		role           Role
		want           fault.Code
	}{
		"account":  {"acc_unknown", "b@example.com", Member, fault.AccountNotFound},
		"address":  {c.account, "b", Member, fault.InvalidRequest},
		"role":     {c.account, "b@example.com", "admin", fault.InvalidRequest},
		"member":   {c.account, "ada@EXAMPLE.com", Member, fault.InvalidRequest},
		"disabled": {c.account, "disabled@example.com", Member, fault.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := c.Invite(t.Context(), tc.account, tc.email, tc.role)
			if got := code(t, err); got != tc.want {
				t.Errorf("Invite: got %q, want %q", got, tc.want)
			}
		})
	}
}

// Eve invites an address to her account and sets its password, before ada invites the person who has the address.
func TestService_InviteAcrossAccounts(t *testing.T) {
	t.Parallel()
	c := setup(t)
	shop, _ := c.newAccount(t, "eve@example.com")
	const bob, ofBob = "bob@example.com", "a password of bob"
	ofEve, ofAda := c.invite(t, shop, bob, Member), c.invite(t, c.account, bob, Owner)
	if got := c.setPassword(t, ofEve, password); got != "" {
		t.Fatalf("eve's invitation: got %q, want success", got)
	}
	evil := c.loggedIn(t, bob, password)
	if got := c.setPassword(t, ofAda, password); got != fault.InvalidRequest {
		t.Errorf("the password that eve knows: got %q, want invalid_request", got)
	}
	if _, err := c.Join(t.Context(), ofAda, c.loggedIn(t, ada, password), ofBob); !fault.Is(err, fault.LinkExpired) {
		t.Errorf("Join of another user: got %v, want link_expired", err)
	}
	if _, err := c.Join(t.Context(), ofEve, evil, ofBob); !fault.Is(err, fault.LinkExpired) {
		t.Errorf("Join by a used invitation: got %v, want link_expired", err)
	}
	if got := c.setPassword(t, ofAda, ofBob); got != "" {
		t.Errorf("ada's invitation: got %q, want success", got)
	}
	c.wantRoles(t, map[string]Role{bob: Owner})
	for name, tc := range map[string]struct {
		login Login
		want  []string
	}{
		"eve's session":  {evil, []string{shop}},
		"eve's password": {c.loggedIn(t, bob, password), []string{shop}},
		"bob's password": {c.loggedIn(t, bob, ofBob), []string{c.account}},
	} {
		if diff := cmp.Diff(tc.want, c.opened(t, tc.login)); diff != "" {
			t.Errorf("%s opens (-want +got):\n%s", name, diff)
		}
	}
}

func TestService_PasswordLinksEndWithAnotherAccount(t *testing.T) {
	t.Parallel()
	c := setup(t)
	shop, eve := c.newAccount(t, "eve@example.com")
	link := func(accountID, userID string) (string, fault.Code) {
		t.Helper()
		secret, err := c.NewMemberLink(t.Context(), accountID, userID)
		return secret, code(t, err)
	}
	before, got := link(shop, eve.ID)
	if got != "" {
		t.Fatalf("NewMemberLink of an own user: got %q, want success", got)
	}
	if _, got := link(c.account, eve.ID); got != fault.UserNotFound {
		t.Errorf("NewMemberLink of another account's user: got %q, want user_not_found", got)
	}
	if _, got := link(c.account, "usr_unknown"); got != fault.UserNotFound {
		t.Errorf("NewMemberLink of an unknown user: got %q, want user_not_found", got)
	}
	secret := c.invite(t, c.account, "eve@example.com", Owner)
	_, err := c.Join(t.Context(), secret, c.loggedIn(t, "eve@example.com", password), "a third password")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.setPassword(t, before, "another password"); got != fault.LinkExpired {
		t.Errorf("a link from before the user joined another account: got %q, want link_expired", got)
	}
	if _, got := link(shop, eve.ID); got != fault.InsufficientScope {
		t.Errorf("NewMemberLink of a user of two accounts: got %q, want insufficient_scope", got)
	}
}

func TestService_InvitationEnds(t *testing.T) {
	t.Parallel()
	const bob = "bob@example.com"
	for name, end := range map[string]func(c *club, userID string) error{
		"withdrawn": func(c *club, userID string) error { return c.Withdraw(t.Context(), c.account, userID) },
		"disabled": func(c *club, userID string) error {
			_, err := c.Disable(t.Context(), userID)
			return err
		},
		"removed": func(c *club, userID string) error {
			if _, err := c.Create(t.Context(), c.account, bob, Member, "another password"); err != nil {
				return err
			}
			return c.Remove(t.Context(), c.account, userID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := setup(t)
			secret := c.invite(t, c.account, bob, Member)
			user, err := c.ByEmail(t.Context(), bob)
			if err != nil {
				t.Fatal(err)
			}
			if err := end(c, user.ID); err != nil {
				t.Fatal(err)
			}
			if got := c.setPassword(t, secret, password); got != fault.LinkExpired {
				t.Errorf("SetPassword: got %q, want link_expired", got)
			}
			c.wantRoles(t, map[string]Role{})
			if got := code(t, c.Withdraw(t.Context(), c.account, user.ID)); got != fault.UserNotFound {
				t.Errorf("Withdraw again: got %q, want user_not_found", got)
			}
		})
	}
}

func TestService_WithdrawOfThisAccountOnly(t *testing.T) {
	t.Parallel()
	c := setup(t)
	shop, _ := c.newAccount(t, "eve@example.com")
	secret := c.invite(t, c.account, "bob@example.com", Member)
	user, err := c.ByEmail(t.Context(), "bob@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if got := code(t, c.Withdraw(t.Context(), shop, user.ID)); got != fault.UserNotFound {
		t.Errorf("Withdraw by another account: got %q, want user_not_found", got)
	}
	if _, err := c.ByLink(t.Context(), secret); err != nil {
		t.Errorf("ByLink: %v, want the invitation", err)
	}
}

// rejoin makes a user an owner of the club's account, who may have been removed or made a member before.
func (c *club) rejoin(t *testing.T, email string) User {
	t.Helper()
	user, err := c.Create(t.Context(), c.account, email, Owner, "")
	if errors.Is(err, ErrExists) {
		login, err := c.LogInVerified(t.Context(), Client{Address: home}, email)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Join(t.Context(), c.invite(t, c.account, email, Owner), login, ""); err != nil {
			t.Fatal(err)
		}
		return login.User
	}
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// Of two owners that demote or remove each other at the same time, one stays.
func TestService_KeepsAnOwnerInRaces(t *testing.T) {
	t.Parallel()
	c := setup(t)
	demote := func(ctx context.Context, userID string) error { return c.SetRole(ctx, c.account, userID, Member) }
	remove := func(ctx context.Context, userID string) error { return c.Remove(ctx, c.account, userID) }
	for round := range 20 {
		bob := c.rejoin(t, "bob@example.com")
		c.rejoin(t, ada)
		first, second := demote, demote
		if round%2 == 1 {
			second = remove
		}
		start := make(chan struct{})
		errs := make([]error, 2)
		var wait sync.WaitGroup
		wait.Go(func() { <-start; errs[0] = first(context.WithoutCancel(t.Context()), c.ada.ID) })
		wait.Go(func() { <-start; errs[1] = second(context.WithoutCancel(t.Context()), bob.ID) })
		close(start)
		wait.Wait()
		owners := 0
		for _, role := range c.roles(t, c.account) {
			if role == Owner {
				owners++
			}
		}
		codes := map[fault.Code]int{code(t, errs[0]): 1}
		codes[code(t, errs[1])]++
		if diff := cmp.Diff(map[fault.Code]int{"": 1, fault.LastOwner: 1}, codes); owners != 1 || diff != "" {
			t.Fatalf("round %d: %d owners, want 1; errors (-want +got):\n%s", round, owners, diff)
		}
	}
}

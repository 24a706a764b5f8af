package users

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
)

func (c *club) logInVerified(t *testing.T, email string) fault.Code {
	t.Helper()
	_, err := c.LogInVerified(t.Context(), Client{Address: home}, email)
	return code(t, err)
}

func TestService_LogInVerified(t *testing.T) {
	t.Parallel()
	c := setup(t)
	c.create(t, "kate@example.com", Member, "")
	c.create(t, "jörg@example.com", Member, "")
	disabled := c.create(t, "disabled@example.com", Member, password)
	if _, err := c.Disable(t.Context(), disabled.ID); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		email string
		want  fault.Code
	}{
		"user":                       {ada, ""},
		"other case":                 {"ADA@EXAMPLE.COM", ""},
		"without password":           {"kate@example.com", ""},
		"not in ASCII":               {"jörg@example.com", ""},
		"Kelvin sign for k":          {"\u212aate@example.com", fault.InsufficientScope},
		"other case, not in ASCII":   {"JÖRG@example.com", fault.InsufficientScope},
		"unknown":                    {"eve@example.com", fault.InsufficientScope},
		"disabled":                   {"disabled@example.com", fault.InsufficientScope},
		"none":                       {"", fault.InsufficientScope},
		"no address":                 {"ada", fault.InsufficientScope},
		"NUL":                        {"eve\x00@example.com", fault.InsufficientScope},
		"not in UTF-8":               {"eve\xff@example.com", fault.InsufficientScope},
		"address with another's end": {ada + "\n", fault.InsufficientScope},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.logInVerified(t, tc.email); got != tc.want {
				t.Errorf("LogInVerified: got %q, want %q", got, tc.want)
			}
			if user, err := c.ByEmail(t.Context(), tc.email); tc.want == "" && (err != nil || user.LastLoginAt == nil) {
				t.Errorf("after the log-in: got %+v, %v, want the time of the log-in", user, err)
			}
		})
	}
}

func TestService_LogInVerifiedCreatesNoUser(t *testing.T) {
	t.Parallel()
	c := setup(t)
	c.logInVerified(t, "eve@example.com")
	if _, err := c.ByEmail(t.Context(), "eve@example.com"); !fault.Is(err, fault.UserNotFound) {
		t.Errorf("ByEmail: got %v, want user_not_found", err)
	}
}

func TestService_AllowSignOn(t *testing.T) {
	t.Parallel()
	c := setup(t)
	for i := range signOnsPerAddress {
		if err := c.AllowSignOn(t.Context(), Client{Address: home}); err != nil {
			t.Fatalf("log-in %d: %v", i, err)
		}
	}
	err := c.AllowSignOn(t.Context(), Client{Address: home})
	if f, ok := fault.As(err); !ok || f.Code != fault.RateLimited || f.RetryAfter <= 0 {
		t.Errorf("after %d log-ins: got %v, want rate_limited with the time to wait", signOnsPerAddress, err)
	}
	if err := c.AllowSignOn(t.Context(), Client{Address: other}); err != nil {
		t.Errorf("another address: got %v, want success", err)
	}
	if got := c.logIn(t, home, ada, password); got != "" {
		t.Errorf("log-in by password: got %q, want success", got)
	}
}

// Ada invites a person who accepts after a log-in at the provider and has no password. Eve invites the same address
// to her account, and must not get into Ada's account by a password of the person that she sets.
func TestService_InviteAfterSignOn(t *testing.T) {
	t.Parallel()
	c := setup(t)
	shop, _ := c.newAccount(t, "eve@example.com")
	const bob = "bob@example.com"
	ofAda, ofEve := c.invite(t, c.account, bob, Owner), c.invite(t, shop, bob, Member)
	login, err := c.LogInVerified(t.Context(), Client{Address: home}, bob)
	if err != nil {
		t.Fatal(err)
	}
	if login, err = c.Join(t.Context(), ofAda, login, ""); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{c.account}, c.opened(t, login)); diff != "" {
		t.Errorf("bob's session opens (-want +got):\n%s", diff)
	}
	if got := c.setPassword(t, ofEve, password); got != "" {
		t.Fatalf("eve's invitation: got %q, want success", got)
	}
	if diff := cmp.Diff([]string{shop}, c.opened(t, c.loggedIn(t, bob, password))); diff != "" {
		t.Errorf("the password that eve set opens (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{c.account, shop}, c.opened(t, login)); diff != "" {
		t.Errorf("bob's session opens (-want +got):\n%s", diff)
	}
}

// Eve sets the password of an address before its owner logs in at the provider and accepts ada's invitation.
func TestService_SignOnAfterInvite(t *testing.T) {
	t.Parallel()
	c := setup(t)
	shop, _ := c.newAccount(t, "eve@example.com")
	const bob = "bob@example.com"
	if got := c.setPassword(t, c.invite(t, shop, bob, Member), password); got != "" {
		t.Fatalf("eve's invitation: got %q, want success", got)
	}
	login, err := c.LogInVerified(t.Context(), Client{Address: home}, bob)
	if err == nil {
		_, err = c.Join(t.Context(), c.invite(t, c.account, bob, Owner), login, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{shop}, c.opened(t, c.loggedIn(t, bob, password))); diff != "" {
		t.Errorf("the password that eve set opens (-want +got):\n%s", diff)
	}
}

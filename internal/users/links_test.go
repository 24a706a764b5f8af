package users

import (
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
)

func TestService_Link(t *testing.T) {
	t.Parallel()
	c := setup(t)
	invited := c.create(t, "bob@example.com", Member, "")
	first, err := c.NewLink(t.Context(), invited.ID)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := c.NewLink(t.Context(), invited.ID)
	if err != nil {
		t.Fatal(err)
	}
	set := func(secret, password string) fault.Code {
		t.Helper()
		_, err := c.SetPassword(t.Context(), secret, password)
		return code(t, err)
	}
	if got := set(first, password); got != fault.LinkExpired {
		t.Errorf("a link that was replaced: got %q, want link_expired", got)
	}
	if got := set(secret, "short"); got != fault.InvalidRequest {
		t.Errorf("a short password: got %q, want invalid_request", got)
	}
	if got := set(secret, password); got != "" {
		t.Errorf("the link: got %q, want success", got)
	}
	if got := set(secret, password); got != fault.LinkExpired {
		t.Errorf("the link again: got %q, want link_expired", got)
	}
	if got := c.logIn(t, home, "bob@example.com", password); got != "" {
		t.Errorf("log-in with the new password: got %q, want success", got)
	}
}

func TestService_LinkExpires(t *testing.T) {
	t.Parallel()
	c := setup(t)
	secret, err := c.NewLink(t.Context(), c.ada.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.db.Exec(t.Context(), `UPDATE user_links SET expires_at = expires_at - $1 * interval '1 second'`,
		LinkLifetime.Seconds()); err != nil {
		t.Fatal(err)
	}
	_, err = c.SetPassword(t.Context(), secret, "another password")
	if got := code(t, err); got != fault.LinkExpired {
		t.Errorf("SetPassword: got %q, want link_expired", got)
	}
	if got := c.logIn(t, home, ada, password); got != "" {
		t.Errorf("log-in with the old password: got %q, want success", got)
	}
}

func TestService_DisableEndsLinks(t *testing.T) {
	t.Parallel()
	c := setup(t)
	secret, err := c.NewLink(t.Context(), c.ada.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Disable(t.Context(), c.ada.ID); err != nil {
		t.Fatal(err)
	}
	_, err = c.SetPassword(t.Context(), secret, "another password")
	if got := code(t, err); got != fault.LinkExpired {
		t.Errorf("SetPassword: got %q, want link_expired", got)
	}
	_, err = c.NewLink(t.Context(), c.ada.ID)
	if got := code(t, err); got != fault.UserNotFound {
		t.Errorf("NewLink: got %q, want user_not_found", got)
	}
}

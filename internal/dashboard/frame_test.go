package dashboard

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/users"
)

func TestFrame(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newUser(s.account, "bob@example.com", users.Member)
	b := s.logIn(ada)
	home := b.get("/")
	for _, part := range []string{
		`<form class="find" method="get" action="/search"`, `<nav class="bar-nav"`, `data-go="h"`,
		`capture="environment"`, `<dialog id="keys"`, `<kbd>g</kbd> <kbd>c</kbd>`,
	} {
		b.want(home, http.StatusOK, part)
	}
	b.want(b.get("/keys"), http.StatusOK, "go to Listings")
	b.want(b.get("/more"), http.StatusOK, `<a href="/settings/users">Users</a>`)
	bob := s.logIn("bob@example.com")
	if more := bob.get("/more").body; strings.Contains(more, "/settings") || !strings.Contains(more, `href="/sales"`) {
		t.Errorf("a member's page has the wrong sections:\n%s", more)
	}
	stranger := s.browser()
	for _, part := range []string{"bar-nav", "<dialog", `class="find"`} {
		if strings.Contains(stranger.get("/login").body, part) {
			t.Errorf("the log-in has %s, which is for users", part)
		}
	}
}

package dashboard

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/users"
)

func TestMoreLinks(t *testing.T) {
	t.Parallel()
	for owner, want := range map[bool]string{
		false: "/import /batches /listings /sales",
		true:  "/import /batches /listings /sales /developers/tokens /settings",
	} {
		var paths []string
		for _, link := range moreLinks(owner) {
			paths = append(paths, link.Path)
		}
		if diff := cmp.Diff(want, strings.Join(paths, " ")); diff != "" {
			t.Errorf("for an owner %v (-want +got):\n%s", owner, diff)
		}
	}
}

// A key that leads to a section is in the list of keys.
func TestKeyGroups_HaveTheKeysOfSections(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, help := range keyGroups()[0].Keys {
		listed[strings.Join(help.Keys, " ")] = true
	}
	for path, key := range goKeys {
		if !listed["g "+key] {
			t.Errorf("the list of keys lacks g %s, which leads to %s", key, path)
		}
	}
}

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

package e2e

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/users"
)

func TestDashboard_Audit(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	owner := "owner-" + c.account + "@example.com"
	const bob, list = "bob@example.com", "/settings/users"
	done := func(p page) page {
		t.Helper()
		if p.StatusCode != http.StatusOK && p.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s: %d\n%s", p.Request.URL.Path, p.StatusCode, p.body)
		}
		return p
	}
	done(b.post("/settings", "name", "<script>alert(1)</script>", "currency", "EUR", "time_zone", "UTC"))
	made := done(b.post("/developers/tokens", "name", "till", "scope-read", "on"))
	token := regexp.MustCompile(`/developers/tokens/tok_\w+/`).FindAllString(made.body, -1)
	done(b.post(token[len(token)-1]+"rotate", "grace", "3600"))
	done(b.post(token[len(token)-1] + "revoke"))
	registered := done(b.post(webhooksPage, "url", "http://127.0.0.1:9999/a", "events", "listing.sold"))
	hook := registered.found(t, webhookLink)
	done(b.post(hook, "url", "http://127.0.0.1:9999/b", "events", "listing.sold"))
	done(b.post(hook + "/disable"))
	done(b.post(hook + "/enable"))
	rotated := done(b.post(hook+"/rotate", "grace", "0"))
	done(b.post(hook + "/delete"))
	done(b.post(list, "email", bob, "role", "member"))
	user, err := s.Users.ByEmail(t.Context(), bob)
	if err != nil {
		t.Fatal(err)
	}
	done(b.post(list + "/" + user.ID + "/withdraw"))
	link := done(b.post(list, "email", bob, "role", "member")).found(t, regexp.MustCompile(`(/password/\w+)<`))
	if _, err := s.Users.SetPassword(t.Context(), strings.TrimPrefix(link, "/password/"), browserPassword); err != nil {
		t.Fatal(err)
	}
	done(b.post(list+"/"+user.ID+"/role", "role", "owner"))
	done(b.post(list+"/"+user.ID+"/role", "role", "owner")) // changes nothing
	done(b.post(list + "/" + user.ID + "/link"))
	done(b.post(list + "/" + user.ID + "/remove"))
	c.do("POST", "/webhooks", `{"url":"http://127.0.0.1:9999/c"}`).want(t, http.StatusCreated, nil)

	audit := b.get("/settings/audit")
	b.want(audit, http.StatusOK, owner, "the operator", "the token test", "&lt;script&gt;alert(1)&lt;/script&gt;",
		"currency: USD → EUR")
	position := len(audit.body)
	for _, what := range []string{ // oldest first
		"added a user: " + owner, "changed the settings: ", "created a token: till", "rotated a token: till",
		"revoked a token: till", "registered a webhook: http://127.0.0.1:9999/a",
		"changed a webhook: http://127.0.0.1:9999/b", "disabled a webhook: ", "enabled a webhook: ",
		"rotated the secret of a webhook: ", "deleted a webhook: ", "invited a user: " + bob,
		"withdrew an invitation: " + bob, "invited a user: " + bob, "added a user: " + bob,
		"changed the role of a user: " + bob, "made a password link for a user: " + bob, "removed a user: " + bob,
		"registered a webhook: http://127.0.0.1:9999/c",
	} {
		found := strings.LastIndex(audit.body[:position], what)
		if found < 0 {
			t.Fatalf("%q is missing, or at another place:\n%s", what, audit.body)
		}
		position = found
	}
	for _, secret := range []string{
		"<script>alert", rotated.found(t, shownSecret), registered.found(t, shownSecret),
		strings.TrimPrefix(link, "/password/"),
	} {
		audit.lacks(t, secret)
	}
	if got := strings.Count(audit.body, "changed the role of a user"); got != 1 {
		t.Errorf("changes of the role: got %d, want 1", got)
	}
	eve := s.browser(t, s.client(t, false).account, users.Owner)
	other := eve.get("/settings/audit")
	eve.want(other, http.StatusOK)
	other.lacks(t, bob)
	other.lacks(t, "till")
}

func TestDashboard_AuditOfCards(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	card := c.create(`{"identification":{"title":"<script>alert(1)</script>"}}`)
	for n := range 51 { // more than a page
		box := fmt.Sprintf(`{"location":"Box %d"}`, n)
		c.do("PATCH", "/cards/"+card.ID, box).want(t, http.StatusOK, nil)
	}
	changes := b.get("/settings/audit?of=cards")
	b.want(changes, http.StatusOK, "the token test", "/cards/"+card.ID, "&lt;script&gt;alert(1)&lt;/script&gt;",
		"location: Box 49 → Box 50", `<a href="/settings/audit?of=cards" aria-current="page">Cards</a>`)
	changes.lacks(t, "<script>alert")
	older := html.UnescapeString(changes.found(t, regexp.MustCompile(`href="(/settings/audit\?[^"]*cursor=[^"]+)"`)))
	b.want(b.get(older), http.StatusOK, "location: – → Box 0", "added the card")
	b.want(b.get("/settings/audit?of=cards&cursor=x"), http.StatusBadRequest)
	eve := s.browser(t, s.client(t, false).account, users.Owner)
	other := eve.get("/settings/audit?of=cards")
	eve.want(other, http.StatusOK, "No card was changed yet")
	other.lacks(t, card.ID)
}

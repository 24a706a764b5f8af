package dashboard

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/usage"
	"github.com/cardvault/cardvault/internal/users"
)

// secret returns the token that a page shows.
func secret(t *testing.T, a answer) string {
	t.Helper()
	found := regexp.MustCompile(`<code>(cv_live_\w+)</code>`).FindStringSubmatch(a.body)
	if found == nil {
		t.Fatalf("the page shows no new token: %d %s", a.StatusCode, a.body)
	}
	return found[1]
}

// wantToken checks whether a token of the shop works.
func (s *shop) wantToken(secret string, works bool) caller.Caller {
	s.t.Helper()
	found, err := s.config.Accounts.Authenticate(s.t.Context(), secret)
	if works && (err != nil || found.AccountID != s.account.ID) || !works && !fault.Is(err, fault.RevokedToken) {
		s.t.Errorf("Authenticate = %+v, %v, want that the token works: %v", found, err, works)
	}
	return found
}

func TestTokens(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	const path = "/developers/tokens"
	b.want(b.get(path), http.StatusOK, "There are no tokens yet.")
	b.want(b.post(path, "name", "", "scope-read", "on"), http.StatusUnprocessableEntity, "must be 1 to 120 characters")
	b.want(b.post(path, "name", "till"), http.StatusUnprocessableEntity, "Choose at least one scope.")
	b.want(b.post(path, "name", "till"), http.StatusUnprocessableEntity, `value="till"`)
	first := secret(t, b.post(path, "name", "till", "scope-read", "on", "scope-webhooks", "on"))
	if got := s.wantToken(first, true); got.May(caller.WriteScope) || !got.May(caller.WebhooksScope) {
		t.Errorf("scopes: got %v, want read and webhooks", got.Scopes)
	}
	page := b.get(path)
	b.want(page, http.StatusOK, "read, webhooks")
	if strings.Contains(page.body, first) {
		t.Error("the token is shown again")
	}
	actions := regexp.MustCompile(path + `/tok_\w+/`).FindString(page.body)
	b.want(b.post(actions+"rotate", "grace", "1e9"), http.StatusBadRequest, "grace")
	b.want(b.post(actions+"rotate", "grace", "604801"), http.StatusBadRequest, "grace")
	second := secret(t, b.post(actions+"rotate", "grace", "3600"))
	s.wantToken(first, true)
	s.wantToken(second, true)
	b.want(b.get(path), http.StatusOK, "works until")
	b.wantRedirect(b.post(actions+"revoke"), path)
	s.wantToken(first, false)
	s.wantToken(second, true)
	b.want(b.post(actions+"rotate", "grace", "0"), http.StatusUnauthorized, "is revoked")
}

func TestTokens_ForOwnersOfTheAccountOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	token, kept, err := s.config.Accounts.CreateToken(t.Context(), s.account.ID, "till", ratelimit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s.newUser(s.account, "bob@example.com", users.Member)
	s.newUser(s.newAccount("Eve's cards"), "eve@example.com", users.Owner)
	const path = "/developers/tokens"
	for email, want := range map[string]int{
		"bob@example.com": http.StatusForbidden, "eve@example.com": http.StatusNotFound,
	} {
		b := s.logIn(email)
		b.want(b.post(path+"/"+token.ID+"/revoke"), want, "")
		b.want(b.post(path+"/"+token.ID+"/rotate", "grace", "0"), want, "")
	}
	bob := s.logIn("bob@example.com")
	bob.want(bob.get(path), http.StatusForbidden, "Only owners of the account can do this.")
	bob.want(bob.post(path, "name", "mine", "scope-read", "on"), http.StatusForbidden, "")
	if page := bob.get("/"); strings.Contains(page.body, path) {
		t.Error("a member's navigation has the page")
	}
	if page := s.logIn("eve@example.com").get(path); strings.Contains(page.body, token.LastFour) {
		t.Error("another account's page shows the token")
	}
	s.wantToken(kept, true)
}

func TestTokens_ShowUsage(t *testing.T) {
	t.Parallel()
	s := setup(t)
	limits := ratelimit.Limits{Read: 4000, Write: 2}
	token, _, err := s.config.Accounts.CreateToken(t.Context(), s.account.ID, "till", limits)
	if err != nil {
		t.Fatal(err)
	}
	for range 1200 {
		s.config.Limiter.Take(t.Context(), token.ID, ratelimit.Read, limits.Read)
	}
	for range 3 {
		s.config.Limiter.Take(t.Context(), token.ID, ratelimit.Write, limits.Write)
	}
	b := s.logIn(ada)
	for range 2 { // looking does not count
		page := b.get("/developers/tokens")
		for _, text := range []string{
			"1,200 of 4,000", `<rect width="30"`, "2 of 2", `<rect width="100"`, "used up for", "0 of 5",
			"Each process of the service counts by itself",
		} {
			b.want(page, http.StatusOK, text)
		}
	}
}

func TestTokens_ShowHistory(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const path = "/developers/tokens"
	create := func(account, name string) accounts.Token {
		token, _, err := s.config.Accounts.CreateToken(t.Context(), account, name, ratelimit.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	till, scanner, unused := create(s.account.ID, "till"), create(s.account.ID, "scanner"), create(s.account.ID, "new")
	eve := s.newAccount("Eve's cards")
	theirs := create(eve.ID, "hers")
	b := s.logIn(ada)
	b.want(b.get(path), http.StatusOK, "No program sent a request.")
	counter := usage.NewCounter(s.db)
	for i := range 1500 {
		counter.Count(s.account.ID, till.ID, ratelimit.Read, i < 7)
		counter.Count(eve.ID, theirs.ID, ratelimit.AI, true)
	}
	counter.Count(s.account.ID, scanner.ID, ratelimit.Write, false)
	if err := counter.Store(t.Context()); err != nil {
		t.Fatal(err)
	}
	const tillFigures = `<td class="figure">1,500</td><td class="figure">0</td><td class="figure">0</td>` +
		`<td class="figure">7</td>`
	all := b.get(path)
	for _, text := range []string{
		`<rect class="refused"`, "The highest bar has 1,501 requests.",
		`<a href="/developers/tokens?token=` + till.ID + `#history">till</a></th>` + tillFigures, ">scanner</a></th>",
		`<td class="figure">1,500</td><td class="figure">1</td><td class="figure">0</td><td class="figure">7</td>`,
	} {
		b.want(all, http.StatusOK, text)
	}
	if strings.Contains(all.body, "hers") {
		t.Error("the page shows another account's token")
	}
	one := b.get(path + "?token=" + till.ID)
	for _, text := range []string{
		"Requests in the last 7 days: till", "Show the requests of all tokens", tillFigures,
	} {
		b.want(one, http.StatusOK, text)
	}
	if strings.Contains(one.body, ">scanner</a></th>") {
		t.Error("the requests of one token have those of another")
	}
	b.want(b.get(path+"?token="+unused.ID), http.StatusOK, "No program sent a request with this token.")
	for _, token := range []string{theirs.ID, "x"} {
		b.want(b.get(path+"?token="+token), http.StatusNotFound, "")
	}
}

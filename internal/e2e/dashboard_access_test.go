package e2e

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/dashboard"
	"github.com/cardvault/cardvault/internal/users"
)

// shop is an account with something of every kind that a path of the dashboard can name.
type shop struct {
	*client
	ids   []string // of things of the account, at most three of each kind
	kinds []string // one of each kind
}

// shop creates an account with everything of own, a card to review, an import of a file, an archive, a token, two users
// and a view.
func (s *service) shop(t testing.TB) *shop {
	t.Helper()
	c := s.client(t, false)
	c.own()
	unknown := c.create(`{}`)
	c.do("PUT", "/cards/"+unknown.ID+"/photos/front", blank(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	c.do("POST", "/identify", `{"card_id":"`+unknown.ID+`"}`).want(t, http.StatusOK, nil)
	file := strings.NewReader("title\nEmber Fox\n")
	if _, err := s.CSVFiles().Import(t.Context(), c.account, file, csvfile.ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Users.Create(t.Context(), c.account, "bob-"+c.account+"@example.com", users.Member, ""); err != nil {
		t.Fatal(err)
	}
	invited := "carol-" + c.account + "@example.com"
	if _, err := s.Users.Invite(t.Context(), c.account, invited, users.Member); err != nil {
		t.Fatal(err)
	}
	s.export(t, c.account)
	if err := s.Views.Save(t.Context(), c.account, "Foxes", "q=fox"); err != nil {
		t.Fatal(err)
	}
	return &shop{client: c, ids: s.identifiers(t, c.account, 3), kinds: s.identifiers(t, c.account, 1)}
}

// identifiers returns the identifiers of things of an account, so many with each prefix. It finds them in all tables,
// so that it also has kinds that no test names.
func (s *service) identifiers(t testing.TB, account string, each int) []string {
	t.Helper()
	var ids []string
	known, kinds := map[string]bool{account: true}, map[string]int{}
	for _, table := range s.accountTables(t) {
		var found []string
		err := s.DB.Select(t.Context(), &found, fmt.Sprintf(`
			SELECT DISTINCT found[1] FROM %s t,
			regexp_matches(to_jsonb(t)::text, '\m[a-z]+_[0-9a-hjkmnp-tv-z]{26}\M', 'g') AS found
			WHERE account_id = $1 ORDER BY 1`, table), account)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range found {
			prefix, _, _ := strings.Cut(id, "_")
			if !known[id] && kinds[prefix] < each {
				known[id], ids = true, append(ids, id)
				kinds[prefix]++
			}
		}
	}
	return ids
}

// accountTables returns the tables whose rows belong to accounts.
func (s *service) accountTables(t testing.TB) []string {
	t.Helper()
	var tables []string
	err := s.DB.Select(t.Context(), &tables, `
		SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
		WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY c.relname`)
	if err != nil || len(tables) == 0 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	return tables
}

var pathVariable = regexp.MustCompile(`\{[^{}]+\}`)

// fill returns the path with every combination of values in place of its variables.
func fill(path string, values func(position int) []string) []string {
	literals := pathVariable.Split(path, -1)
	paths := literals[:1]
	for i, literal := range literals[1:] {
		var longer []string
		for _, start := range paths {
			for _, value := range values(i) {
				longer = append(longer, start+value+literal)
			}
		}
		paths = longer
	}
	return paths
}

// request sends what a link or an empty form of a page sends.
func (b *browser) request(method, path string) page {
	b.t.Helper()
	if method == http.MethodGet {
		return b.get(path)
	}
	return b.post(path)
}

// in returns the browser for a subtest.
func (b *browser) in(t testing.TB) *browser {
	copied := *b
	copied.t = t
	return &copied
}

// another returns a browser without a session.
func (b *browser) another() *browser {
	b.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return &browser{t: b.t, base: b.base, http: visitor(jar)}
}

// logIn begins a session of a user that was created by service.browser.
func (b *browser) logIn(accountID string, role users.Role) {
	b.t.Helper()
	email := string(role) + "-" + accountID + "@example.com"
	b.wantRedirect(b.post("/login", "email", email, "password", browserPassword), "/")
}

// fromOtherSite sends an empty form as a page of another site would.
func (b *browser) fromOtherSite(path string) page {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.base+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	response, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	return page{Response: response}
}

// toLogin checks that a route leads a request without a session to the log-in, and from there back to a page.
func (b *browser) toLogin(route dashboard.Route, path string) {
	b.t.Helper()
	want := "/login"
	if route.Method == http.MethodGet && path != "/" {
		want += "?next=" + url.QueryEscape(path)
	}
	b.wantRedirect(b.request(route.Method, path), want)
}

// TestDashboard_Access sends forbidden requests to every route of the dashboard. None changes anything.
// A route of a new page is tested without a change here.
func TestDashboard_Access(t *testing.T) {
	t.Parallel()
	s := start(t)
	theirs, mine := s.shop(t), s.shop(t)
	owner, member := s.browser(t, mine.account, users.Owner), s.browser(t, mine.account, users.Member)
	visitor, stolen := member.another(), member.another()
	stolen.logIn(mine.account, users.Member)
	member.wantRedirect(member.post("/logout/everywhere"), "/login")
	member.logIn(mine.account, users.Member)
	before := s.snapshot(t)
	for _, route := range dashboard.Routes(app.Marketplaces...) {
		t.Run(route.Method+" "+route.Path, func(t *testing.T) {
			for _, path := range fill(route.Path, func(int) []string { return mine.kinds }) {
				if route.Method == http.MethodPost {
					owner.in(t).want(owner.in(t).fromOtherSite(path), http.StatusForbidden)
				}
				if route.Access == dashboard.ForAnyone {
					continue
				}
				visitor.in(t).toLogin(route, path)
				if !strings.HasPrefix(route.Path, "/logout") { // which would end the session after all
					stolen.in(t).toLogin(route, path)
				}
				if route.Access == dashboard.ForOwners {
					member.in(t).want(member.in(t).request(route.Method, path), http.StatusForbidden)
				}
			}
			if route.Access != dashboard.ForAnyone {
				owner.in(t).seesNothingOf(theirs, mine, route)
			}
		})
	}
	s.unchanged(t, before)
}

// seesNothingOf checks that each variable of a route's path takes no identifier of another account. A handler must look
// for the thing before it checks what a form says.
func (b *browser) seesNothingOf(theirs, mine *shop, route dashboard.Route) {
	b.t.Helper()
	for position := range pathVariable.FindAllString(route.Path, -1) {
		for _, path := range fill(route.Path, func(i int) []string {
			if i == position {
				return theirs.kinds
			}
			return mine.kinds
		}) {
			b.want(b.request(route.Method, path), http.StatusNotFound)
		}
	}
}

// TestDashboard_FindsOwn checks that every route finds something of the user's own account, without which
// TestDashboard_Access would prove nothing, and that GET changes nothing.
func TestDashboard_FindsOwn(t *testing.T) {
	t.Parallel()
	s := start(t)
	mine := s.shop(t)
	owner := s.browser(t, mine.account, users.Owner)
	before := s.snapshot(t)
	for _, route := range dashboard.Routes(app.Marketplaces...) {
		if route.Access != dashboard.ForAnyone && route.Method == http.MethodGet {
			owner.in(t).finds(mine, route)
		}
	}
	s.unchanged(t, before)
	for _, route := range dashboard.Routes(app.Marketplaces...) {
		if route.Access == dashboard.ForAnyone || route.Method == http.MethodGet || !strings.Contains(route.Path, "{") {
			continue
		}
		t.Run(route.Method+" "+route.Path, func(t *testing.T) {
			t.Parallel()
			mine := s.shop(t) // of its own, because the request may change it
			s.browser(t, mine.account, users.Owner).finds(mine, route)
		})
	}
}

// finds checks that a route finds what one of the shop's identifiers names.
func (b *browser) finds(mine *shop, route dashboard.Route) {
	b.t.Helper()
	for _, path := range fill(route.Path, func(int) []string { return mine.ids }) {
		switch got := b.request(route.Method, path); {
		case got.StatusCode >= http.StatusInternalServerError, strings.HasPrefix(got.Header.Get("Location"), "/login"):
			b.t.Fatalf("%s %s: got %d: %s", route.Method, path, got.StatusCode, got.body)
		case got.StatusCode != http.StatusNotFound:
			return
		}
	}
	b.t.Errorf("%s %s finds nothing of %v: let shop create what it names", route.Method, route.Path, mine.ids)
}

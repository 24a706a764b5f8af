package e2e

import (
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/signon/signontest"
	"github.com/cardvault/cardvault/internal/users"
)

const signOnPage, callbackPage = "/login/oidc", "/login/oidc/callback"

// startWithProvider runs the service with an identity provider at this URL.
func startWithProvider(t testing.TB, issuer string) *service {
	t.Helper()
	return start(t, func(c *config.Config) {
		c.OIDCIssuer, c.OIDCClientID, c.OIDCClientSecret = issuer, signontest.ClientID, signontest.ClientSecret
		c.OIDCLabel = "Log in at the shop"
	})
}

// member creates a user of the account and returns a browser without a session.
func (s *service) member(t testing.TB, accountID, email string) *browser {
	t.Helper()
	if _, err := s.Users.Create(t.Context(), accountID, email, users.Member, browserPassword); err != nil {
		t.Fatal(err)
	}
	return (&browser{t: t, base: strings.TrimSuffix(s.url, "/api"), http: visitor(nil)}).another()
}

var refreshed = regexp.MustCompile(`http-equiv="refresh" content="0; url=([^"]+)"`)

// beginSignOn presses the button and logs in at the provider. It returns the path to which the provider leads back.
func (b *browser) beginSignOn(next string) string {
	b.t.Helper()
	p := b.post(signOnPage, "next", next)
	b.want(p, http.StatusOK, "Log in at the shop")
	found := refreshed.FindStringSubmatch(p.body)
	if found == nil {
		b.t.Fatalf("the page leads nowhere:\n%s", p.body)
	}
	back := signontest.LogIn(b.t, html.UnescapeString(found[1]))
	if got := back.Scheme + "://" + back.Host; got != b.base || back.Path != callbackPage {
		b.t.Fatalf("the provider leads back to %s%s, want %s%s", got, back.Path, b.base, callbackPage)
	}
	return back.RequestURI()
}

func TestDashboard_SignOn(t *testing.T) {
	t.Parallel()
	p := signontest.Start(t, "")
	s := startWithProvider(t, p.URL)
	account := s.client(t, false).account
	b := s.member(t, account, "ada@example.com")
	if got := p.Requests(signontest.Discovery); got != 0 {
		t.Errorf("the start sent %d requests to the provider, want none", got)
	}
	p.Set(signontest.Person("Ada@Example.com"))
	b.want(b.get("/login?next=/cards?status=priced"), http.StatusOK, "Log in at the shop</button>")
	back := b.beginSignOn("/cards?status=priced")
	b.wantRedirect(b.get(back), "/cards?status=priced")
	b.want(b.get("/"), http.StatusOK, "ada@example.com")
	b.want(b.get(back), http.StatusUnprocessableEntity, "Begin again.")
	b.wantRedirect(b.post("/logout"), "/login")
	b.wantRedirect(b.get("/cards"), "/login?next=%2Fcards")
	user, err := s.Users.ByEmail(t.Context(), "ada@example.com")
	if err != nil || user.LastLoginAt == nil {
		t.Errorf("after a log-in: got %+v, %v, want its time", user, err)
	}
	for _, next := range []string{"//evil.example", "https://evil.example/", "/\\evil.example"} {
		b.wantRedirect(b.get(b.beginSignOn(next)), "/")
	}
}

// A log-in that is refused shows the reason on the page of the log-in, begins no session and creates no user.
func TestDashboard_SignOnRefuses(t *testing.T) {
	t.Parallel()
	p := signontest.Start(t, "")
	s := startWithProvider(t, p.URL)
	account := s.client(t, false).account
	s.member(t, account, "ada@example.com")
	b := s.member(t, account, "disabled@example.com")
	disabled, err := s.Users.ByEmail(t.Context(), "disabled@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Users.Disable(t.Context(), disabled.ID); err != nil {
		t.Fatal(err)
	}
	with := func(claim string, value any) signontest.Answer {
		a := signontest.Person("ada@example.com")
		a.Claims[claim] = value
		return a
	}
	other := signontest.Person("ada@example.com")
	other.OtherKey = true
	const notVerified, invalid = "could not be verified", http.StatusUnprocessableEntity
	before := s.snapshot(t)["users"]
	for name, tc := range map[string]struct {
		answer signontest.Answer
		change func(path string) string // of the path to which the provider leads back
		status int
		want   string
	}{
		"nonce":      {with("nonce", "x"), nil, http.StatusBadGateway, notVerified},
		"audience":   {with("aud", "x"), nil, http.StatusBadGateway, notVerified},
		"expired":    {with("exp", time.Now().Add(-time.Minute).Unix()), nil, http.StatusBadGateway, notVerified},
		"key":        {other, nil, http.StatusBadGateway, notVerified},
		"unverified": {with("email_verified", false), nil, http.StatusForbidden, "has not verified your"},
		"unknown":    {signontest.Person("eve@example.com"), nil, http.StatusForbidden, "for an invitation"},
		"disabled":   {signontest.Person("disabled@example.com"), nil, http.StatusForbidden, "Your user is disabled."},
		"cancelled":  {signontest.Answer{Error: "access_denied"}, nil, invalid, "The log-in was cancelled"},
		"script":     {signontest.Answer{Error: "<script>"}, nil, http.StatusBadGateway, notVerified},
		"down": {signontest.Answer{Failing: signontest.Token}, nil, http.StatusServiceUnavailable,
			"cannot be reached"},
		"state": {signontest.Person("ada@example.com"), func(path string) string {
			return path + "x" // the state is the last parameter
		}, invalid, "Begin again."},
		"code": {signontest.Person("ada@example.com"), func(path string) string {
			return strings.Replace(path, "code=", "code=x", 1)
		}, http.StatusBadGateway, notVerified},
	} {
		t.Run(name, func(t *testing.T) { // one after the other, because they change the provider
			b := b.another().in(t)
			p.Set(tc.answer)
			path := b.beginSignOn("/cards")
			if tc.change != nil {
				path = tc.change(path)
			}
			refused := b.get(path)
			b.want(refused, tc.status, tc.want, `name="next" value="/cards"`, `name="password"`)
			refused.lacks(t, "<script>")
			b.wantRedirect(b.get("/cards"), "/login?next=%2Fcards")
			p.Set(signontest.Person("ada@example.com"))
			b.want(b.get(path), invalid, "Begin again.") // an attempt is used once
		})
	}
	if got := s.snapshot(t)["users"]; got != before {
		t.Errorf("the users changed: got %s, want %s", got, before)
	}
}

func TestDashboard_SignOnWithoutProvider(t *testing.T) {
	t.Parallel()
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	for name, s := range map[string]*service{"down": startWithProvider(t, down.URL), "not configured": start(t)} {
		t.Run(name, func(t *testing.T) {
			b := s.member(t, s.client(t, false).account, "ada@example.com")
			begun := b.post(signOnPage, "next", "/cards")
			if name == "down" {
				b.want(begun, http.StatusServiceUnavailable, "cannot be reached at the moment", `name="password"`)
			} else {
				b.want(begun, http.StatusNotFound)
				b.want(b.get(callbackPage+"?state=a&code=b"), http.StatusNotFound)
				b.get("/login").lacks(t, signOnPage)
			}
			b.wantRedirect(b.post("/login", "email", "ada@example.com", "password", browserPassword), "/")
		})
	}
}

// The provider goes down between the beginning of a log-in and its end.
func TestDashboard_SignOnProviderGoesDown(t *testing.T) {
	t.Parallel()
	p := signontest.Start(t, "")
	s := startWithProvider(t, p.URL)
	b := s.member(t, s.client(t, false).account, "ada@example.com")
	p.Set(signontest.Person("ada@example.com"))
	path := b.beginSignOn("/")
	p.Close()
	b.want(b.get(path), http.StatusServiceUnavailable, "cannot be reached at the moment", `name="password"`)
	b.wantRedirect(b.post("/login", "email", "ada@example.com", "password", browserPassword), "/")
}

package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/dashboard/login"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/signon"
	"github.com/cardvault/cardvault/internal/users"
)

// provider is an identity provider that returns what the test sets.
type provider struct {
	email     string
	beginErr  error
	finishErr error
}

const providerURL = "https://login.example/authorize?client_id=a&state=b"

// Begin implements SignOn.
func (p *provider) Begin(context.Context) (string, signon.Attempt, error) {
	return providerURL, signon.Attempt{State: "b", Nonce: "nonce", Verifier: "verifier"}, p.beginErr
}

// Finish implements SignOn.
func (p *provider) Finish(_ context.Context, a signon.Attempt, answer url.Values) (string, error) {
	if a != (signon.Attempt{State: answer.Get("state"), Nonce: "nonce", Verifier: "verifier"}) {
		return "", signon.ErrStale
	}
	return p.email, p.finishErr
}

// useProvider serves the dashboard with a provider, and with this clock.
func (s *shop) useProvider(p *provider, now func() time.Time) {
	s.t.Helper()
	s.config.SignOn, s.config.SignOnLabel, s.config.Clock = p, `Ada's <log-in>`, clock.Clock{Now: now}
	handler, err := New(s.config)
	if err != nil {
		s.t.Fatal(err)
	}
	s.server.Config.Handler = handler
}

const answered = login.SignOnCallback + "?state=b&code=c"

func TestSignOn(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.useProvider(&provider{email: ada}, time.Now)
	b := s.browser()
	b.want(b.get("/login?next=/cards?a=1"), http.StatusOK, "Ada&#39;s &lt;log-in&gt;</button>")
	leading := b.post("/login/oidc", "next", "/cards?a=1")
	for _, text := range []string{
		`<meta http-equiv="refresh" content="0; url=https://login.example/authorize?client_id=a&amp;state=b">`,
		`href="https://login.example/authorize?client_id=a&amp;state=b"`, "<strong>login.example</strong>",
	} {
		b.want(leading, http.StatusOK, text)
	}
	if cookie := named(leading.Cookies(), "cardvault_session"); cookie.MaxAge > int(login.AttemptLifetime.Seconds())+1 {
		t.Errorf("the session without a user lasts %d s, want %s", cookie.MaxAge, login.AttemptLifetime)
	}
	before := named(b.http.Jar.Cookies(b.request("GET", "/", nil).URL), "cardvault_session").Value
	finished := b.get(answered)
	b.wantRedirect(finished, "/cards?a=1")
	if cookie := named(finished.Cookies(), "cardvault_session"); cookie.Value == before || cookie.MaxAge < 13*24*3600 {
		t.Errorf("the session of the user: got %+v, want a new token and 14 days", cookie)
	}
	b.want(b.get("/"), http.StatusOK, ada)
	b.want(b.get(answered), http.StatusUnprocessableEntity, signon.ErrStale.Message)
	b.want(b.get("/"), http.StatusOK, ada)
	b.wantRedirect(b.post("/logout"), "/login")
	b.wantRedirect(b.get("/"), "/login")
}

func TestSignOn_Refused(t *testing.T) {
	t.Parallel()
	const again, invalid = "Begin again.", http.StatusUnprocessableEntity
	down := fault.New(fault.Unavailable, "The provider is down.")
	for name, tc := range map[string]struct {
		provider provider
		path     string
		wait     time.Duration
		status   int
		want     string
	}{
		"success":       {provider{email: ada}, answered, 9 * time.Minute, http.StatusSeeOther, ""},
		"too late":      {provider{email: ada}, answered, 11 * time.Minute, invalid, again},
		"another state": {provider{email: ada}, login.SignOnCallback + "?state=x", 0, invalid, again},
		"no query":      {provider{email: ada}, login.SignOnCallback, 0, invalid, again},
		"unknown user": {provider{email: "eve@example.com"}, answered, 0, http.StatusForbidden,
			"Ask an owner of the account for an invitation"},
		"down": {provider{finishErr: down}, answered, 0, http.StatusServiceUnavailable, down.Message},
		"too slow": {provider{finishErr: context.DeadlineExceeded}, answered, 0, http.StatusServiceUnavailable,
			"This took too long."},
		"another error": {provider{finishErr: http.ErrBodyNotAllowed}, answered, 0, http.StatusInternalServerError,
			"Something went wrong"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			var waited atomic.Int64
			s.useProvider(&tc.provider, func() time.Time { return time.Now().Add(time.Duration(waited.Load())) })
			b := s.browser()
			b.want(b.post("/login/oidc", "next", "/cards"), http.StatusOK, "login.example")
			waited.Store(int64(tc.wait))
			a := b.get(tc.path)
			b.want(a, tc.status, tc.want)
			if tc.status == http.StatusSeeOther {
				return
			}
			if tc.status != http.StatusInternalServerError {
				b.want(a, tc.status, `name="next" value="/cards"`)
				b.want(a, tc.status, `name="password"`)
			}
			b.want(b.get(answered), invalid, again) // an attempt is used once
			b.wantRedirect(b.get("/"), "/login")
		})
	}
}

func TestSignOn_ProviderIsDown(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.useProvider(&provider{beginErr: fault.New(fault.Unavailable, "The provider is down.")}, time.Now)
	b := s.browser()
	a := b.post("/login/oidc", "next", "/cards")
	b.want(a, http.StatusServiceUnavailable, "The provider is down.")
	b.want(a, http.StatusServiceUnavailable, `name="next" value="/cards"`)
	b.wantRedirect(b.post("/login", "email", ada, "password", password, "next", "/cards"), "/cards")
}

func TestSignOn_StaysOnThisSite(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.useProvider(&provider{email: ada}, time.Now)
	for _, next := range []string{"https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"} {
		b := s.browser()
		b.want(b.post("/login/oidc", "next", next), http.StatusOK, "login.example")
		b.wantRedirect(b.get(answered), "/")
	}
}

func TestSignOn_AnotherBrowser(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.useProvider(&provider{email: ada}, time.Now)
	b, victim := s.browser(), s.browser()
	b.want(b.post("/login/oidc"), http.StatusOK, "")
	victim.want(victim.get(answered), http.StatusUnprocessableEntity, "Begin again.")
	victim.wantRedirect(victim.get("/"), "/login")
}

func TestSignOn_IsSlowedDown(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.useProvider(&provider{email: ada}, time.Now)
	b := s.browser()
	for range 100 {
		if a := b.post("/login/oidc"); a.StatusCode == http.StatusTooManyRequests {
			b.want(a, http.StatusTooManyRequests, "Too many attempts to log in. Try again in")
			if a.Header.Get("Retry-After") == "" {
				t.Error("Retry-After is missing")
			}
			return
		}
	}
	t.Error("100 log-ins began: no answer was 429")
}

func TestSignOn_NotConfigured(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.browser()
	b.want(b.post("/login/oidc"), http.StatusNotFound, "There is no such page")
	b.want(b.get(answered), http.StatusNotFound, "There is no such page")
	if a := b.get("/login"); strings.Contains(a.body, "/login/oidc") {
		t.Errorf("the log-in has a button that leads nowhere:\n%s", a.body)
	}
}

func TestSignOn_AcceptsInvitation(t *testing.T) {
	t.Parallel()
	const bob = "bob@example.com"
	s := setup(t)
	s.useProvider(&provider{email: bob}, time.Now)
	secret, err := s.config.Users.Invite(t.Context(), s.account.ID, bob, users.Member)
	if err != nil {
		t.Fatal(err)
	}
	b, path := s.browser(), "/password/"+secret
	b.want(b.get(path), http.StatusOK, `name="next" value="`+path+`"`)
	b.want(b.post("/login/oidc", "next", path), http.StatusOK, "login.example")
	b.wantRedirect(b.get(answered), path)
	b.want(b.get(path), http.StatusOK, "Join an account")
	b.wantRedirect(b.post(path), "/")
	b.want(b.get("/"), http.StatusOK, bob)
	b.want(b.get(path), http.StatusGone, "")
}

// Another person set the password of the invited user, who logs in at the provider: the password does not open the
// account.
func TestSignOn_InvitationOfUserWithPassword(t *testing.T) {
	t.Parallel()
	const bob = "bob@example.com"
	s := setup(t)
	s.useProvider(&provider{email: bob}, time.Now)
	shop := s.newAccount("Eve's cards")
	s.newUser(shop, bob, users.Member)
	b, path := s.browser(), "/password/"+s.invite(s.account, bob, users.Member)
	b.want(b.post("/login/oidc"), http.StatusOK, "login.example")
	b.wantRedirect(b.get(answered), "/")
	b.want(b.get(path), http.StatusOK, "Join an account")
	b.wantRedirect(b.post(path), "/")
	b.want(b.get("/"), http.StatusOK, `value="`+s.account.ID+`" selected`)
	b.want(b.get("/"), http.StatusOK, shop.ID)
	evil := s.logIn(bob)
	if page := evil.get("/"); strings.Contains(page.body, s.account.ID) {
		t.Errorf("the password of another account opens the account:\n%s", page.body)
	}
}

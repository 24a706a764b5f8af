package dashboard

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/users"
)

func TestLogin(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.browser()
	b.wantRedirect(b.get("/"), "/login")
	b.wantRedirect(b.get("/?a=1&b=2"), "/login?next=%2F%3Fa%3D1%26b%3D2")
	b.wantRedirect(b.post("/logout"), "/login")
	b.want(b.get("/login?next=/cards?a=1"), http.StatusOK, `name="next" value="/cards?a=1"`)
	wrong := b.post("/login", "email", ada, "password", "wrong", "next", "/cards")
	b.want(wrong, http.StatusUnprocessableEntity, "The e-mail address or the password is wrong.")
	b.want(wrong, http.StatusUnprocessableEntity, `value="`+ada+`"`) // what was typed is kept
	if strings.Contains(wrong.body, `value="wrong"`) {
		t.Error("the page of a failed log-in contains the password")
	}
	b.wantRedirect(b.post("/login", "email", ada, "password", password, "next", "/cards?a=1"), "/cards?a=1")
	b.want(b.get("/"), http.StatusOK, ada)
	b.wantRedirect(b.get("/login"), "/")
	b.wantRedirect(b.post("/logout"), "/login")
	b.wantRedirect(b.get("/"), "/login")
}

func TestLogin_StaysOnThisSite(t *testing.T) {
	t.Parallel()
	for next, want := range map[string]string{
		"/cards?set=Dawn":      "/cards?set=Dawn",
		"":                     "/",
		"cards":                "/",
		"//evil.example":       "/",
		"///evil.example":      "/",
		"/\\evil.example":      "/",
		"https://evil.example": "/",
		"javascript:alert(1)":  "/",
		"/a\r\nSet-Cookie: a":  "/",
		"http:/evil":           "/",
	} {
		t.Run(next, func(t *testing.T) {
			t.Parallel()
			if got := web.LocalPath(next); got != want {
				t.Errorf("localPath: got %q, want %q", got, want)
			}
		})
	}
}

func TestLogin_IsSlowedDown(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.browser()
	for range 100 {
		if a := b.post("/login", "email", ada, "password", "wrong"); a.StatusCode == http.StatusTooManyRequests {
			b.want(a, http.StatusTooManyRequests, "Too many attempts to log in. Try again in")
			if a.Header.Get("Retry-After") == "" {
				t.Error("Retry-After is missing")
			}
			return
		}
	}
	t.Error("100 wrong passwords: no answer was 429")
}

// named returns the cookie whose name begins with the prefix.
func named(cookies []*http.Cookie, prefix string) *http.Cookie {
	for _, cookie := range cookies {
		if strings.HasPrefix(cookie.Name, prefix) {
			return cookie
		}
	}
	return &http.Cookie{}
}

func TestSession_Cookie(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.browser()
	cookie := named(b.post("/login", "email", ada, "password", password).Cookies(), "cardvault_session")
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Secure || cookie.Path != "/" ||
		cookie.MaxAge < 13*24*3600 {
		t.Errorf("cookie: got %+v, want HttpOnly, SameSite=Lax, 14 days, and on this machine not Secure", cookie)
	}
}

// Failures of others, from the same address too, do not keep a browser out with which the user has logged in before.
func TestLogin_KnownDevice(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b, stranger := s.logIn(ada), s.browser()
	cookie := named(b.post("/login", "email", ada, "password", password).Cookies(), "cardvault_device_")
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge < 179*24*3600 {
		t.Errorf("cookie: got %+v, want HttpOnly, SameSite=Lax and 180 days", cookie)
	}
	b.wantRedirect(b.post("/logout"), "/login")
	for range 11 {
		stranger.post("/login", "email", ada, "password", "wrong")
	}
	stranger.want(stranger.post("/login", "email", ada, "password", password), http.StatusTooManyRequests, "")
	b.wantRedirect(b.post("/login", "email", ada, "password", password), "/")
}

func TestSession_IsNewAfterLogin(t *testing.T) {
	t.Parallel()
	s := setup(t)
	first := s.logIn(ada)
	before := named(first.http.Jar.Cookies(first.request("GET", "/", nil).URL), "cardvault_session").Value
	first.want(first.post("/login", "email", ada, "password", password), http.StatusSeeOther, "")
	after := named(first.http.Jar.Cookies(first.request("GET", "/", nil).URL), "cardvault_session").Value
	if before == after {
		t.Error("the token of the session is the same after another log-in")
	}
}

func TestSession_Ends(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*shop, *browser){
		"log-out everywhere": func(s *shop, _ *browser) {
			b := s.logIn(ada)
			b.wantRedirect(b.post("/logout/everywhere"), "/login")
		},
		"disabled": func(s *shop, _ *browser) {
			if _, err := s.config.Users.Disable(s.t.Context(), s.ada.ID); err != nil {
				s.t.Fatal(err)
			}
		},
		"log-out with a copied cookie": func(s *shop, b *browser) {
			thief, site := s.browser(), b.request("GET", "/", nil).URL
			thief.http.Jar.SetCookies(site, b.http.Jar.Cookies(site))
			thief.want(thief.get("/"), http.StatusOK, ada)
			b.wantRedirect(b.post("/logout"), "/login")
			thief.wantRedirect(thief.get("/"), "/login")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			b := s.logIn(ada)
			end(s, b)
			b.wantRedirect(b.get("/"), "/login")
		})
	}
}

// heldSessions stores a session only after the test has released it, once the test armed it.
type heldSessions struct {
	scs.CtxStore
	armed            atomic.Bool
	waiting, release chan struct{}
}

// CommitCtx implements scs.CtxStore.
func (h *heldSessions) CommitCtx(ctx context.Context, hash string, data []byte, expires time.Time) error {
	if h.armed.CompareAndSwap(true, false) {
		close(h.waiting)
		<-h.release
	}
	return h.CtxStore.CommitCtx(ctx, hash, data, expires)
}

func TestSession_RequestInProgressDoesNotUndoLogOut(t *testing.T) {
	t.Parallel()
	s := setup(t)
	held := &heldSessions{CtxStore: s.config.Sessions, waiting: make(chan struct{}), release: make(chan struct{})}
	s.config.Sessions = held
	s.serve()
	b := s.logIn(ada)
	copied, site := s.browser(), b.request("GET", "/", nil).URL
	copied.http.Jar.SetCookies(site, b.http.Jar.Cookies(site))
	held.armed.Store(true)
	var inProgress sync.WaitGroup
	inProgress.Go(func() { copied.wantRedirect(copied.post("/account", "account", s.account.ID), "/") })
	<-held.waiting
	b.wantRedirect(b.post("/logout"), "/login")
	close(held.release)
	inProgress.Wait()
	copied.wantRedirect(copied.get("/"), "/login")
}

func TestSession_RoleTakenAwayHoldsAtOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	bob := s.newUser(s.account, "bob@example.com", users.Member)
	b := s.logIn("bob@example.com")
	b.want(b.get("/"), http.StatusOK, "bob@example.com")
	if err := s.config.Users.Remove(t.Context(), s.account.ID, bob.ID); err != nil {
		t.Fatal(err)
	}
	b.want(b.get("/"), http.StatusForbidden, "You are a user of no account any more.")
}

func TestPassword_ByLink(t *testing.T) {
	t.Parallel()
	s := setup(t)
	secret, err := s.config.Users.NewLink(t.Context(), s.ada.ID)
	if err != nil {
		t.Fatal(err)
	}
	b, path := s.browser(), "/password/"+secret
	b.want(b.get(path), http.StatusOK, ada)
	b.want(b.post(path, "password", "short"), http.StatusUnprocessableEntity, "must be 10 to 200 characters")
	b.wantRedirect(b.post(path, "password", "another password"), "/")
	b.want(b.get("/"), http.StatusOK, ada)
	b.want(b.get(path), http.StatusGone, "Ask an owner of the account for a new one.")
	b.want(b.post(path, "password", "a third password"), http.StatusGone, "")
	b.want(b.get("/password/unknown"), http.StatusGone, "")
}

func TestAccount_Switch(t *testing.T) {
	t.Parallel()
	s := setup(t)
	second, foreign := s.newAccount("The shop"), s.newAccount("Eve's cards")
	b := s.logIn(ada)
	b.wantRedirect(b.post("/password/"+s.invite(second, ada, users.Member), "password", "another password"), "/")
	b.wantRedirect(b.post("/account", "account", s.account.ID), "/")
	b.want(b.get("/"), http.StatusOK, `value="`+s.account.ID+`" selected`)
	b.wantRedirect(b.post("/account", "account", second.ID), "/")
	b.want(b.get("/"), http.StatusOK, `value="`+second.ID+`" selected`)
	b.want(b.post("/account", "account", foreign.ID), http.StatusNotFound, "")
	b.want(b.get("/"), http.StatusOK, `value="`+second.ID+`" selected`)
}

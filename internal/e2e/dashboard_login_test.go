package e2e

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/users"
)

// logInFrom sends the form of the log-in through a proxy, which names the client's address.
func (b *browser) logInFrom(address, email, password string) page {
	b.t.Helper()
	form := url.Values{"email": {email}, "password": {password}}
	r, err := http.NewRequestWithContext(b.t.Context(), "POST", b.base+"/login", strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("X-Forwarded-For", address)
	response, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return page{response, string(body)}
}

// A thousand wrong passwords are slowed down with a message. Another user from another address is not affected, and
// after the window the right password works again. The clock of the window is that of Redis, which the test moves.
func TestDashboard_WrongPasswords(t *testing.T) {
	t.Parallel()
	redis := miniredis.RunT(t)
	s := start(t, func(c *config.Config) {
		c.RedisURL, c.TrustedProxies = "redis://"+redis.Addr(), []string{"127.0.0.0/8", "::1/128"}
	})
	account := s.client(t, false).account
	b := s.browser(t, account, users.Owner).another()
	s.browser(t, account, users.Member)
	ada, bob := "owner-"+account+"@example.com", "member-"+account+"@example.com"
	const home, elsewhere, wrong = "192.0.2.1", "192.0.2.2", "a wrong password"
	refused := 0
	for range 1000 {
		answer := b.logInFrom(home, ada, wrong)
		if strings.Contains(answer.body, wrong) {
			t.Fatal("the page has the password")
		}
		if answer.StatusCode == http.StatusUnprocessableEntity {
			b.want(answer, http.StatusUnprocessableEntity, "The e-mail address or the password is wrong.")
			continue
		}
		refused++
		b.want(answer, http.StatusTooManyRequests, "Too many attempts to log in. Try again in ")
		seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
		if err != nil || seconds < 1 || seconds > 61 {
			t.Fatalf("Retry-After: got %q, want 1 to 61 seconds", answer.Header.Get("Retry-After"))
		}
	}
	// Ten, or a few more if Redis was so slow that the process counted alone for a while.
	if compared := 1000 - refused; compared < 10 || compared > 50 {
		t.Errorf("%d of 1,000 wrong passwords were compared, want 10", compared)
	}
	b.want(b.logInFrom(home, ada, browserPassword), http.StatusTooManyRequests)
	b.wantRedirect(b.logInFrom(elsewhere, bob, browserPassword), "/")
	redis.FastForward(ratelimit.Window)
	eventually(t, "the right password works again", func() bool { // a slow Redis is not asked for some seconds
		return b.logInFrom(home, ada, browserPassword).StatusCode == http.StatusSeeOther
	})
}

package dashboard

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/users"
)

// heldBody is a form whose end arrives when the test releases it.
type heldBody struct {
	io.Reader
	waiting, release chan struct{}
	ended            bool
}

func newHeldBody(form string) *heldBody {
	return &heldBody{Reader: strings.NewReader(form), waiting: make(chan struct{}), release: make(chan struct{})}
}

// Read implements io.Reader.
func (b *heldBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF && !b.ended {
		b.ended = true
		close(b.waiting)
		<-b.release
	}
	return n, err
}

// sendSlowly sends a form of the browser's user, and calls meanwhile before the form has arrived whole.
func (s *shop) sendSlowly(b *browser, path, form string, meanwhile func()) *http.Response {
	s.t.Helper()
	body := newHeldBody(form)
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodPost, path, body)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, cookie := range b.http.Jar.Cookies(b.request("GET", "/", nil).URL) {
		r.AddCookie(cookie)
	}
	recorder, done := httptest.NewRecorder(), make(chan struct{})
	go func() {
		defer close(done)
		s.served.ServeHTTP(recorder, r)
	}()
	<-body.waiting
	meanwhile()
	close(body.release)
	<-done
	return recorder.Result()
}

// A user whose access ends while a form arrives creates no token by it.
func TestForm_ArrivesBeforeRoleIsRead(t *testing.T) {
	t.Parallel()
	const bob, form = "bob@example.com", "name=till&scope-read=on"
	for name, tc := range map[string]struct {
		end  func(s *shop, b *browser, user users.User) error
		want int
	}{
		"nothing": {func(*shop, *browser, users.User) error { return nil }, http.StatusOK},
		"removed": {func(s *shop, _ *browser, user users.User) error {
			return s.config.Users.Remove(s.t.Context(), s.account.ID, user.ID)
		}, http.StatusForbidden},
		"made a member": {func(s *shop, _ *browser, user users.User) error {
			return s.config.Users.SetRole(s.t.Context(), s.account.ID, user.ID, users.Member)
		}, http.StatusForbidden},
		"disabled": {func(s *shop, _ *browser, user users.User) error {
			_, err := s.config.Users.Disable(s.t.Context(), user.ID)
			return err
		}, http.StatusSeeOther},
		"logged out": {func(_ *shop, b *browser, _ users.User) error {
			b.wantRedirect(b.post("/logout"), "/login")
			return nil
		}, http.StatusSeeOther},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			user := s.newUser(s.account, bob, users.Owner)
			b := s.logIn(bob)
			got := s.sendSlowly(b, "/developers/tokens", form, func() {
				if err := tc.end(s, b, user); err != nil {
					t.Error(err)
				}
			})
			tokens, err := s.config.Accounts.Tokens(t.Context(), s.account.ID)
			if err != nil || got.StatusCode != tc.want || (len(tokens) > 0) != (tc.want == http.StatusOK) {
				t.Errorf("got %d and %d tokens, %v; want %d", got.StatusCode, len(tokens), err, tc.want)
			}
		})
	}
}

package signon_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/signon"
	"github.com/cardvault/cardvault/internal/signon/signontest"
)

const (
	ada      = "ada@example.com"
	redirect = "https://vault.example/login/oidc/callback"
	// short is the timeout of clients of a provider that hangs, long that of others, which the machine may delay.
	short, long = 200 * time.Millisecond, time.Minute
)

func newClient(issuer string, timeout time.Duration) *signon.Client {
	return signon.New(signon.Config{
		Issuer: issuer, ClientID: signontest.ClientID, ClientSecret: signontest.ClientSecret,
		RedirectURL: redirect, Timeout: timeout,
	})
}

// begin begins a log-in and returns what the provider answers.
func begin(t *testing.T, c *signon.Client) (signon.Attempt, url.Values) {
	t.Helper()
	address, attempt, err := c.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return attempt, signontest.LogIn(t, address).Query()
}

// wantFault checks the code of an error, and that it tells no secret.
func wantFault(t *testing.T, err error, want fault.Code, secrets ...string) {
	t.Helper()
	if !fault.Is(err, want) {
		t.Fatalf("got %v, want %s", err, want)
	}
	for _, secret := range append(secrets, signontest.ClientSecret) {
		if secret != "" && strings.Contains(err.Error(), secret) {
			t.Errorf("the error %q contains the secret %q", err, secret)
		}
	}
	if length := len(err.Error()); length > 600 {
		t.Errorf("the error has %d bytes", length)
	}
}

func TestClient_Finish(t *testing.T) {
	t.Parallel()
	verified := func(more map[string]any) signontest.Answer {
		a := signontest.Person(ada)
		for name, value := range more {
			a.Claims[name] = value
		}
		return a
	}
	otherKey := verified(nil)
	otherKey.OtherKey = true
	posted := verified(nil)
	posted.Metadata = map[string]any{"token_endpoint_auth_methods_supported": []string{"client_secret_post"}}
	about := func(subject string, isVerified bool) signontest.Answer {
		return signontest.Answer{UserInfo: map[string]any{"sub": subject, "email": ada, "email_verified": isVerified}}
	}
	const yes = fault.Code("")
	past := time.Now().Add(-time.Minute).Unix()
	for name, tc := range map[string]struct {
		answer signontest.Answer
		want   fault.Code
	}{
		"verified":                    {verified(nil), yes},
		"two audiences":               {verified(map[string]any{"aud": []string{"x", signontest.ClientID}}), yes},
		"secret in the form":          {posted, yes},
		"address from UserInfo":       {about("person-1", true), yes},
		"UserInfo of another person":  {about("person-2", true), fault.UpstreamError},
		"unverified by UserInfo":      {about("person-1", false), fault.InsufficientScope},
		"no address":                  {signontest.Answer{}, fault.InsufficientScope},
		"unverified":                  {verified(map[string]any{"email_verified": false}), fault.InsufficientScope},
		"verified is not stated":      {verified(map[string]any{"email_verified": nil}), fault.InsufficientScope},
		"verified as a text":          {verified(map[string]any{"email_verified": "true"}), fault.UpstreamError},
		"another nonce":               {verified(map[string]any{"nonce": "x"}), fault.UpstreamError},
		"no nonce":                    {verified(map[string]any{"nonce": ""}), fault.UpstreamError},
		"another audience":            {verified(map[string]any{"aud": "x"}), fault.UpstreamError},
		"another authorized party":    {verified(map[string]any{"azp": "x"}), fault.UpstreamError},
		"another issuer":              {verified(map[string]any{"iss": "https://x.example"}), fault.UpstreamError},
		"expired":                     {verified(map[string]any{"exp": past}), fault.UpstreamError},
		"another key":                 {otherKey, fault.UpstreamError},
		"cancelled":                   {signontest.Answer{Error: "access_denied"}, fault.InvalidRequest},
		"overloaded":                  {signontest.Answer{Error: "temporarily_unavailable"}, fault.Unavailable},
		"refused for another reason":  {signontest.Answer{Error: "invalid_scope"}, fault.UpstreamError},
		"refused with a long code":    {signontest.Answer{Error: strings.Repeat("x", 2000)}, fault.UpstreamError},
		"the token endpoint fails":    {signontest.Answer{Failing: signontest.Token}, fault.Unavailable},
		"the keys fail":               {signontest.Answer{Failing: signontest.Keys}, fault.UpstreamError},
		"tokens without an end":       {signontest.Answer{Endless: signontest.Token}, fault.Unavailable},
		"keys without an end":         {signontest.Answer{Endless: signontest.Keys}, fault.UpstreamError},
		"person with another address": {signontest.Person("bob@example.com"), yes},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := signontest.Start(t, redirect)
			p.Set(tc.answer)
			c := newClient(p.URL, long)
			attempt, answer := begin(t, c)
			email, err := c.Finish(t.Context(), attempt, answer)
			if tc.want != yes {
				wantFault(t, err, tc.want, answer.Get("code"), attempt.Verifier, attempt.Nonce)
				return
			}
			want := ada
			if stated, ok := tc.answer.Claims["email"]; ok {
				want = stated.(string)
			}
			if err != nil || email != want {
				t.Errorf("Finish = %q, %v, want %s", email, err, want)
			}
		})
	}
}

func TestClient_FinishChecksAttempt(t *testing.T) {
	t.Parallel()
	p := signontest.Start(t, redirect)
	p.Set(signontest.Person(ada))
	c := newClient(p.URL, long)
	for name, tc := range map[string]struct {
		change   func(*signon.Attempt, url.Values)
		want     fault.Code
		requests int // to the token endpoint
	}{
		"another state": {func(_ *signon.Attempt, q url.Values) { q.Set("state", "x") }, fault.InvalidRequest, 0},
		"no state":      {func(_ *signon.Attempt, q url.Values) { q.Del("state") }, fault.InvalidRequest, 0},
		"no attempt": {func(a *signon.Attempt, q url.Values) {
			*a = signon.Attempt{}
			q.Del("state")
		}, fault.InvalidRequest, 0},
		"error without state": {func(_ *signon.Attempt, q url.Values) {
			q.Del("state")
			q.Set("error", "server_error")
		}, fault.InvalidRequest, 0},
		"another verifier": {func(a *signon.Attempt, _ url.Values) { a.Verifier = "x" }, fault.UpstreamError, 1},
		"another nonce":    {func(a *signon.Attempt, _ url.Values) { a.Nonce = "x" }, fault.UpstreamError, 1},
		"another code":     {func(_ *signon.Attempt, q url.Values) { q.Set("code", "x") }, fault.UpstreamError, 1},
		"no code":          {func(_ *signon.Attempt, q url.Values) { q.Del("code") }, fault.UpstreamError, 1},
	} {
		t.Run(name, func(t *testing.T) { // one after the other, because they count requests
			before := p.Requests(signontest.Token)
			attempt, answer := begin(t, c)
			tc.change(&attempt, answer)
			_, err := c.Finish(t.Context(), attempt, answer)
			wantFault(t, err, tc.want)
			if got := p.Requests(signontest.Token) - before; got != tc.requests {
				t.Errorf("requests for tokens: got %d, want %d", got, tc.requests)
			}
		})
	}
	attempt, answer := begin(t, c)
	if _, err := c.Finish(t.Context(), attempt, answer); err != nil {
		t.Fatal(err)
	}
	_, err := c.Finish(t.Context(), attempt, answer)
	wantFault(t, err, fault.UpstreamError, answer.Get("code"))
}

// New sends nothing, a failed discovery is repeated, and one that succeeded is not.
func TestClient_DiscoversOnce(t *testing.T) {
	t.Parallel()
	p := signontest.Start(t, redirect)
	c := newClient(p.URL, long)
	if got := p.Requests(signontest.Discovery); got != 0 {
		t.Errorf("New sent %d requests, want none", got)
	}
	p.Set(signontest.Answer{Failing: signontest.Discovery})
	_, _, err := c.Begin(t.Context())
	wantFault(t, err, fault.Unavailable)
	p.Set(signontest.Person(ada))
	for range 3 {
		begin(t, c)
	}
	if got := p.Requests(signontest.Discovery); got != 2 {
		t.Errorf("discoveries: got %d, want 2", got)
	}
}

func TestClient_RefusesDiscovery(t *testing.T) {
	t.Parallel()
	for name, metadata := range map[string]map[string]any{
		"of another issuer":       {"issuer": "https://x.example"},
		"without an endpoint":     {"token_endpoint": ""},
		"with a script as a link": {"authorization_endpoint": "javascript:alert(1)"},
		"with a file as endpoint": {"token_endpoint": "file:///etc/passwd"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := signontest.Start(t, redirect)
			p.Set(signontest.Answer{Metadata: metadata})
			_, _, err := newClient(p.URL, long).Begin(t.Context())
			wantFault(t, err, fault.Unavailable)
		})
	}
}

// A provider that is down or does not respond delays a log-in by no more than the timeout.
func TestClient_Deadline(t *testing.T) {
	t.Parallel()
	for _, hanging := range []string{signontest.Discovery, signontest.Token, signontest.Keys} {
		t.Run(strings.TrimPrefix(hanging, "/"), func(t *testing.T) {
			t.Parallel()
			p := signontest.Start(t, redirect)
			if hanging == signontest.Discovery {
				p.Set(signontest.Answer{Hanging: hanging})
				_, _, err := newClient(p.URL, short).Begin(t.Context())
				wantFault(t, err, fault.Unavailable)
				return
			}
			// Discovery responds within the short time, sooner or later.
			c := newClient(p.URL, short)
			var address string
			var attempt signon.Attempt
			for deadline := time.Now().Add(long); ; {
				var err error
				if address, attempt, err = c.Begin(t.Context()); err == nil {
					break
				}
				if time.Now().After(deadline) {
					t.Fatal(err)
				}
			}
			answer := signontest.LogIn(t, address).Query()
			p.Set(signontest.Answer{Hanging: hanging})
			began := time.Now()
			_, err := c.Finish(t.Context(), attempt, answer)
			if err == nil || time.Since(began) > long/2 {
				t.Errorf("Finish: got %v after %s, want an error after %s", err, time.Since(began), short)
			}
		})
	}
}

func TestClient_ProviderIsDown(t *testing.T) {
	t.Parallel()
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	_, _, err := newClient(down.URL, long).Begin(t.Context())
	wantFault(t, err, fault.Unavailable)
}

// A redirect of the token endpoint could lead the client's secret to another server.
func TestClient_FollowsNoRedirects(t *testing.T) {
	t.Parallel()
	reached := make(chan struct{}, 1)
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached <- struct{}{} }))
	t.Cleanup(other.Close)
	leading := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	t.Cleanup(leading.Close)
	p := signontest.Start(t, redirect)
	p.Set(signontest.Answer{Metadata: map[string]any{"token_endpoint": leading.URL}})
	c := newClient(p.URL, long)
	attempt, answer := begin(t, c)
	_, err := c.Finish(t.Context(), attempt, answer)
	wantFault(t, err, fault.UpstreamError)
	select {
	case <-reached:
		t.Error("the request for tokens was sent to another server")
	default:
	}
}

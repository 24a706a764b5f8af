// Package signontest has a small OpenID Connect provider for tests. It logs everyone in without a question, as the
// person that its Answer names, and it checks the requests of the client as a real provider does.
package signontest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// The client that the provider knows.
const (
	ClientID     = "cardvault"
	ClientSecret = "a secret of the client"
)

// The paths of the endpoints.
const (
	Discovery = "/.well-known/openid-configuration"
	Authorize = "/authorize"
	Token     = "/token"
	Keys      = "/keys"
	UserInfo  = "/userinfo"
)

// Answer is how the provider answers. The zero Answer logs in a person without an e-mail address.
type Answer struct {
	// Claims are the claims of the ID token besides the usual ones, which they replace.
	Claims map[string]any
	// UserInfo is the answer of the UserInfo endpoint. The provider has none if it is nil.
	UserInfo map[string]any
	// Error is the code with which the provider refuses to log in.
	Error string
	// Hanging, Failing and Endless are paths of endpoints. Hanging does not respond, Failing responds with status 500,
	// and the response of Endless has no end.
	Hanging, Failing, Endless string
	// Metadata replaces parts of the discovery document.
	Metadata map[string]any
	// OtherKey signs the ID token with a key that the provider does not publish.
	OtherKey bool
}

// Person returns the answer that logs in a person with a verified address.
func Person(email string) Answer {
	return Answer{Claims: map[string]any{"email": email, "email_verified": true}}
}

// Provider is a running provider.
type Provider struct {
	URL string // the issuer

	redirect string
	server   *httptest.Server
	stop     func() // lets requests that hang end
	stopped  chan struct{}
	mu       sync.Mutex
	answer   Answer
	asked    map[string]url.Values // authorization requests by the codes that answer them
	requests map[string]int        // by path
}

// Start runs a provider until the test ends. It sends browsers back to redirect only; "" allows every URL.
func Start(t testing.TB, redirect string) *Provider {
	t.Helper()
	p := &Provider{
		redirect: redirect, stopped: make(chan struct{}), asked: map[string]url.Values{}, requests: map[string]int{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Discovery, p.discover)
	mux.HandleFunc("GET "+Authorize, p.authorize)
	mux.HandleFunc("POST "+Token, p.exchange)
	mux.HandleFunc("GET "+Keys, p.keys)
	mux.HandleFunc("GET "+UserInfo, p.userInfo)
	p.stop = sync.OnceFunc(func() { close(p.stopped) })
	p.server = httptest.NewServer(p.disturb(mux))
	_, port, err := net.SplitHostPort(p.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	p.URL = "http://localhost:" + port // for browsers another site than 127.0.0.1
	t.Cleanup(p.Close)
	return p
}

// Close ends the provider.
func (p *Provider) Close() {
	p.stop()
	p.server.Close()
}

// Set changes how the provider answers from now on.
func (p *Provider) Set(a Answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = a
}

// Requests returns how many requests an endpoint has received.
func (p *Provider) Requests(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests[path]
}

// LogIn visits the URL to which the client sends a browser, and returns the URL to which the provider sends it back.
func LogIn(t testing.TB, address string) *url.URL {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	back, err := response.Location()
	if err != nil {
		text, _ := io.ReadAll(response.Body)
		t.Fatalf("the provider answered %d %s, want a redirect", response.StatusCode, text)
	}
	return back
}

func (p *Provider) current() Answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answer
}

// disturb counts requests, and makes the endpoints that the answer names hang or fail.
func (p *Provider) disturb(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.requests[r.URL.Path]++
		a := p.answer
		p.mu.Unlock()
		switch r.URL.Path {
		case a.Hanging:
			select {
			case <-r.Context().Done():
			case <-p.stopped:
			}
		case a.Failing:
			_, secret := credentials(r)
			http.Error(w, "failed for "+r.PostFormValue("code")+" "+secret, http.StatusInternalServerError)
		case a.Endless:
			w.Header().Set("Content-Type", "application/json")
			for piece := []byte(strings.Repeat(" ", 64<<10)); ; {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (p *Provider) discover(w http.ResponseWriter, _ *http.Request) {
	a := p.current()
	document := map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + Authorize, "token_endpoint": p.URL + Token,
		"jwks_uri": p.URL + Keys, "id_token_signing_alg_values_supported": []string{"RS256"},
	}
	if a.UserInfo != nil {
		document["userinfo_endpoint"] = p.URL + UserInfo
	}
	maps.Copy(document, a.Metadata)
	respond(w, http.StatusOK, document)
}

// authorize sends the browser back with a code, without a question.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	switch {
	case err != nil || p.redirect != "" && q.Get("redirect_uri") != p.redirect:
		http.Error(w, "redirect_uri is not that of the client", http.StatusBadRequest)
		return
	case q.Get("client_id") != ClientID || q.Get("response_type") != "code" || q.Get("code_challenge") == "" ||
		q.Get("code_challenge_method") != "S256" || q.Get("nonce") == "" || q.Get("state") == "" ||
		!strings.HasPrefix(q.Get("scope"), "openid"):
		http.Error(w, "the request is not one of OpenID Connect with PKCE: "+r.URL.RawQuery, http.StatusBadRequest)
		return
	}
	answer := url.Values{"state": {q.Get("state")}}
	p.mu.Lock()
	if p.answer.Error != "" {
		answer.Set("error", p.answer.Error)
	} else {
		code := rand.Text()
		p.asked[code] = q
		answer.Set("code", code)
	}
	p.mu.Unlock()
	back.RawQuery = answer.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

// exchange responds with the tokens for a code, once for each.
func (p *Provider) exchange(w http.ResponseWriter, r *http.Request) {
	id, secret := credentials(r)
	if id != ClientID || subtle.ConstantTimeCompare([]byte(secret), []byte(ClientSecret)) != 1 {
		respond(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	}
	p.mu.Lock()
	a := p.answer
	request, known := p.asked[r.PostFormValue("code")]
	delete(p.asked, r.PostFormValue("code"))
	p.mu.Unlock()
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !known || r.PostFormValue("redirect_uri") != request.Get("redirect_uri") ||
		base64.RawURLEncoding.EncodeToString(challenge[:]) != request.Get("code_challenge") {
		respond(w, http.StatusBadRequest, map[string]any{
			"error": "invalid_grant", "error_description": "this code is wrong: " + r.PostFormValue("code"),
		})
		return
	}
	respond(w, http.StatusOK, map[string]any{
		"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 60,
		"id_token": p.idToken(a, request.Get("nonce")),
	})
}

// credentials returns the identifier and the secret of a client (RFC 6749, section 2.3.1).
func credentials(r *http.Request) (id, secret string) {
	id, secret, basic := r.BasicAuth()
	if !basic {
		return r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	id, _ = url.QueryUnescape(id)
	secret, _ = url.QueryUnescape(secret)
	return id, secret
}

func (p *Provider) idToken(a Answer, nonce string) string {
	claims := map[string]any{
		"iss": p.URL, "aud": ClientID, "sub": "person-1", "nonce": nonce,
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(),
	}
	maps.Copy(claims, a.Claims)
	key := published()
	if a.OtherKey {
		key = unpublished()
	}
	signer, err := jose.NewSigner(jose.SigningKey{
		Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: keyID},
	}, nil)
	if err != nil {
		panic(err)
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		panic(err)
	}
	return token
}

const keyID = "key-1"

// The keys. Generating one takes some tenths of a second.
var published, unpublished = sync.OnceValue(newKey), sync.OnceValue(newKey)

func newKey() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	respond(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{
		{Key: published().Public(), KeyID: keyID, Algorithm: string(jose.RS256), Use: "sig"},
	}})
}

func (p *Provider) userInfo(w http.ResponseWriter, _ *http.Request) {
	respond(w, http.StatusOK, p.current().UserInfo)
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

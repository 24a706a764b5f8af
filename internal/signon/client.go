// Package signon verifies a person's e-mail address by OpenID Connect.
//
// A Client is the client of one provider, which the operator chooses. Begin returns the URL at which the provider logs
// the browser in, and an Attempt that the caller keeps until the browser comes back. Finish checks the provider's
// answer against the attempt (state, PKCE and nonce), exchanges its code for an ID token, verifies the token and
// returns the address. The first call discovers the provider, so that a service can start without it.
//
// The package does not depend on users, sessions and pages. It logs nothing, and its errors contain no codes, tokens
// and secrets.
package signon

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// DefaultTimeout is how long a call of a Client may take, with all its requests.
const DefaultTimeout = 10 * time.Second

// Config describes the provider and this client of it. All fields except Timeout are required.
type Config struct {
	Issuer       string // exactly as the provider writes it in its tokens
	ClientID     string
	ClientSecret string
	RedirectURL  string        // where the provider sends the browser back
	Timeout      time.Duration // of a call; default: DefaultTimeout
}

// Attempt is the state that the caller keeps between Begin and Finish. All fields are secret random texts.
type Attempt struct {
	State    string // ties the provider's answer to the browser
	Nonce    string // ties the ID token to the attempt
	Verifier string // of PKCE, which ties the code to the attempt
}

// Client is the client of a provider. It is safe for concurrent use.
type Client struct {
	config      Config
	http        *http.Client
	discovering chan struct{} // holds a value while a call uses known
	known       *provider     // nil before the first discovery
}

// New returns the client of a provider. It sends no requests.
func New(c Config) *Client {
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	return &Client{config: c, http: newHTTPClient(c.Timeout), discovering: make(chan struct{}, 1)}
}

// Begin returns the URL at which the provider logs a person in, and the attempt for Finish. It returns unavailable if
// the provider cannot be discovered.
func (c *Client) Begin(ctx context.Context) (address string, a Attempt, err error) {
	ctx, cancel := c.within(ctx)
	defer cancel()
	p, err := c.provider(ctx)
	if err != nil {
		return "", Attempt{}, err
	}
	a = Attempt{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()}
	return p.oauth.AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), a, nil
}

// Finish returns the verified e-mail address of the person whom the provider logged in. answer is the query with which
// the provider sent the browser back. An attempt must be used once. The errors are faults for the person.
func (c *Client) Finish(ctx context.Context, a Attempt, answer url.Values) (email string, err error) {
	if a.State == "" || subtle.ConstantTimeCompare([]byte(a.State), []byte(answer.Get("state"))) != 1 {
		return "", ErrStale
	}
	if code := answer.Get("error"); code != "" {
		return "", refused(code)
	}
	ctx, cancel := c.within(ctx)
	defer cancel()
	p, err := c.provider(ctx)
	if err != nil {
		return "", err
	}
	token, err := p.oauth.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return "", exchangeError(err)
	}
	who, err := p.verify(ctx, token, a.Nonce)
	switch {
	case err != nil:
		return "", invalid(err)
	case who.Email == "":
		return "", errNoEmail
	case !who.EmailVerified:
		return "", errUnverified
	}
	return who.Email, nil
}

// within returns a context with the deadline of a call and with the client's HTTP client.
func (c *Client) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(oidc.ClientContext(ctx, c.http), c.config.Timeout)
}

// identity holds a provider's statements about a person.
type identity struct {
	Email           string `json:"email"`
	EmailVerified   bool   `json:"email_verified"`
	AuthorizedParty string `json:"azp"`
}

// verify returns the identity in the ID token. Providers may leave the address out of the token and return it at their
// UserInfo endpoint (OpenID Connect Core, section 5.4).
func (p *provider) verify(ctx context.Context, token *oauth2.Token, nonce string) (identity, error) {
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return identity{}, errors.New("the answer has no ID token")
	}
	idToken, err := p.verifier.Verify(ctx, raw)
	if err != nil {
		return identity{}, err
	}
	if subtle.ConstantTimeCompare([]byte(nonce), []byte(idToken.Nonce)) != 1 {
		return identity{}, errors.New("the ID token has another nonce")
	}
	var who identity
	if err := idToken.Claims(&who); err != nil {
		return identity{}, err
	}
	if who.AuthorizedParty != "" && who.AuthorizedParty != p.oauth.ClientID {
		return identity{}, errors.New("the ID token is for another client")
	}
	if who.Email != "" || p.UserInfoEndpoint() == "" {
		return who, nil
	}
	info, err := p.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return identity{}, err
	}
	if info.Subject != idToken.Subject {
		return identity{}, errors.New("UserInfo is about another person")
	}
	return identity{Email: info.Email, EmailVerified: info.EmailVerified}, nil
}

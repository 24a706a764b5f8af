package signon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// rediscoverAfter is how long the provider's endpoints are used before they are read again.
const rediscoverAfter = time.Hour

// provider is a discovered provider.
type provider struct {
	*oidc.Provider
	oauth    oauth2.Config
	verifier *oidc.IDTokenVerifier
	until    time.Time
}

// provider returns the provider. One call at a time discovers it, and the others wait until their deadlines. A failure
// is not kept: the next call tries again.
func (c *Client) provider(ctx context.Context) (*provider, error) {
	select {
	case c.discovering <- struct{}{}:
		defer func() { <-c.discovering }()
	case <-ctx.Done():
		return nil, unavailable(ctx.Err())
	}
	if c.known != nil && time.Now().Before(c.known.until) {
		return c.known, nil
	}
	p, err := c.discover(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	c.known = p
	return p, nil
}

func (c *Client) discover(ctx context.Context) (*provider, error) {
	p, err := oidc.NewProvider(ctx, c.config.Issuer)
	if err != nil {
		return nil, err
	}
	var metadata struct {
		AuthMethods []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := p.Claims(&metadata); err != nil {
		return nil, err
	}
	endpoint := p.Endpoint()
	if err := c.checkEndpoints(endpoint.AuthURL, endpoint.TokenURL); err != nil {
		return nil, err
	}
	endpoint.AuthStyle = authStyle(metadata.AuthMethods)
	return &provider{
		Provider: p,
		oauth: oauth2.Config{
			ClientID: c.config.ClientID, ClientSecret: c.config.ClientSecret, RedirectURL: c.config.RedirectURL,
			Endpoint: endpoint, Scopes: []string{oidc.ScopeOpenID, "email"},
		},
		verifier: p.Verifier(&oidc.Config{ClientID: c.config.ClientID}),
		until:    time.Now().Add(rediscoverAfter),
	}, nil
}

// checkEndpoints returns an error unless the URLs have the scheme of the issuer, or a better one.
func (c *Client) checkEndpoints(addresses ...string) error {
	issuer, err := url.Parse(c.config.Issuer)
	if err != nil {
		return err
	}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != issuer.Scheme {
			return fmt.Errorf("the endpoint %q is not an https:// URL", address)
		}
	}
	return nil
}

// authStyle returns how the client's secret is sent to the token endpoint. A provider that names no method supports the
// first one (OpenID Connect Discovery, section 3). A fixed choice sends the secret and the code once.
func authStyle(methods []string) oauth2.AuthStyle {
	if len(methods) == 0 || slices.Contains(methods, "client_secret_basic") {
		return oauth2.AuthStyleInHeader
	}
	return oauth2.AuthStyleInParams
}

// maxAnswer is the maximum size of a provider's answer. Large providers answer with less than 20 kB.
const maxAnswer = 1 << 20

// newHTTPClient returns the client for all requests to the provider. The operator chose the provider, so that requests
// may reach the operator's own network, and netguard, which is for the addresses of customers, is not used. Redirects
// are not followed: they could lead the client's secret to another server.
func newHTTPClient(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout:   timeout, // also for the request for the keys, which go-oidc sends without a deadline
		Transport: limitedTransport{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

// limitedTransport limits the size of responses.
type limitedTransport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t limitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if err == nil {
		response.Body = &limitedBody{ReadCloser: response.Body, left: maxAnswer}
	}
	return response, err
}

type limitedBody struct {
	io.ReadCloser
	left int // bytes
}

// Read implements io.Reader.
func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errors.New("the provider's answer is too large")
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

package cardvault

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client speaks to one CardVault service for one account. It is safe for use by several goroutines at once.
type Client struct {
	baseURL    string // without a slash at the end
	token      string
	http       *http.Client
	timeout    time.Duration
	maxRetries int
	jitter     func(limit time.Duration) time.Duration // random, less than limit; replaced in tests
}

// Option changes a setting of a new client.
type Option func(*Client)

// WithTimeout limits each attempt, from its first byte to the last one of the answer. The default is 60 seconds, more
// than the service works on any request; 0 is no limit. The context of a call limits all its attempts together.
func WithTimeout(timeout time.Duration) Option {
	return func(c *Client) { c.timeout = timeout }
}

// WithMaxRetries sets how often a request is repeated after its first attempt. The default is 3, 0 is never.
func WithMaxRetries(retries int) Option {
	return func(c *Client) { c.maxRetries = retries }
}

// WithHTTPClient has requests sent by a copy of the caller's client, with its transport, proxy and certificates. What it
// does about redirects does not matter: none is followed.
func WithHTTPClient(client *http.Client) Option {
	return func(c *Client) { c.http = client }
}

// New returns a client of the API at baseURL, which is an http or https address with the path /api, for the account that
// token belongs to. It sends nothing yet.
func New(baseURL, token string, options ...Option) (*Client, error) {
	if err := checkBaseURL(baseURL); err != nil {
		return nil, err
	}
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("cardvault: the token is empty or has characters that no token has: copy it as it was shown, cv_…")
	}
	c := &Client{
		baseURL:    strings.TrimRight(baseURL, "/"),
		token:      token,
		http:       &http.Client{},
		timeout:    60 * time.Second,
		maxRetries: 3,
		jitter:     rand.N[time.Duration],
	}
	for _, option := range options {
		option(c)
	}
	c.http = withoutRedirects(c.http)
	return c, nil
}

// withoutRedirects is a copy of a client. A redirect that is followed may make a GET of a POST, and pass for its answer.
func withoutRedirects(original *http.Client) *http.Client {
	client := *original
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

func checkBaseURL(baseURL string) error {
	u, err := url.Parse(baseURL)
	switch {
	case err != nil:
		return fmt.Errorf("cardvault: the base address: %w", err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("cardvault: the base address is %q: want one like https://vault.example/api", baseURL)
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("cardvault: the base address is %q: leave out what follows its path", baseURL)
	}
	return nil
}

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

// Client is a client of one CardVault service for one account. It is safe for concurrent use.
type Client struct {
	baseURL    string // without a trailing slash
	token      string
	http       *http.Client
	timeout    time.Duration
	maxRetries int
	jitter     func(limit time.Duration) time.Duration // returns a random duration below limit; replaced in tests
	onWait     func(Wait)
	throttles  map[RateClass]*throttle
}

// Option configures a new client.
type Option func(*Client)

// WithTimeout limits the time of an attempt, until the last byte of the response. The default is 60 seconds, which is
// more than the service needs for any request; 0 means no limit. ScanCards gets a second more for each 128 KiB of its
// photos. The context of a call limits all its attempts together.
func WithTimeout(timeout time.Duration) Option {
	return func(c *Client) { c.timeout = timeout }
}

// WithMaxRetries sets the maximum number of retries of a request. The default is 3; 0 means none, and that requests do
// not wait for the rate limit either.
func WithMaxRetries(retries int) Option {
	return func(c *Client) { c.maxRetries = retries }
}

// WithHTTPClient sets the client that sends requests, for example with another transport, proxy or certificates. A copy
// of it is used that does not follow redirects.
func WithHTTPClient(client *http.Client) Option {
	return func(c *Client) { c.http = client }
}

// WithOnWait sets a function that is called when requests of a class begin to wait because its rate limit is used up,
// once for each window of the limit. Requests wait until it returns. It may be called by several goroutines at the same
// time.
func WithOnWait(onWait func(Wait)) Option {
	return func(c *Client) { c.onWait = onWait }
}

// New returns a client of the API at baseURL, an http or https URL such as https://vault.example/api, for the account
// of the token. It sends no request.
func New(baseURL, token string, options ...Option) (*Client, error) {
	if err := checkBaseURL(baseURL); err != nil {
		return nil, err
	}
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("cardvault: the token is empty or contains invalid characters: " +
			"copy all of it, from cv_ to its end")
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
	c.throttles = map[RateClass]*throttle{}
	for _, class := range []RateClass{RateClassRead, RateClassWrite, RateClassAI} {
		c.throttles[class] = newThrottle(class, c.onWait)
	}
	return c, nil
}

// withoutRedirects returns a copy of a client that does not follow redirects. Following one could turn a POST into a
// GET, and the caller would take the GET's response for the POST's.
func withoutRedirects(original *http.Client) *http.Client {
	client := *original
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

func checkBaseURL(baseURL string) error {
	u, err := url.Parse(baseURL)
	switch {
	case err != nil:
		return fmt.Errorf("cardvault: the base URL: %w", err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("cardvault: the base URL is %q: want one like https://vault.example/api", baseURL)
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("cardvault: the base URL is %q: remove its query and fragment", baseURL)
	}
	return nil
}

// Package api contains everything between the network and the handlers of the API's versions. newHandler
// (middleware.go) lists the middlewares in the order in which a request passes them.
//
// If a request has several problems, the response follows from that order: over the limit, no such path, no valid
// token, wrong media type or too large, not valid according to the contract.
//
// The package contains no rules about cards: the services that the handlers call have them.
package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/tracing"
)

// Authenticator finds the caller of a token. Its errors are faults: missing_token, invalid_token, revoked_token, or
// unavailable if the token could not be checked.
type Authenticator interface {
	Authenticate(ctx context.Context, token string) (caller.Caller, error)
	// Recognizes reports whether Authenticate is cheap for the token, because it is cached or can be refused without a
	// database query. Calls for other tokens are limited.
	Recognizes(token string) bool
	// Guard returns the check that the token still works, for the transaction of a change. who is the caller that
	// Authenticate returned for the token.
	Guard(token string, who caller.Caller) postgres.TxHook
}

// Config holds the dependencies and settings of the handler. All fields but AccountFactor, Usage, Reads, Photos, Other,
// Ready, Tracer and TrustedProxies are required.
type Config struct {
	Versions []Version
	Tokens   Authenticator
	Limiter  ratelimit.Limiter
	Limits   ratelimit.Limits // of tokens without limits of their own, and of addresses
	// AccountFactor is the limit of an account as a multiple of the largest limit of its tokens; 0 for no limit.
	AccountFactor int
	Reads         int          // maximum concurrent reads of an account; 0 for concurrency.DefaultReads
	Usage         UsageCounter // nil: requests are not counted for reports
	Idempotency   *idempotency.Store
	Clock         clock.Clock
	Logger        *slog.Logger
	Registry      prometheus.Registerer

	Photos http.Handler // serves /photos/…
	Other  http.Handler // serves all other paths: documentation, dashboard
	Ready  Checks
	Tracer *tracing.Tracer // nil: no spans
	// TrustedProxies are the networks of proxies whose X-Forwarded-For is used.
	TrustedProxies []netip.Prefix
}

// New returns the handler for all public requests.
func New(c Config) (http.Handler, error) {
	if len(c.Versions) == 0 || c.Tokens == nil || c.Limiter == nil || c.Idempotency == nil ||
		c.Clock.Now == nil || c.Logger == nil || c.Registry == nil {
		return nil, errors.New("open API: a required field of Config is missing")
	}
	m, err := newMetrics(c.Registry)
	if err != nil {
		return nil, err
	}
	routes, err := newRoutes(c.Versions)
	if err != nil {
		return nil, err
	}
	return newHandler(c, m, routes), nil
}

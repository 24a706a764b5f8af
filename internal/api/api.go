// Package api is the HTTP edge: everything between the network and the handlers of the API's
// versions. A request goes one way:
//
//	request id → recover → route (once) → authenticate → rate limit → media types and body limit →
//	validate against the contract → concurrent reads, or idempotency → strict handler → answer, or error
//
// What an answer is when several things are wrong with a request follows from that order: over the
// limit, no such address, no valid token, wrong media type or too large, not as the contract says.
// The package knows no card and no rule about one: the versions' handlers do the work.
package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/keyed"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/tracing"
)

// Authenticator finds out who a token acts for. Its errors are faults: missing_token, invalid_token,
// revoked_token, or unavailable when it cannot tell.
type Authenticator interface {
	Authenticate(ctx context.Context, token string) (caller.Caller, error)
	// Recognizes reports whether Authenticate can be called as often as a client likes: the token has
	// been seen to exist, or can be refused without a look-up.
	Recognizes(token string) bool
}

// Config is what the edge is made of. All but Reads, Photos, Other, Ready, Tracer and TrustedProxies is required.
type Config struct {
	Versions    []Version
	Tokens      Authenticator
	Limiter     ratelimit.Limiter
	Limits      ratelimit.Limits // of tokens without limits of their own, and of addresses
	Reads       int              // of one account at a time; 0 means 6
	Idempotency *idempotency.Store
	Clock       clock.Clock
	Logger      *slog.Logger
	Registry    prometheus.Registerer

	Photos http.Handler // serves /photos/…
	Other  http.Handler // serves what is neither API nor photo nor health: documentation, dashboard
	Ready  Checks
	Tracer *tracing.Tracer // nil: no spans
	// TrustedProxies are the addresses whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
}

// New returns the handler of everything that the service serves to the public.
func New(c Config) (http.Handler, error) {
	if len(c.Versions) == 0 || c.Tokens == nil || c.Limiter == nil || c.Idempotency == nil ||
		c.Clock.Now == nil || c.Logger == nil || c.Registry == nil {
		return nil, errors.New("api.New: a required part is missing")
	}
	m, err := newMetrics(c.Registry)
	if err != nil {
		return nil, err
	}
	routes, err := newRoutes(c.Versions)
	if err != nil {
		return nil, err
	}
	e := &edge{
		routes: routes, tokens: c.Tokens, lookups: keyed.NewSemaphore(lookupsAtOnce, addressLookups),
		limiter: c.Limiter, limits: c.Limits.Or(ratelimit.Defaults), reads: newReadLimit(c.Reads),
		bodies:      keyed.NewSemaphore(bodyMemory, accountBodyMemory),
		idempotency: c.Idempotency, clock: c.Clock, proxies: c.TrustedProxies,
	}
	return &observer{next: dispatch(e, c), clock: c.Clock, logger: c.Logger, metrics: m, tracer: c.Tracer}, nil
}

// dispatch sends a request to the part that serves its path. It does not clean paths: a path that
// would have to be cleaned is no address of the service.
func dispatch(e *edge, c Config) http.Handler {
	photos, other, ready := orNotFound(c.Photos), orNotFound(c.Other), c.Ready.handler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := exchangeOf(r.Context())
		switch path := r.URL.Path; {
		case path == "/api" || strings.HasPrefix(path, "/api/"):
			e.ServeHTTP(w, r)
		case strings.HasPrefix(path, "/photos/"):
			x.route = "/photos/"
			photos.ServeHTTP(w, r)
		case path == "/healthz":
			x.route = path
			healthy(w, r)
		case path == "/readyz":
			x.route = path
			ready.ServeHTTP(w, r)
		default:
			x.route = "other"
			other.ServeHTTP(w, r)
		}
	})
}

func orNotFound(h http.Handler) http.Handler {
	if h != nil {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { WriteError(w, r, routeNotFound()) })
}

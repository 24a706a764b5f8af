package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// newHandler returns the handler for all public requests. No other place orders the middlewares. The file of a
// middleware explains its position.
func newHandler(c Config, m *metrics, versions *routes) http.Handler {
	observer := &observer{clock: c.Clock, logger: c.Logger, metrics: m, tracer: c.Tracer}
	limiter := &requestLimiter{
		limiter: c.Limiter, limits: c.Limits.Or(ratelimit.Defaults), factor: c.AccountFactor, clock: c.Clock,
		proxies: c.TrustedProxies,
	}
	authentication := &authentication{
		tokens: c.Tokens, lookups: concurrency.NewSemaphore(maxLookups, maxLookupsPerAddress), limiter: limiter,
	}
	api := chain(http.HandlerFunc(callOperation),
		cors,
		versions.route,
		optionsResponder{versions, limiter}.options,
		authentication.authenticate,
		usageCounter{c.Usage}.count,
		limiter.limit,
		checkScope,
		newValidator().validate,
		handlerContext,
		record,
		limitReads(concurrency.NewReadLimiter(c.Reads)),
		authentication.confirm,
		idempotencyKeys{c.Idempotency}.replay,
	)
	return chain(dispatch(api, c), observer.observe)
}

// callOperation calls the generated handler of the request's operation.
func callOperation(w http.ResponseWriter, r *http.Request) {
	stateOf(r.Context()).call.handler.ServeHTTP(w, r)
}

// middleware returns a handler that does its part for a request and then calls next, or responds itself.
type middleware = func(next http.Handler) http.Handler

// chain returns a handler that passes requests through the middlewares, in the given order, to h.
func chain(h http.Handler, middlewares ...middleware) http.Handler {
	for _, m := range slices.Backward(middlewares) {
		h = m(h)
	}
	return h
}

// dispatch sends a request to the handler for its path. It does not clean paths: a path that would have to be cleaned
// does not exist.
func dispatch(api http.Handler, c Config) http.Handler {
	photos, other, ready := orNotFound(c.Photos), orNotFound(c.Other), c.Ready.handler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := stateOf(r.Context())
		switch path := r.URL.Path; {
		case path == "/api" || strings.HasPrefix(path, "/api/"):
			api.ServeHTTP(w, r)
		case strings.HasPrefix(path, "/photos/"):
			state.route = "/photos/"
			photos.ServeHTTP(w, r)
		case path == "/healthz":
			state.route = path
			healthy(w, r)
		case path == "/readyz":
			state.route = path
			ready.ServeHTTP(w, r)
		default:
			state.route = "other"
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

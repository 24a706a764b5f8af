package api

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Headers for pages of other origins (CORS). All origins are allowed: scripts send tokens explicitly, and browsers
// never add them on their own.
const (
	allowedHeaders = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-Id"
	exposedHeaders = "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, X-Request-Id, " +
		"Idempotent-Replayed, Deprecation, Sunset, Link"
	preflightAge = "7200" // seconds; Chromium caches a preflight response no longer
)

// cors lets pages of all origins read responses. It comes before everything that can fail, because browsers hide
// responses without these headers from scripts, error responses too.
func cors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", exposedHeaders)
		next.ServeHTTP(w, r)
	})
}

// optionsResponder responds to OPTIONS requests.
type optionsResponder struct {
	routes  *routes
	limiter *requestLimiter
}

// options responds to OPTIONS requests, including the preflight requests of browsers. It comes after route, which knows
// whether the path exists, and before authenticate and limit: preflight requests have no token and are not counted.
// Their rate limit headers describe a window that has not begun.
func (o optionsResponder) options(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		setRateHeaders(h, o.limiter.fullWindow(ratelimit.Read))
		methodList := o.routes.allowed(r)
		if methodList == "" {
			WriteError(w, r, stateOf(r.Context()).routeErr)
			return
		}
		h.Set("Allow", methodList)
		h.Set("Access-Control-Allow-Methods", methodList)
		h.Set("Access-Control-Allow-Headers", allowedHeaders)
		h.Set("Access-Control-Max-Age", preflightAge)
		w.WriteHeader(http.StatusNoContent)
	})
}

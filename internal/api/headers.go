package api

import (
	"net/http"
	"strconv"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// protect sets what every answer carries.
func protect(h http.Header, requestID string) {
	h.Set("X-Request-Id", requestID)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
}

// What pages of other origins may do. Tokens are sent by scripts, never by the browser itself, so
// any origin may try.
const (
	allowedHeaders = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-Id"
	exposedHeaders = "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, X-Request-Id, Idempotent-Replayed, Deprecation, Sunset, Link"
	preflightAge   = "7200" // seconds; the most that Chromium keeps one
)

func allowOrigins(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", exposedHeaders)
}

// writeOptions answers OPTIONS: what the address takes, to clients and to browsers. It counts
// against no limit, so its rate headers tell of a window that has not begun.
func (e *edge) writeOptions(w http.ResponseWriter, r *http.Request, routeErr error) {
	h := w.Header()
	setRate(h, e.fullWindow(ratelimit.Read))
	allowed := e.routes.allowed(r)
	if allowed == "" {
		WriteError(w, r, routeErr)
		return
	}
	h.Set("Allow", allowed)
	h.Set("Access-Control-Allow-Methods", allowed)
	h.Set("Access-Control-Allow-Headers", allowedHeaders)
	h.Set("Access-Control-Max-Age", preflightAge)
	w.WriteHeader(http.StatusNoContent)
}

// setRate spells the names as net/http keeps them, which saves it the work on every answer.
func setRate(h http.Header, d ratelimit.Decision) {
	h.Set("X-Ratelimit-Limit", strconv.Itoa(d.Limit))
	h.Set("X-Ratelimit-Remaining", strconv.Itoa(d.Remaining))
	h.Set("X-Ratelimit-Reset", strconv.FormatInt(d.Reset.Unix(), 10))
}

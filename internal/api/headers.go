package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/fault"
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
	e.showFullWindow(h, ratelimit.Read)
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

// authenticate finds out who the request acts for.
func (e *edge) authenticate(r *http.Request) (caller.Caller, error) {
	headers := r.Header["Authorization"]
	if len(headers) == 0 {
		return e.tokens.Authenticate(r.Context(), "")
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	if len(headers) > 1 || !strings.EqualFold(scheme, "Bearer") {
		return caller.Caller{}, fault.New(fault.InvalidToken, "Send one header Authorization: Bearer and your token.")
	}
	return e.tokens.Authenticate(r.Context(), strings.TrimSpace(token))
}

// count counts the request against its token, or against the client's address if it has no valid
// one, and says so in the headers.
func (e *edge) count(h http.Header, r *http.Request, op *operation, who caller.Caller) error {
	key, limits := who.TokenID, who.Limits.Or(e.limits)
	if key == "" {
		key = ratelimit.AddressKey(e.clientAddress(r))
	}
	decision := e.limiter.Take(context.WithoutCancel(r.Context()), key, op.class, limits.Of(op.class))
	setRate(h, decision)
	if decision.Allowed {
		return nil
	}
	return fault.New(fault.RateLimited, "The limit is %d %s requests a minute. Try again in %d seconds.",
		decision.Limit, op.class, seconds(decision.RetryAfter)).After(decision.RetryAfter)
}

// showFullWindow says in the headers of a request that is not counted what a window of its class holds.
func (e *edge) showFullWindow(h http.Header, class ratelimit.Class) {
	limit := e.limits.Of(class)
	setRate(h, ratelimit.Decision{Limit: limit, Remaining: limit, Reset: e.clock.Now().Add(ratelimit.Window)})
}

// setRate spells the names as net/http keeps them, which saves it the work on every answer.
func setRate(h http.Header, d ratelimit.Decision) {
	h.Set("X-Ratelimit-Limit", strconv.Itoa(d.Limit))
	h.Set("X-Ratelimit-Remaining", strconv.Itoa(d.Remaining))
	h.Set("X-Ratelimit-Reset", strconv.FormatInt(d.Reset.Unix(), 10))
}

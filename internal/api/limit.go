package api

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"strconv"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// requestLimiter limits the requests per window.
type requestLimiter struct {
	limiter ratelimit.Limiter
	limits  ratelimit.Limits // of tokens without limits of their own, and of addresses
	clock   clock.Clock
	proxies []netip.Prefix
}

// limit counts requests and refuses those over the limit. It is the first middleware that responds with the errors of
// route and authenticate, so that requests to unknown paths and with invalid tokens count too. It comes before
// validate, which costs the most.
func (l *requestLimiter) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := stateOf(r.Context())
		class := state.call.operation.class
		window := l.count(r, state)
		setRateHeaders(w.Header(), window)
		if err := cmp.Or(overLimit(window, class), state.routeErr, state.authErr); err != nil {
			WriteError(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// count counts a request against its token, or against the client's address if it has no valid token. A request whose
// token could not be checked is not counted, as the client is not responsible for that.
func (l *requestLimiter) count(r *http.Request, state *requestState) ratelimit.Decision {
	class := state.call.operation.class
	if fault.Is(state.authErr, fault.Unavailable) {
		return l.fullWindow(class)
	}
	key, limits := state.caller.TokenID, state.caller.Limits.Or(l.limits)
	if key == "" {
		key = l.addressKey(r)
	}
	return l.limiter.Take(context.WithoutCancel(r.Context()), key, class, limits.Of(class))
}

func (l *requestLimiter) addressKey(r *http.Request) string {
	return ratelimit.AddressKey(ClientAddress(r, l.proxies))
}

// fullWindow returns the decision that the rate limit headers of a request that is not counted show: a window that has
// not begun.
func (l *requestLimiter) fullWindow(class ratelimit.Class) ratelimit.Decision {
	limit := l.limits.Of(class)
	return ratelimit.Decision{Limit: limit, Remaining: limit, Reset: l.clock.Now().Add(ratelimit.Window), Allowed: true}
}

// overLimit returns rate_limited if the request is not allowed, otherwise nil.
func overLimit(window ratelimit.Decision, class ratelimit.Class) error {
	if window.Allowed {
		return nil
	}
	return fault.New(fault.RateLimited, "The limit is %d %s requests a minute. Try again in %d seconds.",
		window.Limit, class, seconds(window.RetryAfter)).WithRetryAfter(window.RetryAfter)
}

// setRateHeaders uses the canonical spelling of the names, which saves net/http from converting them.
func setRateHeaders(h http.Header, d ratelimit.Decision) {
	h.Set("X-Ratelimit-Limit", strconv.Itoa(d.Limit))
	h.Set("X-Ratelimit-Remaining", strconv.Itoa(d.Remaining))
	h.Set("X-Ratelimit-Reset", strconv.FormatInt(d.Reset.Unix(), 10))
}

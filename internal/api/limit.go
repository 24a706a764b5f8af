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
	factor  int              // of an account's limit over the largest limit of its tokens; 0 for no limit
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
		windows := l.count(r, state)
		setRateHeaders(w.Header(), windows.Inner)
		if err := cmp.Or(overLimits(windows, class), state.routeErr, state.authErr); err != nil {
			WriteError(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// count counts a request against its token, as the inner window, and against the token's account. A request without a
// valid token is only counted against the client's address. A request whose token could not be checked is not counted,
// as the client is not responsible for that.
func (l *requestLimiter) count(r *http.Request, state *requestState) ratelimit.Both {
	ctx, class, who := context.WithoutCancel(r.Context()), state.call.operation.class, state.caller
	limit := who.Limits.Or(l.limits).Of(class)
	switch {
	case fault.Is(state.authErr, fault.Unavailable):
		return single(l.fullWindow(class))
	case who.TokenID == "":
		return single(l.limiter.Take(ctx, l.addressKey(r), class, limit))
	case l.factor == 0:
		return single(l.limiter.Take(ctx, who.TokenID, class, limit))
	}
	return l.limiter.TakeBoth(ctx, class, ratelimit.Counter{Key: who.TokenID, Limit: limit},
		ratelimit.Counter{Key: who.AccountID, Limit: l.factor * l.limits.Max(who.Largest).Of(class)})
}

// single returns the decisions about a request that is counted in one window.
func single(window ratelimit.Decision) ratelimit.Both {
	return ratelimit.Both{Inner: window, Outer: ratelimit.Decision{Allowed: true}}
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

// overLimits returns rate_limited if the window of the token or of the account does not allow the request, otherwise
// nil.
func overLimits(windows ratelimit.Both, class ratelimit.Class) error {
	if err := overLimit(windows.Inner, class); err != nil || windows.Outer.Allowed {
		return err
	}
	account := windows.Outer
	return fault.New(fault.RateLimited,
		"The limit of your account is %d %s requests a minute for all its tokens together. Try again in %d seconds.",
		account.Limit, class, seconds(account.RetryAfter)).WithRetryAfter(account.RetryAfter)
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

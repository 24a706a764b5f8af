package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Tokens that are not recognized cost a look-up each, and anybody can make them up.
const (
	// lookupsAtOnce bounds the look-ups of such tokens that run at the database, addressLookups those of
	// one client address. A look-up takes about a millisecond.
	lookupsAtOnce, addressLookups = 6, 2
	// lookupWait is how long a request waits for its look-up to begin.
	lookupWait = 2 * time.Second
	// failedLookups are counted apart from requests: clients without a token, or with a mistyped one, cost
	// no look-up and must not keep others behind their address from using a token for the first time.
	failedLookups ratelimit.Class = "lookup"
)

// admit finds out who the request acts for and counts it: against its token, or against the client's
// address if it has no valid one. tokenErr says why it has none. Without a database nobody knows, and
// the request is not counted.
func (e *edge) admit(r *http.Request, class ratelimit.Class) (who caller.Caller, window ratelimit.Decision, tokenErr error) {
	token, tokenErr := bearerToken(r.Header)
	if tokenErr == nil && !e.tokens.Recognizes(token) {
		return e.admitStranger(r, token, class)
	}
	if tokenErr == nil {
		who, tokenErr = e.tokens.Authenticate(r.Context(), token)
	}
	return who, e.count(r, who, class, tokenErr), tokenErr
}

// admitStranger is admit for a token that must be looked up: only while the client's address has not
// tried as many tokens that do not exist as it has requests a minute. The look-up is over and counted
// before the next one of the address begins, but for one that may run beside it.
func (e *edge) admitStranger(r *http.Request, token string, class ratelimit.Class) (caller.Caller, ratelimit.Decision, error) {
	address := e.addressKey(r)
	ctx, cancel := context.WithTimeout(r.Context(), lookupWait)
	defer cancel()
	held, err := e.lookups.Acquire(ctx, address, 1)
	if err != nil {
		err = fault.New(fault.Unavailable, "Tokens cannot be looked up at the moment. Try again.").WithCause(err)
		return caller.Caller{}, e.fullWindow(class), err
	}
	defer held.Release()
	counting := context.WithoutCancel(r.Context())
	window := e.limiter.Peek(counting, address, failedLookups, e.limits.Of(class))
	if !window.Allowed {
		return caller.Caller{}, window, nil
	}
	who, tokenErr := e.tokens.Authenticate(r.Context(), token)
	if fault.Is(tokenErr, fault.InvalidToken) {
		e.limiter.Take(counting, address, failedLookups, e.limits.Of(class))
	}
	return who, e.count(r, who, class, tokenErr), tokenErr
}

// bearerToken returns the token of the request; "" if there is none.
func bearerToken(h http.Header) (string, error) {
	headers := h["Authorization"]
	if len(headers) == 0 {
		return "", nil
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	if len(headers) > 1 || !strings.EqualFold(scheme, "Bearer") {
		return "", fault.New(fault.InvalidToken, "Send one header Authorization: Bearer and your token.")
	}
	return strings.TrimSpace(token), nil
}

// count counts the request, unless the service could not tell who it is from: that is not the client's fault.
func (e *edge) count(r *http.Request, who caller.Caller, class ratelimit.Class, tokenErr error) ratelimit.Decision {
	if fault.Is(tokenErr, fault.Unavailable) {
		return e.fullWindow(class)
	}
	key, limits := who.TokenID, who.Limits.Or(e.limits)
	if key == "" {
		key = e.addressKey(r)
	}
	return e.limiter.Take(context.WithoutCancel(r.Context()), key, class, limits.Of(class))
}

func (e *edge) addressKey(r *http.Request) string { return ratelimit.AddressKey(e.clientAddress(r)) }

// fullWindow is what the headers of a request say that is not counted: a window that has not begun.
func (e *edge) fullWindow(class ratelimit.Class) ratelimit.Decision {
	limit := e.limits.Of(class)
	return ratelimit.Decision{Limit: limit, Remaining: limit, Reset: e.clock.Now().Add(ratelimit.Window), Allowed: true}
}

// overLimit returns rate_limited for a request that was one too many.
func overLimit(window ratelimit.Decision, class ratelimit.Class) error {
	if window.Allowed {
		return nil
	}
	return fault.New(fault.RateLimited, "The limit is %d %s requests a minute. Try again in %d seconds.",
		window.Limit, class, seconds(window.RetryAfter)).WithRetryAfter(window.RetryAfter)
}

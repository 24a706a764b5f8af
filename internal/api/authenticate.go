package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Every token that is not recognized costs a look-up in the database, and clients can invent as many as they like.
const (
	// maxLookups is the number of concurrent look-ups, maxLookupsPerAddress the number for one client address. A
	// look-up takes about a millisecond.
	maxLookups, maxLookupsPerAddress = 6, 2
	// lookupWait is how long a request waits until its look-up starts.
	lookupWait = 2 * time.Second
	// failedLookups is the rate class of look-ups that found no token. They are counted separately from requests:
	// clients without a token, or with a mistyped one, cause no look-up and must not prevent others at the same address
	// from using a token for the first time.
	failedLookups ratelimit.Class = "lookup"
)

// authentication identifies callers by their bearer tokens.
type authentication struct {
	tokens  Authenticator
	lookups *concurrency.Semaphore // by client address
	limiter *requestLimiter
}

// authenticate finds the caller of a request. It comes before limit, because requests are counted by token. It does not
// respond to requests without a valid token: limit does after it counted them, so that guessing tokens is limited too.
// The exception is an address with too many failed look-ups, for which no further tokens are looked up.
func (a *authentication) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := stateOf(r.Context())
		token, err := bearerToken(r.Header)
		switch {
		case err != nil:
			state.authErr = err
		case a.tokens.Recognizes(token):
			state.caller, state.authErr = a.tokens.Authenticate(r.Context(), token)
		default:
			var window ratelimit.Decision
			state.caller, window, state.authErr = a.lookUp(r, token, state.call.operation.class)
			if !window.Allowed {
				setRateHeaders(w.Header(), window)
				WriteError(w, r, overLimit(window, state.call.operation.class))
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// confirm checks once more that the caller may make the request. Since authenticate, the body has arrived and the read
// may have waited for others, which takes seconds, or minutes for an upload. It comes directly before the handler and
// before idempotency keys, which replay responses. The transactions of a write check it again, because its handler may
// take long too.
func (a *authentication) confirm(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := stateOf(r.Context())
		token, err := bearerToken(r.Header)
		if err == nil {
			state.caller, err = a.tokens.Authenticate(r.Context(), token)
		}
		if err == nil {
			err = state.scopeErr()
		}
		if err != nil {
			WriteError(w, r, err)
			return
		}
		if state.call.operation.class != ratelimit.Read {
			r = r.WithContext(postgres.WithGuard(r.Context(), a.tokens.Guard(token, state.caller)))
		}
		next.ServeHTTP(w, r)
	})
}

// lookUp authenticates a token that must be looked up. It refuses to, by the returned decision, if the client's address
// has tried as many tokens that do not exist as it may send requests in a window. Look-ups of an address are counted
// before the next one starts, except for one that may run concurrently.
func (a *authentication) lookUp(
	r *http.Request, token string, class ratelimit.Class,
) (who caller.Caller, window ratelimit.Decision, err error) {
	address := a.limiter.addressKey(r)
	ctx, cancel := context.WithTimeout(r.Context(), lookupWait)
	defer cancel()
	slot, err := a.lookups.Acquire(ctx, address, 1)
	if err != nil {
		err = fault.New(fault.Unavailable, "Tokens cannot be looked up at the moment. Try again.").WithCause(err)
		return caller.Caller{}, a.limiter.fullWindow(class), err
	}
	defer slot.Release()
	limit := a.limiter.limits.Of(class)
	ctx = context.WithoutCancel(r.Context()) // the look-up is counted even if the client disconnects
	if window = a.limiter.limiter.Peek(ctx, address, failedLookups, limit); !window.Allowed {
		return caller.Caller{}, window, nil
	}
	who, err = a.tokens.Authenticate(r.Context(), token)
	if fault.Is(err, fault.InvalidToken) {
		a.limiter.limiter.Take(ctx, address, failedLookups, limit)
	}
	return who, window, err
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

package api

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// UsageCounter counts the requests of tokens. refused says that the response was 429.
type UsageCounter interface {
	Count(accountID, tokenID string, class ratelimit.Class, refused bool)
}

// usageCounter counts requests that have a valid token, after their responses. It comes before limit, so that refused
// requests count too.
type usageCounter struct{ counter UsageCounter }

func (u usageCounter) count(next http.Handler) http.Handler {
	if u.counter == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := stateOf(r.Context())
		if who := state.caller; who.TokenID != "" {
			defer func() {
				refused := state.response.status == http.StatusTooManyRequests
				u.counter.Count(who.AccountID, who.TokenID, state.call.operation.class, refused)
			}()
		}
		next.ServeHTTP(w, r)
	})
}

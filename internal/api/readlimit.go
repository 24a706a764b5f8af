package api

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// limitReads runs a read when its account has fewer than the maximum running. It comes directly before the handlers, so
// that only reads that use the database count, and after handlerContext, so that the wait is part of the read's time.
func limitReads(limiter concurrency.ReadLimiter) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			state := stateOf(r.Context())
			if state.call.operation.class != ratelimit.Read {
				next.ServeHTTP(w, r)
				return
			}
			slot, err := limiter.Acquire(r.Context(), state.caller.AccountID)
			if err != nil {
				WriteError(w, r, err)
				return
			}
			defer slot.Release()
			next.ServeHTTP(w, r)
		})
	}
}

package api

import (
	"context"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

const (
	// writeTimeout is how long a handler that writes may take after the body was received. It is shorter than
	// idempotency.Lease, so that an idempotency key is never claimed again while its request is still running.
	writeTimeout = idempotency.Lease - 10*time.Second
	// readTimeout is how long a handler that only reads may take: a slow read must not occupy a database connection for
	// longer than a client waits for a page.
	readTimeout = 15 * time.Second
	// uploadTimeout is how long the upload of a picture may take: 15 MiB at one megabit per second.
	uploadTimeout = 2 * time.Minute
)

// handlerContext puts the caller, the path parameters and the deadline into the context. It comes after validate, so
// that the time a client takes to send its body is not part of the handler's time.
func handlerContext(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := stateOf(r.Context())
		state.call.extendDeadlines(w)
		ctx := caller.With(r.Context(), state.caller)
		ctx, cancel := context.WithTimeout(ctx, state.call.operation.timeout())
		defer cancel()
		next.ServeHTTP(w, mux.SetURLVars(r.WithContext(ctx), state.call.vars))
	})
}

// timeout returns how long the handler of the operation may take.
func (op *operation) timeout() time.Duration {
	switch {
	case op.class == ratelimit.Read:
		return readTimeout
	case op.binary: // the handler reads the body itself
		return uploadTimeout + writeTimeout
	default:
		return writeTimeout
	}
}

// extendDeadlines gives the upload of a picture, which the handler has yet to read, more time than the server gives
// other requests. Errors are ignored: the ResponseWriters of tests have no deadlines.
func (c call) extendDeadlines(w http.ResponseWriter) {
	if !c.operation.binary {
		return
	}
	controller, now := http.NewResponseController(w), time.Now()
	_ = controller.SetReadDeadline(now.Add(uploadTimeout))
	_ = controller.SetWriteDeadline(now.Add(uploadTimeout + writeTimeout + responseTimeout))
}

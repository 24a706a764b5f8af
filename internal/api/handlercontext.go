package api

import (
	"context"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/api/form"
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
	// pictureTimeout is how long the upload of a picture may take: 15 MiB at one megabit per second.
	pictureTimeout = 2 * time.Minute
	// formTimeout is how long the upload of a form may take: 20 photos of 3.7 MiB at one megabit per second.
	formTimeout = 10 * time.Minute
)

// handlerContext puts the caller, the path parameters, the form and the deadline into the context. It comes after
// validate, so that the time a client takes to send its body is not part of the handler's time.
func handlerContext(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := stateOf(r.Context())
		ctx := caller.With(r.Context(), state.caller)
		if body := state.call.form; body != nil && body.form != nil {
			ctx = form.With(ctx, body.form)
		}
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
		return pictureTimeout + writeTimeout
	default:
		return writeTimeout
	}
}

// uploadTimeout returns how long the upload of the body may take, or 0 if the limits of the server are enough.
func (op *operation) uploadTimeout() time.Duration {
	switch {
	case op.binary:
		return pictureTimeout
	case op.files != nil:
		return formTimeout
	}
	return 0
}

// extendDeadlines gives uploads more time than the server gives other requests. Errors are ignored: the ResponseWriters
// of tests have no deadlines.
func (op *operation) extendDeadlines(w http.ResponseWriter) {
	upload := op.uploadTimeout()
	if upload == 0 {
		return
	}
	controller, now := http.NewResponseController(w), time.Now()
	_ = controller.SetReadDeadline(now.Add(upload))
	_ = controller.SetWriteDeadline(now.Add(upload + writeTimeout + responseTimeout))
}

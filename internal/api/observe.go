package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/tracing"
)

// statusClientGone is the status in the log and the metrics of a request that failed because its client closed the
// connection. It is nginx's number and is never sent.
const statusClientGone = 499

// observer gives requests their identifier, recovers from panics, and writes the log, the metrics and the trace.
type observer struct {
	clock   clock.Clock
	logger  *slog.Logger
	metrics *metrics
	tracer  *tracing.Tracer
}

// observe is the outermost middleware: it sees every request and every response, including responses to panics.
func (o *observer) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := &requestState{
			response: statusWriter{ResponseWriter: w}, logger: o.logger, started: o.clock.Now(),
			requestID: r.Header.Get("X-Request-Id"),
		}
		if !validRequestID(state.requestID) {
			state.requestID = id.New("req", state.started)
		}
		setSecurityHeaders(w.Header(), state.requestID)
		method := r.Method
		ctx, span := o.trace(r, state.requestID)
		state.span = span
		r = r.WithContext(context.WithValue(ctx, stateKey{}, state))
		if method == http.MethodHead {
			r.Method = http.MethodGet // handled as GET; net/http does not send the body
		}
		o.metrics.inFlight.Inc()
		defer o.finish(state, r, method)
		o.recover(next, state, r)
	})
}

// recover calls next and responds with internal_error if it panics. If the response has begun, it closes the connection
// instead, so that the client does not take a partial response for a complete one.
func (o *observer) recover(next http.Handler, state *requestState, r *http.Request) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(p)
		}
		o.logger.LogAttrs(r.Context(), slog.LevelError, "panic",
			slog.String("request_id", state.requestID), slog.String("route", state.route),
			slog.String("panic", fmt.Sprint(p)), slog.String("stack", string(debug.Stack())))
		if state.response.status != 0 {
			panic(http.ErrAbortHandler)
		}
		writeFault(&state.response, internalError(state.requestID))
	}()
	next.ServeHTTP(&state.response, r)
}

// finish writes the log, the metrics and the trace of a request whose response is complete.
func (o *observer) finish(state *requestState, r *http.Request, method string) {
	o.metrics.inFlight.Dec()
	status := &state.response.status
	switch {
	case clientGone(r) && (*status == 0 || *status >= http.StatusInternalServerError):
		*status = statusClientGone
	case *status == 0:
		*status = http.StatusOK // sent by net/http when a handler writes nothing
	}
	took := o.clock.Now().Sub(state.started)
	o.metrics.observe(state.route, *status, method, took)
	state.endSpan(method)
	level := slog.LevelInfo
	if state.route == "/healthz" || state.route == "/readyz" {
		level = slog.LevelDebug
	}
	o.logger.LogAttrs(r.Context(), level, "request",
		slog.String("method", method), slog.String("route", state.route), slog.Int("status", *status),
		slog.Duration("took", took), slog.Int64("bytes", state.response.bytes),
		slog.String("request_id", state.requestID), slog.String("account_id", state.caller.AccountID))
}

// maxRequestID is the largest length of a client's X-Request-Id, in bytes (openapi/v1.yaml).
const maxRequestID = 128

func validRequestID(s string) bool {
	if s == "" || len(s) > maxRequestID {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

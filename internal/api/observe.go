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

// statusClientGone is what the log and the metrics say of a request that failed because its client
// had left: nginx's number, never sent.
const statusClientGone = 499

// observer is the outermost handler: it names the request, catches panics, and tells the log, the
// metrics and the request's span how the request went.
type observer struct {
	next    http.Handler
	clock   clock.Clock
	logger  *slog.Logger
	metrics *metrics
	tracer  *tracing.Tracer
}

// ServeHTTP implements http.Handler.
func (o *observer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{ResponseWriter: w, logger: o.logger, started: o.clock.Now(), requestID: r.Header.Get("X-Request-Id")}
	if !validRequestID(x.requestID) {
		x.requestID = id.New("req", x.started)
	}
	protect(w.Header(), x.requestID)
	method := r.Method
	ctx, span := o.trace(r, x.requestID)
	x.span = span
	r = r.WithContext(context.WithValue(ctx, exchangeKey{}, x))
	if method == http.MethodHead {
		r.Method = http.MethodGet // served as GET; the server sends no body
	}
	o.metrics.inFlight.Inc()
	defer o.finish(x, r, method)
	o.serve(x, r)
}

// serve answers a panic like any other error. An answer that has begun cannot be taken back: its
// connection is closed, so that the client does not take it for whole.
func (o *observer) serve(x *exchange, r *http.Request) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(p)
		}
		o.logger.LogAttrs(r.Context(), slog.LevelError, "panic", slog.String("request_id", x.requestID),
			slog.String("route", x.route), slog.String("panic", fmt.Sprint(p)), slog.String("stack", string(debug.Stack())))
		if x.status != 0 {
			panic(http.ErrAbortHandler)
		}
		writeFault(x, internalError(x.requestID))
	}()
	o.next.ServeHTTP(x, r)
}

func (o *observer) finish(x *exchange, r *http.Request, method string) {
	o.metrics.inFlight.Dec()
	switch {
	case clientGone(r) && (x.status == 0 || x.status >= http.StatusInternalServerError):
		x.status = statusClientGone
	case x.status == 0:
		x.status = http.StatusOK // what net/http sends for a handler that wrote nothing
	}
	took := o.clock.Now().Sub(x.started)
	o.metrics.observe(x, method, took)
	x.endSpan(method)
	level := slog.LevelInfo
	if x.route == "/healthz" || x.route == "/readyz" {
		level = slog.LevelDebug
	}
	o.logger.LogAttrs(r.Context(), level, "request",
		slog.String("method", method), slog.String("route", x.route), slog.Int("status", x.status),
		slog.Duration("took", took), slog.Int64("bytes", x.bytes),
		slog.String("request_id", x.requestID), slog.String("account_id", x.accountID))
}

// maxRequestID is how long a client's X-Request-Id may be (the contract's header of that name).
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

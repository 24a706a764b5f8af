package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/tracing"
)

// exchange is one request and its answer as the log and the metrics see them. It is the
// ResponseWriter of everything behind the observer.
type exchange struct {
	http.ResponseWriter
	logger    *slog.Logger
	requestID string
	started   time.Time
	route     string // the path's template; never what the client sent
	accountID string
	status    int // 0 until the answer begins
	bytes     int64
	span      tracing.Span
}

type exchangeKey struct{}

// exchangeOf returns the exchange of a request that came through the observer; an empty one otherwise.
func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{logger: slog.Default()}
}

// WriteHeader implements http.ResponseWriter.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 && status >= http.StatusOK {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (x *exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	n, err := x.ResponseWriter.Write(b)
	x.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/tracing"
)

// requestState holds what the middlewares find out about one request. It is in the request's context.
type requestState struct {
	// Set by observe.
	response  statusWriter
	logger    *slog.Logger
	requestID string
	started   time.Time
	span      tracing.Span

	// Set by dispatch and route. The route is a path template, never a path that a client sent.
	route    string
	call     call
	routeErr error

	// Set by authenticate.
	caller  caller.Caller
	authErr error

	// Set by validate: the JSON body as it was sent, or the hash of the form.
	body []byte
}

// releaseBody frees the memory and the files of the request's body. It is called before the response is sent, so that a
// client that receives slowly does not occupy them.
func (s *requestState) releaseBody(r *http.Request) {
	if spool := s.call.spool; spool != nil {
		s.call.spool = nil
		spool.release()
	}
	if form := s.call.form; form != nil {
		s.call.form = nil
		form.release()
	}
	s.body = nil
	if body, ok := r.Body.(*parsedBody); ok {
		*body = parsedBody{Reader: http.NoBody}
	}
}

type stateKey struct{}

// stateOf returns the state of a request that passed observe; an empty state for other requests.
func stateOf(ctx context.Context) *requestState {
	if state, ok := ctx.Value(stateKey{}).(*requestState); ok {
		return state
	}
	return &requestState{logger: slog.Default()}
}

// statusWriter is a ResponseWriter that notes the status and the size of the response.
type statusWriter struct {
	http.ResponseWriter
	status int // 0 until the header is written
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *statusWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap returns the wrapped ResponseWriter, for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

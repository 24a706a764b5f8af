package remote

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/tracing"
)

// maxResponse is the maximum length of a response, in bytes. An answer has about 1 kB.
const maxResponse = 1 << 20

// errTooLarge means that a response is longer than maxResponse.
var errTooLarge = errors.New("the response is too large")

// exchange is the transport's record of a call. Errors are derived from it and not from the errors of the companies'
// libraries, whose texts may contain addresses and responses.
type exchange struct {
	connected  atomic.Bool // whether a connection was there, so that the request may have reached the company
	status     int         // 0 if there was no response
	retryAfter time.Duration
	tooLarge   atomic.Bool
}

type exchangeKey struct{}

// withExchange returns a context in which the transport describes the call.
func withExchange(ctx context.Context) (context.Context, *exchange) {
	e := &exchange{}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { e.connected.Store(true) },
	})
	return context.WithValue(ctx, exchangeKey{}, e), e
}

// HTTPClient returns the client by which companies are called. It follows no redirects, which could lead the key
// elsewhere, limits the length of responses, and describes calls to the Provider. Addresses are the operator's, so they
// may be private.
func HTTPClient() *http.Client {
	return &http.Client{
		Transport:     transport{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type transport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := tracing.Child(r.Context(), trace.SpanKindClient, r.Method)
	defer span.End()
	response, err := t.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		span.Fail("connect")
		return nil, err
	}
	span.Set(attribute.Int("http.response.status_code", response.StatusCode))
	if response.StatusCode >= http.StatusBadRequest {
		span.Fail(strconv.Itoa(response.StatusCode))
	}
	e, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		e = &exchange{}
	}
	e.status, e.retryAfter = response.StatusCode, retryAfter(response.Header, time.Now())
	response.Body = &limitedBody{ReadCloser: response.Body, left: maxResponse, exchange: e}
	return response, nil
}

// retryAfter returns the time of a Retry-After header, in seconds or as a date, or 0.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// limitedBody fails after maxResponse bytes.
type limitedBody struct {
	io.ReadCloser
	left     int
	exchange *exchange
}

// Read implements io.Reader.
func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if b.left -= n; b.left < 0 {
		b.exchange.tooLarge.Store(true)
		return 0, errTooLarge
	}
	return n, err
}

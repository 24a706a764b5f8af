package cardvault

import (
	"net/http"
	"strconv"
)

const idempotencyKey = "Idempotency-Key"

// RequestOption configures a single request.
type RequestOption func(*message)

// WithIdempotencyKey sets the idempotency key of a POST, so that the caller can repeat it safely after a crash: the
// service stores the first response for 24 hours and returns it again. Without this option every call has a new key.
// Other methods ignore the option.
func WithIdempotencyKey(key string) RequestOption {
	return func(m *message) {
		if m.method == http.MethodPost {
			m.header.Set(idempotencyKey, key)
		}
	}
}

// IfMatch makes a change of a card or a sale conditional: unless its [Card.Version] or [Sale.Version] is still this
// version, the error is [CodeVersionMismatch]. If a response is lost, the retry finds the version that the first
// attempt created and returns the same error. Read the card or the sale again in that case.
func IfMatch(version int64) RequestOption {
	return func(m *message) { m.header.Set("If-Match", strconv.Quote(strconv.FormatInt(version, 10))) }
}

// IfNoneMatch makes a read conditional: if etag, which is that of an earlier [Response], is still current, the error is
// [ErrNotModified].
func IfNoneMatch(etag string) RequestOption {
	return func(m *message) { m.header.Set("If-None-Match", etag) }
}

// WithResponse sets *response to the response of the service, also if that is an error. For an iterator it is the
// response of the last page.
func WithResponse(response *Response) RequestOption {
	return func(m *message) { m.into = response }
}

package cardvault

import (
	"net/http"
	"strconv"
)

const idempotencyKey = "Idempotency-Key"

// RequestOption changes a single request.
type RequestOption func(*message)

// WithIdempotencyKey has a POST sent with a key of the caller's, for repeating it safely after a crash: the service
// keeps the first answer for 24 hours and gives it again. Without this option every call has a new key. Other methods
// need none, and ignore it.
func WithIdempotencyKey(key string) RequestOption {
	return func(m *message) {
		if m.method == http.MethodPost {
			m.header.Set(idempotencyKey, key)
		}
	}
}

// IfMatch has a card changed only if it is still at this version, which is [Card.Version]; otherwise the error is
// [CodeVersionMismatch]. Should an answer get lost on its way, the repeated request meets the version that it made itself
// and ends in that error too: then read the card again.
func IfMatch(version int64) RequestOption {
	return func(m *message) { m.header.Set("If-Match", strconv.Quote(strconv.FormatInt(version, 10))) }
}

// IfNoneMatch has something read only if it has changed: if etag, from [Response], is still current, the error is
// [ErrNotModified].
func IfNoneMatch(etag string) RequestOption {
	return func(m *message) { m.header.Set("If-None-Match", etag) }
}

// WithResponse fills response with what the service answers beside the body, also where the answer is an error. Of an
// iterator's pages the last one counts.
func WithResponse(response *Response) RequestOption {
	return func(m *message) { m.into = response }
}

package cardvault

import (
	"fmt"
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

// IfMatch makes a change of a card, a listing or a sale conditional: unless the resource still has this version, such
// as [Card.Version], or this [Response.ETag], the error is [CodeVersionMismatch]. If a response is lost, the retry
// finds the version that the first attempt created and returns the same error. Read the resource again in that case.
func IfMatch[V int | int64 | string](versionOrETag V) RequestOption {
	return func(m *message) { m.header.Set("If-Match", etag(versionOrETag)) }
}

// IfNoneMatch makes a read conditional: if the resource still has this version or this ETag, as for [IfMatch], the
// error is [ErrNotModified].
func IfNoneMatch[V int | int64 | string](versionOrETag V) RequestOption {
	return func(m *message) { m.header.Set("If-None-Match", etag(versionOrETag)) }
}

// etag returns an ETag unchanged, and a version as the ETag that the service gives it.
func etag(versionOrETag any) string {
	if tag, ok := versionOrETag.(string); ok {
		return tag
	}
	return strconv.Quote(fmt.Sprint(versionOrETag))
}

// WithResponse sets *response to the response of the service, also if that is an error. For an iterator it is the
// response of the last page.
func WithResponse(response *Response) RequestOption {
	return func(m *message) { m.into = response }
}

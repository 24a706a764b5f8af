package cardvault

import (
	"net/http"
	"strconv"
	"time"
)

// Response is an HTTP response without its body.
type Response struct {
	Status    int         // the HTTP status
	Header    http.Header // all headers
	RequestID string      // identifies the request in the service's logs
	ETag      string      // the version of the body, for [IfNoneMatch]; "" if there is none
	RateLimit RateLimit
	Replayed  bool // whether this is the stored response to an earlier request with the same idempotency key
	Attempts  int  // the number of requests sent, 1 if the first one succeeded
}

// RateLimit is the number of requests of a class (read, write, AI) that the token may make. It is zero if the response
// does not come from the service.
type RateLimit struct {
	Limit     int64     // in a window of 60 seconds
	Remaining int64     // in the current window, after this request
	Reset     time.Time // when the window ends
}

func newResponse(r *http.Response, attempts int) Response {
	return Response{
		Status:    r.StatusCode,
		Header:    r.Header,
		RequestID: r.Header.Get("X-Request-Id"),
		ETag:      r.Header.Get("ETag"),
		RateLimit: rateLimit(r.Header),
		Replayed:  r.Header.Get("Idempotent-Replayed") == "true",
		Attempts:  attempts,
	}
}

func rateLimit(header http.Header) RateLimit {
	number := func(name string) int64 {
		n, err := strconv.ParseInt(header.Get(name), 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	limit := RateLimit{Limit: number("X-RateLimit-Limit"), Remaining: number("X-RateLimit-Remaining")}
	if reset := number("X-RateLimit-Reset"); reset > 0 {
		limit.Reset = time.Unix(reset, 0)
	}
	return limit
}

package cardvault

import (
	"net/http"
	"strconv"
	"time"
)

// Response is what an answer says beside its body.
type Response struct {
	Status    int         // the HTTP status
	Header    http.Header // all of its headers
	RequestID string      // names the request in the service's logs
	ETag      string      // the version of what is answered, for [IfNoneMatch]; "" where there is none
	RateLimit RateLimit
	Replayed  bool // whether this is the answer given earlier to the same idempotency key
	Attempts  int  // how many requests it took, 1 where the first one succeeded
}

// RateLimit is how many requests of a class (read, write, AI) the token may make. It is zero where something other than
// the service has answered.
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

package netguard

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// A server may close an idle connection at the moment a request is sent on it. http.Transport repeats a POST by itself
// only if the server cannot have processed it: nothing was written, or HTTP/2 says so (GOAWAY with an earlier stream,
// REFUSED_STREAM). repeat also repeats a request that may have been processed, for callers whose receivers skip
// duplicates.
//
// repeat sends the request again if it failed because its connection was closed, and returns the second result. The
// connection must have been reused, and no byte of a response may have arrived: a server that closes a new connection,
// or in the middle of a response, has a problem that a repetition does not solve. The second request gets a new
// connection, because the server may have closed the other idle ones too. It has the same header and body, and the
// context of the first one.
func (t *transport) repeat(req *http.Request) (*http.Response, error) {
	var seen connectionTrace
	request := req.WithContext(httptrace.WithClientTrace(req.Context(), seen.hooks()))
	res, err := t.send(t.base, request)
	if err == nil || req.Context().Err() != nil || !seen.closedIdle(err) || req.GetBody == nil {
		return res, err
	}
	body, bodyErr := req.GetBody()
	if bodyErr != nil {
		return nil, errors.Join(err, bodyErr)
	}
	again := *req
	again.Body = body
	return t.send(t.fresh, &again)
}

// connectionTrace records what happened on the connection of a request. http.Transport calls the hooks in several
// goroutines.
type connectionTrace struct{ reused, responded atomic.Bool }

func (c *connectionTrace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:              func(string) { c.reused.Store(false) }, // http.Transport may try several connections
		GotConn:              func(got httptrace.GotConnInfo) { c.reused.Store(got.Reused) },
		GotFirstResponseByte: func() { c.responded.Store(true) },
	}
}

// closedIdle reports whether a request failed because a reused connection was closed before the response began. err is
// the error of a request whose context has not ended. Until the response begins, a reused connection fails in no other
// way, except that an HTTP/2 server can refuse a request.
func (c *connectionTrace) closedIdle(err error) bool {
	var streamErr streamError
	return c.reused.Load() && !c.responded.Load() && !errors.As(err, &streamErr) && Classify(err) != ClassTimeout &&
		!errors.Is(err, context.Canceled)
}

// streamError has the fields of the error that http.Transport returns when an HTTP/2 server resets the stream of a
// request. errors.As compares the fields.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

// Error implements error.
func (streamError) Error() string { return "the stream was reset" }

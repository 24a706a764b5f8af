package api

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/cardvault/cardvault/internal/api/etag"
)

// answer holds back what a handler writes until it is whole: for its ETag, and to be kept under an
// idempotency key. Answers are pages at most, never streams.
type answer struct {
	out    http.ResponseWriter
	status int // 0 until the handler wrote
	body   bytes.Buffer
	// alwaysFull is set by DisableNotModified.
	alwaysFull bool
}

var answers = sync.Pool{New: func() any { return new(answer) }}

// maxPooled is the largest buffer that is kept for the next request.
const maxPooled = 256 << 10

func newAnswer(out http.ResponseWriter) *answer {
	a := answers.Get().(*answer)
	a.out, a.status, a.alwaysFull = out, 0, false
	a.body.Reset()
	return a
}

// free gives the buffer back. The answer must not be used afterwards.
func (a *answer) free() {
	if a.out = nil; a.body.Cap() <= maxPooled {
		answers.Put(a)
	}
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.out.Header() }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// DisableNotModified prevents that the response to a GET is replaced by 304 because the client has its ETag already.
// Handlers call it for responses that contain something that changes without the version, such as URLs that expire. w
// is the ResponseWriter that the handler was called with.
func DisableNotModified(w http.ResponseWriter) {
	if a, ok := w.(*answer); ok {
		a.alwaysFull = true
	}
}

var errNoAnswer = errors.New("the handler answered nothing")

// send sends the answer: 304 without a body to a client that has all of it already.
func (a *answer) send(r *http.Request) {
	if a.status == 0 {
		WriteError(a.out, r, errNoAnswer)
		return
	}
	h := a.Header()
	if tag := a.tag(r); tag != "" {
		h.Set("ETag", tag)
		if r.Method == http.MethodGet && !a.alwaysFull && etag.NoneMatch(r.Header.Get("If-None-Match"), tag) {
			h.Del("Content-Type")
			a.out.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if a.status != http.StatusNoContent {
		h.Set("Content-Length", strconv.Itoa(a.body.Len()))
	}
	a.out.WriteHeader(a.status)
	if a.body.Len() > 0 {
		_, _ = a.body.WriteTo(a.out) // a client that has gone is no fault of anybody's
	}
}

// tag returns the ETag that the handler has set or, for a GET, a hash of the body.
func (a *answer) tag(r *http.Request) string {
	if a.status < 200 || a.status > 299 {
		return ""
	}
	if tag := a.Header().Get("ETag"); tag != "" || r.Method != http.MethodGet {
		return tag
	}
	return fmt.Sprintf(`"%016x"`, xxhash.Sum64(a.body.Bytes()))
}

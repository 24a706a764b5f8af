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

// responseRecorder keeps the response of a handler in memory until it is complete. Responses are at most a page, never
// streams.
type responseRecorder struct {
	out    http.ResponseWriter
	status int // 0 until the handler writes
	body   bytes.Buffer
	// alwaysFull is set by DisableNotModified.
	alwaysFull bool
}

// record sends the response after the handler returned, with an ETag, or as 304. It comes before idempotency, which
// stores the recorded response and replays it into the recorder.
func record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorder := newResponseRecorder(w)
		defer recorder.free()
		next.ServeHTTP(recorder, r)
		stateOf(r.Context()).releaseBody(r)
		recorder.send(r)
	})
}

var recorders = sync.Pool{New: func() any { return new(responseRecorder) }}

// maxPooled is the largest capacity, in bytes, of a buffer that is kept for the next request.
const maxPooled = 256 << 10

func newResponseRecorder(out http.ResponseWriter) *responseRecorder {
	rec := recorders.Get().(*responseRecorder)
	rec.out, rec.status, rec.alwaysFull = out, 0, false
	rec.body.Reset()
	return rec
}

// free returns the recorder to the pool. It must not be used afterwards.
func (rec *responseRecorder) free() {
	if rec.out = nil; rec.body.Cap() <= maxPooled {
		recorders.Put(rec)
	}
}

// Header implements http.ResponseWriter.
func (rec *responseRecorder) Header() http.Header { return rec.out.Header() }

// WriteHeader implements http.ResponseWriter.
func (rec *responseRecorder) WriteHeader(status int) {
	if rec.status == 0 {
		rec.status = status
	}
}

// Write implements http.ResponseWriter.
func (rec *responseRecorder) Write(b []byte) (int, error) {
	rec.WriteHeader(http.StatusOK)
	return rec.body.Write(b)
}

// DisableNotModified prevents that the response to a GET is replaced by 304 because the client has its ETag already.
// Handlers call it for responses that contain something that changes without the version, such as URLs that expire. w
// is the ResponseWriter that the handler was called with.
func DisableNotModified(w http.ResponseWriter) {
	if rec, ok := w.(*responseRecorder); ok {
		rec.alwaysFull = true
	}
}

var errNoResponse = errors.New("the handler wrote no response")

// send sends the response, or 304 if the client has it already.
func (rec *responseRecorder) send(r *http.Request) {
	if rec.status == 0 {
		WriteError(rec.out, r, errNoResponse)
		return
	}
	h := rec.Header()
	if tag := rec.etag(r); tag != "" {
		h.Set("ETag", tag)
		if r.Method == http.MethodGet && !rec.alwaysFull && etag.NoneMatch(r.Header.Get("If-None-Match"), tag) {
			h.Del("Content-Type")
			rec.out.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if rec.status != http.StatusNoContent {
		h.Set("Content-Length", strconv.Itoa(rec.body.Len()))
	}
	rec.out.WriteHeader(rec.status)
	if rec.body.Len() > 0 {
		_, _ = rec.body.WriteTo(rec.out) // fails only if the client closed the connection
	}
}

// etag returns the ETag that the handler set or, for a GET, a hash of the body.
func (rec *responseRecorder) etag(r *http.Request) string {
	if rec.status < 200 || rec.status > 299 {
		return ""
	}
	if tag := rec.Header().Get("ETag"); tag != "" || r.Method != http.MethodGet {
		return tag
	}
	return fmt.Sprintf(`"%016x"`, xxhash.Sum64(rec.body.Bytes()))
}

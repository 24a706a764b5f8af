package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/cardvault/cardvault/internal/staticdoc"
)

// compressors are gzip writers. A new one allocates more than a page has.
var compressors = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // fails only for an unknown level
	return w
}}

// buffer holds a page until it is sent.
type buffer struct{ bytes.Buffer }

// buffers are buffers that were used. A page of cards needs several enlargements of a new one.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

// maxKept is the largest capacity of a buffer that is used again, in bytes.
const maxKept = 1 << 20

func newBuffer() *buffer { return buffers.Get().(*buffer) }

// free lets the buffer be used again.
func (b *buffer) free() {
	if b.Cap() <= maxKept {
		b.Reset()
		buffers.Put(b)
	}
}

// writePage sends a page, compressed if the browser accepts that. Responses to forms are not compressed, because some
// Show a secret beside what was typed, and their size would then tell parts of the secret (the BREACH attack).
func writePage(w http.ResponseWriter, r *http.Request, status int, body *buffer) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Add("Vary", "Accept-Encoding")
	if r.Method != http.MethodPost && staticdoc.TakesGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
		body = compressed(body)
		defer body.free()
	}
	h.Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // fails only if the client has disconnected
}

func compressed(body *buffer) *buffer {
	out := newBuffer()
	w := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	w.Reset(out)
	_, _ = w.Write(body.Bytes()) // writing to memory does not fail
	_ = w.Close()
	return out
}

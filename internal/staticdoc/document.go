// Package staticdoc serves documents that do not change while the program runs, such as pages and contracts. It
// compresses each document once, sends it as gzip to clients that accept gzip, and responds 304 to clients that have it
// already. Package net/http handles conditions and ranges.
//
// The package is ours because middleware that compresses, such as gzhttp of klauspost/compress, does not send stored
// bytes. gzhttp compresses each response (45 ms for the contract; sending the stored bytes takes 0.13 ms). It compares
// If-None-Match with the tag of the plain bytes, so that a client that has the gzip bytes never gets 304. It responds
// to HEAD and Range with the plain representation.
package staticdoc

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Document is an http.Handler that serves one document. It responds to every method alike: callers restrict the
// methods.
type Document struct {
	contentType string
	tag         string        // an entity tag without quotation marks
	plain       []byte        // nil if only the compressed content is kept
	compressed  func() []byte // gzip
}

// New returns a document with the given content. The first client that accepts gzip makes it compress the content,
// because compressing all documents would delay the start of the program.
func New(contentType string, plain []byte) *Document {
	packer := sync.OnceValue(func() []byte { return compress(plain) })
	return &Document{contentType: contentType, tag: tag(plain), plain: plain, compressed: packer}
}

// Compressed returns a document whose content is given compressed with gzip. It is decompressed for each request of a
// client that does not accept gzip.
func Compressed(contentType string, data []byte) *Document {
	return &Document{contentType: contentType, tag: tag(data), compressed: func() []byte { return data }}
}

// Tag returns a hash that identifies the content.
func (d *Document) Tag() string { return d.tag }

// ServeHTTP implements http.Handler.
func (d *Document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", d.contentType)
	h.Add("Vary", "Accept-Encoding")
	if TakesGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
		// The compressed representation needs a tag of its own (RFC 9110, 8.8.3.3).
		h.Set("ETag", `"`+d.tag+`-gzip"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.compressed()))
		return
	}
	plain, err := d.unpacked()
	if err != nil {
		panic(err) // the compressed content is corrupt, which is an error in the program
	}
	h.Set("ETag", `"`+d.tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(plain))
}

func (d *Document) unpacked() ([]byte, error) {
	if d.plain != nil {
		return d.plain, nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(d.compressed()))
	if err != nil {
		return nil, fmt.Errorf("decompress static document: %w", err)
	}
	plain, err := io.ReadAll(reader)
	if err != nil {
		return nil, fmt.Errorf("decompress static document: %w", err)
	}
	return plain, nil
}

// TakesGzip reports whether a request's Accept-Encoding allows gzip. The weight of gzip precedes the weight of * (RFC
// 9110, section 12.5.3).
func TakesGzip(h http.Header) bool {
	allowed := map[string]bool{}
	for _, offer := range strings.Split(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		coding, parameters, _ := strings.Cut(offer, ";")
		weight, weighted := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(parameters), " ", ""), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		allowed[strings.ToLower(strings.TrimSpace(coding))] = !weighted || err == nil && q > 0
	}
	gzip, named := allowed["gzip"]
	return gzip || !named && allowed["*"]
}

func tag(b []byte) string {
	hash := fnv.New64a()
	hash.Write(b)
	return hex.EncodeToString(hash.Sum(nil))
}

func compress(plain []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // fails only for an unknown level
	_, _ = w.Write(plain)                                 // writing to memory does not fail
	_ = w.Close()
	return b.Bytes()
}

// Package static serves bytes that stay the same while the program runs: compressed to clients that take that, and 304
// to those that have them already. It knows nothing of what the bytes mean, and sets no headers but those that say what
// they are.
package static

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
	"time"
)

// Document is one thing to serve. It answers every method alike: which are allowed is for the caller to say.
type Document struct {
	contentType string
	tag         string // of the plain bytes, without quotation marks
	plain       []byte // nil where only the compressed bytes are kept
	compressed  []byte // gzip
}

// New returns a document of these bytes.
func New(contentType string, plain []byte) *Document {
	return &Document{contentType: contentType, tag: tag(plain), plain: plain, compressed: compress(plain)}
}

// Compressed returns a document of bytes that are compressed already (gzip); they are unpacked only for a client that
// does not take them so.
func Compressed(contentType string, compressed []byte) *Document {
	return &Document{contentType: contentType, tag: tag(compressed), compressed: compressed}
}

// Tag names the bytes: other bytes have another one.
func (d *Document) Tag() string { return d.tag }

// ServeHTTP implements http.Handler.
func (d *Document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", d.contentType)
	h.Add("Vary", "Accept-Encoding")
	if takesGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
		// Other bytes on the wire are another representation, which needs a tag of its own (RFC 9110, 8.8.3.3).
		h.Set("ETag", `"`+d.tag+`-gzip"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.compressed))
		return
	}
	plain, err := d.unpacked()
	if err != nil {
		panic(err) // the program carries broken bytes
	}
	h.Set("ETag", `"`+d.tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(plain))
}

func (d *Document) unpacked() ([]byte, error) {
	if d.plain != nil {
		return d.plain, nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(d.compressed))
	if err != nil {
		return nil, fmt.Errorf("static: %w", err)
	}
	plain, err := io.ReadAll(reader)
	if err != nil {
		return nil, fmt.Errorf("static: %w", err)
	}
	return plain, nil
}

// takesGzip reports whether a request's Accept-Encoding allows a gzip answer.
func takesGzip(h http.Header) bool {
	for _, offer := range strings.Split(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		coding, parameters, _ := strings.Cut(offer, ";")
		if coding = strings.TrimSpace(coding); !strings.EqualFold(coding, "gzip") && coding != "*" {
			continue
		}
		weight, weighted := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(parameters), " ", ""), "q=")
		if !weighted {
			return true
		}
		q, err := strconv.ParseFloat(weight, 64)
		return err == nil && q > 0
	}
	return false
}

func tag(b []byte) string {
	hash := fnv.New64a()
	hash.Write(b)
	return hex.EncodeToString(hash.Sum(nil))
}

func compress(plain []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // fails only for an unknown level
	_, _ = w.Write(plain)                                 // into memory: cannot fail
	_ = w.Close()
	return b.Bytes()
}

package static_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/static"
)

var plain = []byte(strings.Repeat("the same bytes again and again\n", 100))

func get(d *static.Document, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

func gunzip(t *testing.T, compressed []byte) []byte {
	t.Helper()
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// both are the same document, made of its bytes and made of its compressed bytes.
func both(t *testing.T) map[string]*static.Document {
	t.Helper()
	d := static.New("text/plain", plain)
	packed := get(d, "Accept-Encoding", "gzip").Body.Bytes()
	return map[string]*static.Document{"plain": d, "compressed": static.Compressed("text/plain", packed)}
}

func TestEveryClientGetsTheSameBytes(t *testing.T) {
	t.Parallel()
	for name, d := range both(t) {
		for accept, compressed := range map[string]bool{
			"": false, "br": false, "gzip;q=0": false, "gzip; q=0.0": false, "identity, gzip;q=none": false,
			"gzip": true, "br, GZIP;q=0.5": true, "*": true, "deflate, gzip": true,
		} {
			w := get(d, "Accept-Encoding", accept)
			body := w.Body.Bytes()
			if got := w.Header().Get("Content-Encoding") == "gzip"; got != compressed {
				t.Errorf("%s, %q: Content-Encoding %q", name, accept, w.Header().Get("Content-Encoding"))
			} else if compressed {
				body = gunzip(t, body)
			}
			if !bytes.Equal(body, plain) || w.Header().Get("Content-Type") != "text/plain" || w.Header().Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s, %q: %d bytes, %v", name, accept, len(body), w.Header())
			}
		}
	}
}

func TestWhoHasItGetsNothing(t *testing.T) {
	t.Parallel()
	for name, d := range both(t) {
		tags := map[string]bool{}
		for _, accept := range []string{"", "gzip"} {
			tag := get(d, "Accept-Encoding", accept).Header().Get("ETag")
			tags[tag] = true
			again := get(d, "Accept-Encoding", accept, "If-None-Match", tag)
			if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
				t.Errorf("%s, %q: %d with %d bytes", name, accept, again.Code, again.Body.Len())
			}
			if other := get(d, "Accept-Encoding", accept, "If-None-Match", `"other"`); other.Code != http.StatusOK {
				t.Errorf("%s, %q: %d to a client that has something else", name, accept, other.Code)
			}
		}
		if len(tags) != 2 {
			t.Errorf("%s: plain and compressed share a tag: %v", name, tags)
		}
	}
}

func TestOtherBytesHaveAnotherTag(t *testing.T) {
	t.Parallel()
	if static.New("text/plain", []byte("a")).Tag() == static.New("text/plain", []byte("b")).Tag() {
		t.Error("two documents share a tag")
	}
}

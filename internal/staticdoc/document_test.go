package staticdoc_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/staticdoc"
)

var plain = []byte(strings.Repeat("the same bytes again and again\n", 100))

func get(d *staticdoc.Document, headers ...string) *httptest.ResponseRecorder {
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

// both returns the same document, created by New and by Compressed.
func both(t *testing.T) map[string]*staticdoc.Document {
	t.Helper()
	d := staticdoc.New("text/plain", plain)
	packed := get(d, "Accept-Encoding", "gzip").Body.Bytes()
	return map[string]*staticdoc.Document{"plain": d, "compressed": staticdoc.Compressed("text/plain", packed)}
}

func TestDocument_ContentEncoding(t *testing.T) {
	t.Parallel()
	for name, d := range both(t) {
		for accept, compressed := range map[string]bool{
			"": false, "br": false, "gzip;q=0": false, "*, gzip;q=0": false, "gzip; q=0.0": false,
			"identity, gzip;q=none": false,
			"gzip":                  true, "br, GZIP;q=0.5": true, "*": true, "deflate, gzip": true,
		} {
			t.Run(name+" accept "+accept, func(t *testing.T) {
				t.Parallel()
				w := get(d, "Accept-Encoding", accept)
				want := http.Header{
					"Accept-Ranges": {"bytes"}, "Content-Type": {"text/plain"}, "Vary": {"Accept-Encoding"},
				}
				body := w.Body.Bytes()
				if compressed {
					want.Set("Content-Encoding", "gzip")
					body = gunzip(t, body)
				}
				got := w.Header()
				got.Del("Content-Length")
				got.Del("ETag")
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("headers (-want +got):\n%s", diff)
				}
				if !bytes.Equal(body, plain) {
					t.Errorf("body: got %d bytes, want the %d of the document", len(body), len(plain))
				}
			})
		}
	}
}

func TestDocument_NotModified(t *testing.T) {
	t.Parallel()
	for name, d := range both(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tags := map[string]bool{}
			for _, accept := range []string{"", "gzip"} {
				tag := get(d, "Accept-Encoding", accept).Header().Get("ETag")
				tags[tag] = true
				again := get(d, "Accept-Encoding", accept, "If-None-Match", tag)
				if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
					t.Errorf("accept %q: got %d with %d bytes, want 304 without", accept, again.Code, again.Body.Len())
				}
				other := get(d, "Accept-Encoding", accept, "If-None-Match", `"other"`)
				if other.Code != http.StatusOK {
					t.Errorf("accept %q, another tag: got %d, want 200", accept, other.Code)
				}
			}
			if len(tags) != 2 {
				t.Errorf("tags: got %v, want different ones for the plain and the compressed document", tags)
			}
		})
	}
}

func TestDocument_Tag(t *testing.T) {
	t.Parallel()
	if staticdoc.New("text/plain", []byte("a")).Tag() == staticdoc.New("text/plain", []byte("b")).Tag() {
		t.Error("documents with different content have the same tag")
	}
}

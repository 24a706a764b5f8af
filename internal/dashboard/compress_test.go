package dashboard

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// encoded sends a request with an Accept-Encoding, and returns the content coding of the response and its body.
func (b *browser) encoded(method, path string, form url.Values, accepted string) (coding, body string) {
	b.t.Helper()
	r := b.request(method, path, form)
	r.Header.Set("Accept-Encoding", accepted)
	response, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	if want := strconv.Itoa(len(content)); response.Header.Get("Content-Length") != want {
		b.t.Errorf("Content-Length: got %q, want %s", response.Header.Get("Content-Length"), want)
	}
	if !slices.Contains(response.Header.Values("Vary"), "Accept-Encoding") {
		b.t.Errorf("Vary: got %q, want it to name Accept-Encoding", response.Header.Values("Vary"))
	}
	return response.Header.Get("Content-Encoding"), string(content)
}

func TestPages_AreCompressed(t *testing.T) {
	t.Parallel()
	b := setup(t).browser()
	coding, plain := b.encoded(http.MethodGet, "/login", nil, "identity")
	if coding != "" {
		t.Errorf("without gzip: got the coding %q", coding)
	}
	coding, packed := b.encoded(http.MethodGet, "/login", nil, "gzip, br")
	if coding != "gzip" || len(packed) >= len(plain) {
		t.Fatalf("got %d bytes with the coding %q, want fewer than %d with gzip", len(packed), coding, len(plain))
	}
	reader, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(reader); err != nil || string(body) != plain {
		t.Errorf("decompressed: got %d bytes, %v, want the %d of the page", len(body), err, len(plain))
	}
	wrong := url.Values{"email": {ada}, "password": {"wrong"}}
	if coding, _ := b.encoded(http.MethodPost, "/login", wrong, "gzip"); coding != "" {
		t.Errorf("the response to a form has the coding %q, want none", coding)
	}
}

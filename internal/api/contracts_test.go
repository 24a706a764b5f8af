package api_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/openapi"
)

// contracts sends a request to the handler of the OpenAPI documents.
func contracts(t *testing.T, method, address string, headers http.Header) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, address, nil)
	r.Header = headers
	w := httptest.NewRecorder()
	api.Contracts().ServeHTTP(w, r)
	return w
}

func TestContracts_ServesDocuments(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]struct {
		method      string
		status      int
		contentType string
		body        string
	}{
		"/openapi/v1.yaml":    {"GET", 200, "application/yaml", string(openapi.V1)},
		"/openapi/v2.yaml":    {"GET", 200, "application/yaml", string(openapi.V2)},
		"/openapi/v1.json":    {"GET", 200, "application/json", ""},
		"/openapi/v2.json":    {"GET", 200, "application/json", ""},
		"/openapi/v1.yaml?x":  {"DELETE", 405, "application/json", ""},
		"/openapi/":           {"GET", 404, "application/json", ""},
		"/openapi/v3.json":    {"GET", 404, "application/json", ""},
		"/openapi/../v1.yaml": {"GET", 404, "application/json", ""},
	} {
		t.Run(address, func(t *testing.T) {
			w := contracts(t, want.method, address, http.Header{})
			if w.Code != want.status || want.body != "" && w.Body.String() != want.body || w.Body.Len() == 0 {
				t.Errorf("%s %s: got %d with %d bytes, want %d", want.method, address, w.Code, w.Body.Len(),
					want.status)
			}
			if got := w.Header().Get("Content-Type"); got != want.contentType {
				t.Errorf("%s %s: Content-Type is %q, want %q", want.method, address, got, want.contentType)
			}
			if want.status == 405 && w.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("Allow is %q, want GET, HEAD", w.Header().Get("Allow"))
			}
		})
	}
}

func TestContracts_RevalidatesByETag(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"/openapi/v1.yaml", "/openapi/v1.json", "/openapi/v2.yaml", "/openapi/v2.json"} {
		t.Run(address, func(t *testing.T) {
			gzip := http.Header{"Accept-Encoding": {"gzip"}}
			first := contracts(t, "GET", address, gzip)
			if first.Header().Get("Content-Encoding") != "gzip" ||
				first.Header().Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("headers are %v, want gzip and all origins allowed", first.Header())
			}
			gzip.Set("If-None-Match", first.Header().Get("ETag"))
			if again := contracts(t, "GET", address, gzip); again.Code != http.StatusNotModified ||
				again.Body.Len() != 0 {
				t.Errorf("revalidation: got %d with %d bytes, want 304 without a body", again.Code, again.Body.Len())
			}
		})
	}
}

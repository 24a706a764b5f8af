package api_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/openapi"
)

// contracts asks the handler of the OpenAPI documents.
func contracts(t *testing.T, method, address string, headers http.Header) *httptest.ResponseRecorder {
	t.Helper()
	handler, err := api.Contracts()
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(method, address, nil)
	r.Header = headers
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
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
		w := contracts(t, want.method, address, http.Header{})
		if w.Code != want.status || want.body != "" && w.Body.String() != want.body || w.Body.Len() == 0 {
			t.Errorf("%s %s: %d, %d bytes", want.method, address, w.Code, w.Body.Len())
		}
		if got := w.Header().Get("Content-Type"); got != want.contentType {
			t.Errorf("%s %s: Content-Type %q", want.method, address, got)
		}
		if want.status == 405 && w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: Allow %q", address, w.Header().Get("Allow"))
		}
	}
}

func TestContracts_RevalidatesByETag(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"/openapi/v1.yaml", "/openapi/v1.json", "/openapi/v2.yaml", "/openapi/v2.json"} {
		gzip := http.Header{"Accept-Encoding": {"gzip"}}
		first := contracts(t, "GET", address, gzip)
		if first.Header().Get("Content-Encoding") != "gzip" || first.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %v", address, first.Header())
		}
		gzip.Set("If-None-Match", first.Header().Get("ETag"))
		if again := contracts(t, "GET", address, gzip); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s: asked again, %d with %d bytes", address, again.Code, again.Body.Len())
		}
	}
}

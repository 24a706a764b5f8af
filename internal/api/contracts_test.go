package api_test

import (
	"net/http/httptest"
	"testing"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/openapi"
)

func TestContractsAreServedAsTheyStand(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]struct {
		method string
		status int
		body   string
	}{
		"/openapi/v1.yaml":    {"GET", 200, string(openapi.V1)},
		"/openapi/v2.yaml":    {"GET", 200, string(openapi.V2)},
		"/openapi/v1.yaml?x":  {"DELETE", 405, ""},
		"/openapi/":           {"GET", 404, ""},
		"/openapi/../v1.yaml": {"GET", 404, ""},
	} {
		w := httptest.NewRecorder()
		api.Contracts().ServeHTTP(w, httptest.NewRequest(want.method, address, nil))
		if w.Code != want.status || want.body != "" && w.Body.String() != want.body {
			t.Errorf("%s %s: %d, %d bytes", want.method, address, w.Code, w.Body.Len())
		}
		if want.status == 405 && w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: Allow %q", address, w.Header().Get("Allow"))
		}
	}
}

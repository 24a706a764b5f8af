package markettest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// report is a test that keeps whether it failed.
type report struct {
	testing.TB
	failed bool
}

func (r *report) Helper()               {}
func (r *report) Errorf(string, ...any) { r.failed = true }

// Validate reports wrong shapes, so that the tests that rely on it can fail.
func TestValidate_ReportsWrongShapes(t *testing.T) {
	t.Parallel()
	All(t)
	const offer, order = "/sell/inventory/v1/offer", "/sell/fulfillment/v1/order"
	for name, tc := range map[string]struct {
		method, path, body string
		status             int
		answer             string
		fails              bool
	}{
		"conforms":             {"GET", order, "", 200, `{"orders": [], "total": 0}`, false},
		"unknown path":         {"GET", order + "s", "", 200, `{}`, true},
		"unknown field":        {"GET", order, "", 200, `{"orderss": []}`, true},
		"wrong type":           {"GET", order, "", 200, `{"total": "0"}`, true},
		"unknown status":       {"GET", order, "", 202, `{}`, true},
		"field of the request": {"POST", offer, `{"sku": "x", "price": 1}`, 201, `{"offerId": "1"}`, true},
		"no Content-Language":  {"POST", offer, `{"sku": "x"}`, 201, `{"offerId": "1"}`, true},
		"no errors":            {"GET", order, "", 400, `{"error": "x"}`, true},
		"listed error": {"GET", order, "", 400,
			`{"errors": [{"errorId": 31000, "domain": "API_FULFILLMENT", "category": "REQUEST"}]}`, false},
		"wrong domain": {"GET", order, "", 400,
			`{"errors": [{"errorId": 31000, "domain": "API_INVENTORY", "category": "REQUEST"}]}`, true},
		"unlisted error": {"GET", order, "", 400,
			`{"errors": [{"errorId": 1, "domain": "API_FULFILLMENT", "category": "REQUEST"}]}`, true},
		"no form with an image": {"POST", "/commerce/media/v1_beta/image/create_image_from_file", `{}`, 201,
			`{"imageUrl": "x", "expirationDate": "2026-01-31T12:00:00.000Z"}`, true},
		"another site": {"GET", "/itm/1", "", 200, "a page", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := &report{TB: t}
			handler := Validate(result, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tc.status)
				io.WriteString(w, tc.answer)
			}), nil)
			r := httptest.NewRequest(tc.method, tc.path, strings.NewReader(tc.body))
			r.Header.Set("Content-Type", "application/json")
			response := httptest.NewRecorder()
			handler.ServeHTTP(response, r)
			if result.failed != tc.fails || response.Code != tc.status || response.Body.String() != tc.answer {
				t.Errorf("failed is %v, want %v; response %d %s", result.failed, tc.fails, response.Code, response.Body)
			}
		})
	}
}

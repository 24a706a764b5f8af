package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	handler := documents(http.NotFoundHandler(), noNotifications)
	for path, want := range map[string]struct {
		status      int
		contentType string
	}{
		"/docs":            {200, "text/html"},
		"/docs/errors":     {200, "text/html"},
		"/docs.md":         {200, "text/markdown"},
		"/docs/errors.md":  {200, "text/markdown"},
		"/llms.txt":        {200, "text/plain"},
		"/llms.txt/":       {404, "text/plain"},
		"/docs/nowhere":    {404, "text/html"},
		"/docsx":           {404, "text/plain"},
		"/openapi/v3.yaml": {404, "application/json"},
		"/openapi/v1.yaml": {200, "application/yaml"},
		"/openapi/v2.json": {200, "application/json"},
		"/":                {404, "text/plain"}, // the dashboard's
	} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if got := w.Header().Get("Content-Type"); w.Code != want.status || !strings.HasPrefix(got, want.contentType) {
			t.Errorf("%s: %d %s, want %d %s", path, w.Code, got, want.status, want.contentType)
		}
	}
}

func noNotifications(string) http.Handler { return nil }

package web

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"log/slog"
	"net/http/httptest"
	"testing"
)

// TestFail_Logs fails with an error that is not a fault, for a browser that waits and for one that left.
func TestFail_Logs(t *testing.T) {
	t.Parallel()
	pages := &Templates{templates: template.Must(template.New("problem.html").Parse("{{.Data.Message}}"))}
	left, leave := context.WithCancel(t.Context())
	leave()
	for name, tc := range map[string]struct {
		ctx    context.Context
		logged bool
	}{"waits": {t.Context(), true}, "left": {left, false}} {
		var log bytes.Buffer
		frame := New(Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), Templates: pages})
		r := httptest.NewRequestWithContext(tc.ctx, "GET", "/cards", nil)
		frame.Fail(httptest.NewRecorder(), r, errors.Join(errors.New("a query failed"), tc.ctx.Err()))
		if got := bytes.Contains(log.Bytes(), []byte("a query failed")); got != tc.logged {
			t.Errorf("%s: logged %v, want %v: %s", name, got, tc.logged, &log)
		}
	}
}

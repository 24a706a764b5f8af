package dashboard

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"testing"
)

// TestFail_Logs fails with an error that is not a fault, for a browser that waits and for one that left.
func TestFail_Logs(t *testing.T) {
	t.Parallel()
	pages, err := newPages()
	if err != nil {
		t.Fatal(err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	for name, tc := range map[string]struct {
		ctx    context.Context
		logged bool
	}{"waits": {t.Context(), true}, "left": {left, false}} {
		var log bytes.Buffer
		d := &Dashboard{Config: Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, pages: pages}
		r := httptest.NewRequestWithContext(tc.ctx, "GET", "/cards", nil)
		d.fail(httptest.NewRecorder(), r, errors.Join(errors.New("a query failed"), tc.ctx.Err()))
		if got := bytes.Contains(log.Bytes(), []byte("a query failed")); got != tc.logged {
			t.Errorf("%s: logged %v, want %v: %s", name, got, tc.logged, &log)
		}
	}
}

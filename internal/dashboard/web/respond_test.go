package web

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cardvault/cardvault/internal/users"
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

// A part of a page makes no queries for the frame, and the page of an error makes none at all.
func TestShow_QueriesOfTheFrame(t *testing.T) {
	t.Parallel()
	var reviews, revoked int
	parsed := template.New("")
	for _, name := range []string{"cards", "marketplaces", "problem"} {
		template.Must(parsed.New(name + ".html").Parse("{{.Reviews}}"))
	}
	frame := New(Config{
		Templates: &Templates{templates: parsed}, Logger: slog.New(slog.DiscardHandler),
		ReviewsLeft: func(context.Context, string, int) (int, error) { reviews++; return 3, nil },
		Revoked:     func(context.Context, string) (string, error) { revoked++; return "", nil },
	})
	show := func(page string) func(http.ResponseWriter, *http.Request) error {
		return func(w http.ResponseWriter, r *http.Request) error {
			return frame.Show(w, r, http.StatusOK, page, "", nil)
		}
	}
	fail := func(w http.ResponseWriter, r *http.Request) error {
		frame.Fail(w, r, ErrNoPage)
		return nil
	}
	for name, tc := range map[string]struct {
		handle           Handler
		script           bool
		reviews, revoked int
	}{
		"page":              {show("cards"), false, 1, 1},
		"marketplaces":      {show("marketplaces"), false, 1, 0},
		"part for a script": {show("cards"), true, 0, 0},
		"error":             {fail, false, 0, 0},
	} {
		reviews, revoked = 0, 0
		ctx := context.WithValue(t.Context(), visitKey{}, &Visit{Role: users.Owner})
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/x", nil)
		if tc.script {
			r.Header.Set("HX-Request", "true")
		}
		if err := tc.handle(httptest.NewRecorder(), r); err != nil {
			t.Fatal(err)
		}
		if reviews != tc.reviews || revoked != tc.revoked {
			t.Errorf("%s: counted reviews %d times and looked for a revoked connection %d times, want %d and %d",
				name, reviews, revoked, tc.reviews, tc.revoked)
		}
	}
}

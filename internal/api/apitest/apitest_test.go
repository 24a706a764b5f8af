package apitest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestMain prevents that the responses of these tests are recorded.
func TestMain(m *testing.M) {
	if err := os.Unsetenv(SeenVariable); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// errorRecorder is a testing.TB that records errors instead of failing.
type errorRecorder struct {
	testing.TB
	errors []string
}

func (n *errorRecorder) Helper()                   {}
func (n *errorRecorder) Errorf(f string, a ...any) { n.errors = append(n.errors, fmt.Sprintf(f, a...)) }

// response returns a valid response to GET /api/events/…, changed by a function.
func response(change func(*http.Response)) *http.Response {
	const body = `{"error":{"code":"event_not_found","message":"There is no event.","status":404}}`
	resp := &http.Response{StatusCode: http.StatusNotFound, Body: io.NopCloser(strings.NewReader(body)),
		Header: http.Header{}}
	for _, name := range commonHeaders {
		resp.Header.Set(name, "1")
	}
	resp.Header.Set("Access-Control-Allow-Origin", "*")
	resp.Header.Set("Content-Type", "application/json")
	change(resp)
	return resp
}

func body(text string) func(*http.Response) {
	return func(r *http.Response) { r.Body = io.NopCloser(strings.NewReader(text)) }
}

func TestValidate(t *testing.T) {
	t.Parallel()
	known := "/api/events/evt_01k5w0q2m7t9c3r5v8x0z1b4d6"
	for name, c := range map[string]struct {
		target  string
		change  func(*http.Response)
		invalid bool
	}{
		"valid":                    {known, func(*http.Response) {}, false},
		"undocumented status":      {known, func(r *http.Response) { r.StatusCode = http.StatusTeapot }, true},
		"no request id":            {known, func(r *http.Response) { r.Header.Del("X-Request-Id") }, true},
		"rate header not a number": {known, func(r *http.Response) { r.Header.Set("X-RateLimit-Limit", "many") }, true},
		"no WWW-Authenticate":      {known, func(r *http.Response) { r.StatusCode = http.StatusUnauthorized }, true},
		"another media type":       {known, func(r *http.Response) { r.Header.Set("Content-Type", "text/html") }, true},
		"invalid envelope":         {known, body(`{"message":"no"}`), true},
		"unknown code":             {known, body(`{"error":{"code":"no","message":"","status":404}}`), true},
		"code of another operation": {known, body(`{"error":{"code":"card_not_found","message":"","status":404}}`),
			true},
		"304 with a body": {known, func(r *http.Response) { r.StatusCode = 304; r.Header.Set("ETag", `"1"`) },
			true},
		"unknown path":                   {"/api/nothing", func(*http.Response) {}, false},
		"unknown path succeeds":          {"/api/nothing", func(r *http.Response) { r.StatusCode = 200 }, true},
		"unknown path, invalid envelope": {"/api/nothing", body(`{}`), true},
	} {
		t.Run(name, func(t *testing.T) {
			var notes errorRecorder
			Validate(&notes, httptest.NewRequest("GET", c.target, nil), response(c.change))
			if got := len(notes.errors) > 0; got != c.invalid {
				t.Errorf("%q", notes.errors)
			}
		})
	}
	seen := Response{"v1", "getEvent", http.StatusNotFound, "event_not_found"}
	if !slices.Contains(Seen(), seen) || !slices.Contains(Seen(),
		Response{"v1", NoOperation, http.StatusNotFound, "event_not_found"}) {
		t.Errorf("seen %v", Seen())
	}
	if !slices.Contains(Uncalled(), "getEvent") {
		t.Error("an error counts as a call")
	}
}

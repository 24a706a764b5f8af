package portal

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
)

// refused writes the code of a fault.
func refused(w http.ResponseWriter, _ *http.Request, err error) {
	f, ok := fault.As(err)
	if !ok {
		f = fault.New(fault.InternalError, "%v", err)
	}
	http.Error(w, string(f.Code), f.Status())
}

func ask(method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	New(refused).ServeHTTP(w, r)
	return w
}

// rendered returns the site.
func rendered(t *testing.T) *site {
	t.Helper()
	s, err := published()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPortal_Routes(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]struct {
		status int
		holds  string // in the body
	}{
		"GET /docs":                 {200, "<h1>Build on your cards</h1>"},
		"HEAD /docs/errors":         {200, ""},
		"GET /docs/errors?x=y":      {200, "<h1>Errors</h1>"},
		"GET /docs/":                {308, ""},
		"GET /docs/errors/":         {308, ""},
		"GET /docs/search?q=cursor": {200, "<mark>cursor</mark>"},
		"GET /docs/errors.md":       {200, "# Errors\n"},
		"GET /docs.md":              {200, "# Build on your cards\n"},
		"HEAD /llms.txt":            {200, ""},
		"POST /llms.txt":            {405, "method_not_allowed"},
		"GET /docs/nowhere.md":      {404, "There is no such page"},
		"GET /docs/nowhere":         {404, "There is no such page"},
		"GET /docs//errors":         {404, "There is no such page"},
		"GET /docs/assets/":         {404, "There is no such page"},
		"POST /docs/errors":         {405, "method_not_allowed"},
		"DELETE /docs/assets/x":     {405, "method_not_allowed"},
	} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			method, path, _ := strings.Cut(call, " ")
			w := ask(method, path)
			if w.Code != want.status || !strings.Contains(w.Body.String(), want.holds) {
				t.Errorf("got %d, want %d with %q:\n%.200s", w.Code, want.status, want.holds, w.Body)
			}
			if w.Code == http.StatusMethodNotAllowed && w.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("Allow: got %q, want GET, HEAD", w.Header().Get("Allow"))
			}
		})
	}
	if to := ask("GET", "/docs/errors/").Header().Get("Location"); to != "/docs/errors" {
		t.Errorf("/docs/errors/ redirects to %q, want /docs/errors", to)
	}
}

func TestPortal_SetsContentSecurityPolicy(t *testing.T) {
	t.Parallel()
	paths := []string{"/docs/nowhere", "/docs/search?q=x", "/docs/search"}
	for path := range rendered(t).pages {
		paths = append(paths, path)
	}
	for _, path := range paths {
		h := ask("GET", path).Header()
		policy := h.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self'") {
			t.Errorf("%s: policy %q", path, policy)
		}
		if inline := strings.Contains(policy, "unsafe"); inline != (path == referencePath) {
			t.Errorf("%s: policy %q, want inline styles only for the reference", path, policy)
		}
		for _, directive := range strings.Split(policy, "; ") {
			if strings.Contains(directive, "unsafe") && directive != "style-src 'self' 'unsafe-inline'" {
				t.Errorf("%s: allows %s", path, directive)
			}
		}
		if h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v, want no-referrer and nosniff", path, h)
		}
	}
}

func TestPortal_PagesRevalidate(t *testing.T) {
	t.Parallel()
	first := ask("GET", "/docs/webhooks", "Accept-Encoding", "gzip").Header()
	for name, want := range map[string]string{
		"Cache-Control": "no-cache", "Content-Encoding": "gzip", "Content-Type": typeHTML,
	} {
		if got := first.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	again := ask("GET", "/docs/webhooks", "Accept-Encoding", "gzip", "If-None-Match", first.Get("ETag"))
	if again.Code != http.StatusNotModified {
		t.Errorf("revalidation: got %d, want 304", again.Code)
	}
}

func TestPortal_AssetsAreImmutable(t *testing.T) {
	t.Parallel()
	types := map[string]string{
		".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".webp": "image/webp",
		"LICENSE": "text/plain", "VERSION": "text/plain",
	}
	for path := range rendered(t).assets {
		w := ask("GET", path)
		immutable := strings.Contains(w.Header().Get("Cache-Control"), "immutable")
		if w.Code != http.StatusOK || w.Body.Len() == 0 || !immutable {
			t.Errorf("%s: got %d, %d bytes, %v, want an immutable file", path, w.Code, w.Body.Len(), w.Header())
		}
		known := false
		for ending, want := range types {
			known = known || strings.HasSuffix(path, ending) && strings.HasPrefix(w.Header().Get("Content-Type"), want)
		}
		if !known {
			t.Errorf("%s: Content-Type %q does not match the file's name", path, w.Header().Get("Content-Type"))
		}
	}
	if licence := ask("GET", scalarPath+"/LICENSE").Body.String(); !strings.Contains(licence, "MIT License") {
		t.Errorf("Scalar's licence: got %.60q, want the MIT License", licence)
	}
}

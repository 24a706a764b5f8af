package dashboard

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay"
	"github.com/cardvault/cardvault/internal/marketplaces/sandbox"
)

func TestDashboard_Headers(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	for _, path := range []string{"/", "/login", "/nowhere", "/password/x"} {
		h := b.get(path).Header
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff",
			"Cache-Control": "no-store", "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := h.Get(name); !strings.HasPrefix(got, want) {
				t.Errorf("%s: header %s: got %q, want %q", path, name, got, want)
			}
		}
	}
}

func TestDashboard_RefusesOtherSites(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	for name, headers := range map[string]map[string]string{
		"Sec-Fetch-Site": {"Sec-Fetch-Site": "cross-site"},
		"same site":      {"Sec-Fetch-Site": "same-site"},
		"Origin":         {"Origin": "https://evil.example"},
	} {
		r := b.request(http.MethodPost, "/logout/everywhere", map[string][]string{})
		for header, value := range headers {
			r.Header.Set(header, value)
		}
		b.want(b.do(r), http.StatusForbidden, "The request came from a page of another site")
		if a := b.get("/"); a.StatusCode != http.StatusOK {
			t.Errorf("%s: the session ended", name)
		}
	}
}

func TestDashboard_NotFound(t *testing.T) {
	t.Parallel()
	s := setup(t)
	stranger, b := s.browser(), s.logIn(ada)
	for _, path := range []string{"/nowhere", "/assets/nothing.css", "/favicon.ico"} {
		b.want(b.get(path), http.StatusNotFound, "There is no such page")
		b.want(b.get(path), http.StatusNotFound, ada) // in the frame
		stranger.want(stranger.get(path), http.StatusNotFound, "There is no such page")
	}
	b.want(b.do(b.request(http.MethodDelete, "/login", nil)), http.StatusMethodNotAllowed, "")
}

func TestDashboard_LimitsForms(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.browser()
	b.want(b.post("/login", "email", strings.Repeat("x", web.MaxForm)), http.StatusRequestEntityTooLarge,
		"This form is too large.")
	r := b.request(http.MethodPost, "/login", map[string][]string{})
	r.URL.RawQuery, r.Body = "", http.NoBody
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded; =")
	b.want(b.do(r), http.StatusBadRequest, "The form could not be read.")
}

// Every file that a page names is served, and none from elsewhere.
func TestDashboard_Assets(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	named := regexp.MustCompile(`(?:src|href)="([^"]*)"`)
	for _, found := range named.FindAllStringSubmatch(b.get("/").body, -1) {
		path := found[1]
		if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
			if path != "#main" {
				t.Errorf("the page names %s, want a path of this site", path)
			}
			continue
		}
		if !strings.HasPrefix(path, web.AssetsPath) {
			continue
		}
		a := b.get(path)
		b.want(a, http.StatusOK, "")
		if got := a.Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
			t.Errorf("%s: Cache-Control: got %q, want immutable", path, got)
		}
	}
}

// What concerns programs and the account itself is for owners.
func TestRoutes_OfOwners(t *testing.T) {
	t.Parallel()
	for _, route := range Routes(ebay.Kind, sandbox.Kind) {
		reserved := strings.HasPrefix(route.Path, "/developers/") || strings.HasPrefix(route.Path, "/settings")
		if reserved != (route.Access == ForOwners) {
			t.Errorf("%s %s is for %s, want it for owners only if it is below /developers or /settings",
				route.Method, route.Path, route.Access)
		}
	}
}

// Routes has every route that the router serves, so that the tests of access miss none.
func TestRoutes_AreThoseOfTheRouter(t *testing.T) {
	t.Parallel()
	served := map[string]bool{}
	d := &Dashboard{Services: Services{Markets: markets}}
	err := d.router().Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		path, err := route.GetPathTemplate()
		if err != nil {
			return err
		}
		methods, err := route.GetMethods()
		if path != web.AssetsPath && len(methods) > 0 {
			served[methods[0]+" "+path] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	for _, route := range Routes(ebay.Kind, sandbox.Kind) {
		declared[route.Method+" "+route.Path] = true
	}
	if diff := cmp.Diff(served, declared); diff != "" {
		t.Errorf("routes (-served +declared):\n%s", diff)
	}
}

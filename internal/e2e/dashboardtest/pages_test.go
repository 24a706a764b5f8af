package dashboardtest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/dashboard"
)

// page is a page of the dashboard.
type page struct {
	name    string // of its pictures
	path    string // with names of things in braces, such as {card}, which the method things fills
	heading string // a part of its main heading, also with such names
	open    bool   // whether it is for users without a session
}

// pages are all pages of the dashboard: TestPages_AreAll compares them with its routes.
var pages = []page{
	{name: "login", path: "/login", heading: "CardVault", open: true},
	{name: "password", path: "/password/{link}", heading: "Set your password", open: true},
	{name: "home", path: "/", heading: "Home"},
	{name: "cards", path: "/cards", heading: "Cards"},
	{name: "cards-filtered", path: "/cards?status=priced,photographed&has_photo=true&sort=-price", heading: "Cards"},
	{name: "cards-none", path: "/cards?q=nothing+has+this+title", heading: "Cards"},
	{name: "cards-refused", path: "/cards?min_price=cheap", heading: "Cards"},
	{name: "card", path: "/cards/{card}", heading: "{card title}"},
	{name: "tokens", path: "/developers/tokens", heading: "Tokens"},
	{name: "not-found", path: "/nowhere", heading: "Not Found"},
}

// statuses are the statuses of the pages that are not 200, by their names.
var statuses = map[string]int64{"cards-refused": 400, "not-found": 404}

// notPages are routes whose responses are not pages.
var notPages = map[string]bool{}

var variable = regexp.MustCompile(`\{[^{}]*\}`)

// A page that is added to the dashboard is added to pages, or else to notPages.
func TestPages_AreAll(t *testing.T) {
	t.Parallel()
	routes, shown := map[string]bool{}, map[string]bool{}
	for _, route := range dashboard.Routes() {
		if route.Method == "GET" && !notPages[route.Path] {
			routes[variable.ReplaceAllString(route.Path, "{}")] = true
		}
	}
	for _, p := range pages {
		path, _, _ := strings.Cut(p.path, "?")
		if p.name != "not-found" {
			shown[variable.ReplaceAllString(path, "{}")] = true
		}
	}
	if diff := cmp.Diff(routes, shown); diff != "" {
		t.Errorf("pages (-routes +tested):\n%s", diff)
	}
}

// view is how a page is shown.
type view struct {
	name          string
	width, height int64
	dark, phone   bool
	scripts       bool
	keyboard      bool // whether the page is also used by keyboard
}

var views = []view{
	{name: "desktop-light", width: 1280, height: 900, scripts: true, keyboard: true},
	{name: "desktop-dark", width: 1280, height: 900, scripts: true, dark: true},
	{name: "phone-light", width: 390, height: 844, scripts: true, phone: true},
	{name: "phone-dark", width: 390, height: 844, scripts: true, phone: true, dark: true},
	{name: "without-scripts", width: 1280, height: 900},
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := start(t)
	things := s.things(t)
	b := launch(t, s)
	b.logIn(t)
	axe := readAxe(t)
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			in, out := b.open(t, v, true), b.open(t, v, false)
			for _, p := range pages {
				t.Run(p.name, func(t *testing.T) {
					shown := in.with(t)
					if p.open {
						shown = out.with(t)
					}
					p.path, p.heading = things.Replace(p.path), things.Replace(p.heading)
					shown.check(p, axe)
				})
			}
		})
	}
}

package dashboardtest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/dashboard"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebaytest"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// page is a page of the dashboard.
type page struct {
	name    string // of its pictures
	path    string // with names of things in braces, such as {card}, which the method things fills
	heading string // a part of its main heading, also with such names
	open    bool   // whether it is for users without a session
	guide   bool   // whether the dashboard's guide has a picture of it
	action  bool   // whether it has a main action
}

// pages are all pages of the dashboard: TestPages_AreAll compares them with its routes.
var pages = []page{
	{name: "login", path: "/login", heading: "CardVault", open: true},
	{name: "password", path: "/password/{link}", heading: "Set your password", open: true},
	{name: "home", path: "/", heading: "Home", guide: true, action: true},
	{name: "cards", path: "/cards", heading: "Cards", guide: true, action: true},
	{name: "cards-filtered", path: "/cards?status=priced,photographed&has_photo=true&sort=-price", heading: "Cards"},
	{name: "cards-none", path: "/cards?q=nothing+has+this+title", heading: "Cards"},
	{name: "cards-refused", path: "/cards?min_price=cheap", heading: "Cards"},
	{name: "cards-columns", path: "/cards?columns=set,number,game,language,status,condition,grade,price,cost,margin," +
		"location,batch,sku,external_id,listing,created,updated", heading: "Cards"},
	{name: "labels-a4", path: "/cards/labels?status=photographed&start=23", heading: "Print labels"},
	{name: "labels-letter", path: "/cards/labels?ids={card}&sheet=letter", heading: "Print labels"},
	{name: "labels-roll", path: "/cards/labels?ids={card}&sheet=roll", heading: "Print labels"},
	{name: "labels-refused", path: "/cards/labels?ids={card}&start=25", heading: "Print labels"},
	{name: "cards-pull-sheet", path: "/cards/pull-sheet?status=photographed", heading: "Pull sheet", guide: true},
	{name: "views", path: "/cards/views", heading: "Views"},
	{name: "search", path: "/search?q={card title}", heading: "Search for “{card title}”"},
	{name: "search-none", path: "/search?q=nothing+has+this+title", heading: "Search for"},
	{name: "more", path: "/more", heading: "More"},
	{name: "keys", path: "/keys", heading: "Keys"},
	{name: "card", path: "/cards/{card}", heading: "{card title}", guide: true, action: true},
	{name: "card-listed", path: "/cards/{listed}", heading: "{listing title}", action: true},
	{name: "card-delete", path: "/cards/{card}/delete", heading: "Delete {card title}?"},
	{name: "cards-archive", path: "/cards/bulk?action=archive&ids={card}", heading: "Archive 1 card"},
	{name: "cards-price", path: "/cards/bulk?action=percent&ids={card}", heading: "1 card"},
	{name: "review", path: "/review", heading: "Review", guide: true, action: true},
	{name: "import", path: "/import", heading: "Import", guide: true, action: true},
	{name: "jobs", path: "/jobs", heading: "Jobs"},
	{name: "job", path: "/jobs/{job}", heading: "Change the condition of 2 cards"},
	{name: "batches", path: "/batches", heading: "Batches", action: true},
	{name: "batch", path: "/batches/{batch}", heading: "{batch name}", action: true},
	{name: "listings", path: "/listings", heading: "Listings", action: true},
	{name: "listings-none", path: "/listings?status=failed", heading: "Listings"},
	{name: "listing", path: "/listings/{listing}", heading: "{listing title}"},
	{name: "pull-sheet", path: "/listings/pull-sheet", heading: "Pull sheet"},
	{name: "sales", path: "/sales", heading: "Sales", action: true},
	{name: "sell", path: "/sales/new?q={card title}", heading: "Record a sale"},
	{name: "sales-report", path: "/sales/report", heading: "Sales report", guide: true},
	{name: "sale", path: "/sales/{sale}", heading: "{sale title}"},
	{name: "sale-void", path: "/sales/{sale}/void", heading: "Void {sale title}"},
	{name: "refund", path: "/sales/{sale}/refund", heading: "Refund {sale title}"},
	{name: "tokens", path: "/developers/tokens", heading: "Tokens", guide: true, action: true},
	{name: "tokens-one", path: "/developers/tokens?token={token}", heading: "Tokens"},
	{name: "webhooks", path: "/developers/webhooks", heading: "Webhooks", action: true},
	{name: "webhook", path: "/developers/webhooks/{webhook}", heading: "http://127.0.0.1:9999/"},
	{name: "webhook-delete", path: "/developers/webhooks/{webhook}/delete", heading: "Delete a webhook"},
	{name: "deliveries", path: "/developers/deliveries", heading: "Deliveries"},
	{name: "delivery", path: "/developers/deliveries/{delivery}", heading: "."},
	{name: "events", path: "/developers/events", heading: "Events"},
	{name: "event", path: "/developers/events/{event}", heading: "."},
	{name: "settings", path: "/settings", heading: "Settings"},
	{name: "users", path: "/settings/users", heading: "Users", action: true},
	{name: "user-remove", path: "/settings/users/{user}/remove", heading: "Remove a user"},
	{name: "marketplaces", path: "/settings/marketplaces", heading: "Marketplaces"},
	{name: "marketplace-give-up", path: "/settings/marketplaces/ebay/give-up", heading: "Give up listings on eBay"},
	{name: "marketplace-disconnect", path: "/settings/marketplaces/ebay/disconnect", heading: "Disconnect eBay"},
	{name: "export", path: "/settings/export", heading: "Export", action: true},
	{name: "account-delete", path: "/settings/delete", heading: "Delete the account"},
	{name: "audit", path: "/settings/audit", heading: "Audit"},
	{name: "audit-cards", path: "/settings/audit?of=cards", heading: "Audit"},
	{name: "not-found", path: "/nowhere", heading: "Not Found"},
}

// statuses are the statuses of the pages that are not 200, by their names.
var statuses = map[string]int64{"cards-refused": 400, "labels-refused": 422, "not-found": 404}

// notPages are routes whose responses are not pages.
var notPages = map[string]bool{
	"/cards/export": true, "/sales.csv": true, "/listings.csv": true, "/settings/export/{id}": true, // files
	"/import/csv": true, "/import/photos": true, // lead to /import until something is imported

	"/settings/marketplaces/ebay/callback": true, // leads to /settings/marketplaces

	"/login/oidc/callback": true, // leads to the page that the user wanted to see
}

var variable = regexp.MustCompile(`\{[^{}]*\}`)

// A page that is added to the dashboard is added to pages, or else to notPages.
func TestPages_AreAll(t *testing.T) {
	t.Parallel()
	routes, shown := map[string]bool{}, map[string]bool{}
	for _, route := range dashboard.Routes(app.Marketplaces...) {
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

// TestActions does in a browser what users do with pages. All of it is on one service, which takes seconds to start.
func TestActions(t *testing.T) {
	t.Parallel()
	market := ebaytest.New(t, pgtest.New(t))
	s := start(t, withEbay(market))
	s.ebay = market
	b := launch(t, s)
	b.logIn(t)
	for name, test := range map[string]func(*testing.T, *browser){
		"frame": testFrame, "labels": testLabels, "search as you type": testSearchAsYouType, "review": testReview,
		"texts": testTexts, "beside": testBeside, "import": testImport, "tasks": testTasks,
	} {
		t.Run(name, func(t *testing.T) { test(t, b) })
	}
}

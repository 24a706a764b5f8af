package e2e

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/openapi"
)

// methodsByPath returns the methods that each path of the contract takes.
func methodsByPath(t testing.TB) map[string][]string {
	t.Helper()
	spec, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for path, item := range spec.Paths.Map() {
		all[path] = slices.Sorted(maps.Keys(item.Operations()))
	}
	return all
}

// at replaces the parameters of a path of the contract by the caller's own identifiers.
func (p possessions) at(path, photo string) string {
	ids := map[string]string{"cards": p.card, "batches": p.batch, "listings": p.listing, "events": p.event,
		"webhooks": p.webhook, "catalog": "ember-54", "sales": p.sale,
		"jobs": p.job}
	id := ids[strings.Split(path, "/")[1]]
	return strings.NewReplacer("{id}", id, "{cardId}", p.card, "{photo}", photo,
		"{delivery}", p.delivery, "{previous}", p.secret).Replace(path)
}

// methods are the methods of HTTP, and others.
var methods = []string{
	"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "LINK", "get", "Patch", "BREW", "M-SEARCH",
}

// TestMethods checks each method at each path of the contract. A method that the path does not take gets 405 with the
// list of those that it takes. OPTIONS returns the same list, and HEAD responds as GET does.
func TestMethods(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	before := s.snapshot(t)
	for path, takes := range methodsByPath(t) {
		allow := append(slices.Clone(takes), "OPTIONS")
		if slices.Contains(takes, "GET") {
			allow = append(allow, "HEAD")
		}
		photo := mine.photo
		if strings.HasSuffix(path, "{photo}") {
			photo, allow = "front", []string{"DELETE", "OPTIONS", "PUT"}
		}
		slices.Sort(allow)
		filled := mine.at(path, photo)
		t.Run(path, func(t *testing.T) {
			c := c.in(t)
			c.checkAllow(filled, allow)
			c.checkOptions(filled, allow)
			if slices.Contains(takes, "GET") {
				c.checkHead(filled)
			}
		})
	}
	s.unchanged(t, before)
}

// checkAllow checks that the methods that a path does not take get 405 with the list of the others.
func (c *client) checkAllow(path string, allow []string) {
	c.t.Helper()
	for _, method := range methods {
		if slices.Contains(allow, method) {
			continue
		}
		got := c.do(method, path, nil)
		if got.status != 405 || !sameList(got.header.Get("Allow"), allow) {
			c.t.Errorf("%s: %d with Allow %q, want 405 with %v: %s",
				method, got.status, got.header.Get("Allow"), allow, got.body)
		}
	}
}

// checkOptions checks the response to the preflight request of a browser.
func (c *client) checkOptions(path string, allow []string) {
	c.t.Helper()
	got := c.do("OPTIONS", path, nil,
		"Authorization:", "Origin: https://shop.example", "Access-Control-Request-Method: PATCH")
	if got.status != 204 || len(got.body) > 0 ||
		!sameList(got.header.Get("Allow"), allow) ||
		!sameList(got.header.Get("Access-Control-Allow-Methods"), allow) ||
		got.header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(got.header.Get("Access-Control-Allow-Headers"), "Authorization") {
		c.t.Errorf("OPTIONS: %d %v, want %v allowed to every origin", got.status, got.header, allow)
	}
}

func sameList(header string, want []string) bool {
	list := strings.Split(header, ", ")
	slices.Sort(list)
	return slices.Equal(list, want)
}

// checkHead compares the responses to HEAD and GET for valid and for refused requests.
func (c *client) checkHead(path string) {
	c.t.Helper()
	for _, query := range []string{"", "?nothing=1"} {
		for _, header := range []string{
			"Accept: */*", "Accept: text/html", "Authorization:", "Authorization: Bearer x", "If-None-Match: *",
		} {
			get, head := c.do("GET", path+query, nil, header), c.do("HEAD", path+query, nil, header)
			// Without a token both count against the address, but no message contains the count.
			for _, name := range []string{
				"Content-Type", "Content-Length", "ETag", "Cache-Control", "Www-Authenticate", "X-Ratelimit-Limit",
			} {
				if get.header.Get(name) != head.header.Get(name) {
					c.t.Errorf("HEAD %s%s with %s: %s is %q, GET has %q",
						path, query, header, name, head.header.Get(name), get.header.Get(name))
				}
			}
			if head.status != get.status || len(head.body) > 0 {
				c.t.Errorf("HEAD %s%s with %s: %d with %d bytes, GET has %d",
					path, query, header, head.status, len(head.body), get.status)
			}
		}
	}
}

// TestPaths_Unknown checks that the service neither corrects paths nor redirects.
func TestPaths_Unknown(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		refuse := func(path, code string, methods ...string) {
			for _, method := range methods {
				table = append(table, bad{method, path, nil, code, "", nil})
			}
		}
		for _, path := range []string{
			"", "/", "/cards/", "//cards", "/cards//", "/cards/{card}/", "/cards//{card}", "/./cards",
			"/cards/..%2fcards", "/cards%2F{card}", "/cards%2f{card}", "/Cards", "/CARDS/{card}", "/card",
			"/cards.json", "/cards;v=1", "/cards%20", "/%63ards/x/y", "/cards/{card}/photos", "/cards/{card}/photos/",
			"/cards/{card}/photos/front/x", "/batches/{batch}/cards/", "/batches/{batch}/cards/{card}",
			"/batches/{batch}/Complete", "/listings/{card}/publish/", "/api/cards", "/v1/cards", "/v3/cards",
			"/cards%00", "/cards/%2e%2e/x", "/cards/{card}%2F", "/%2e%2e/healthz", "/cards/x/y/z", "/☃",
			"/" + strings.Repeat("x", 8000),
		} {
			refuse(path, "route_not_found", "GET", "HEAD", "DELETE", "OPTIONS", "BREW")
			table = append(table, bad{"POST", path, `{}`, "route_not_found", "", nil})
		}
		// These contain a malformed identifier.
		refuse("/cards/{card}.json", "card_not_found", "GET", "HEAD")
		refuse("/cards/.", "card_not_found", "GET", "HEAD")
		return table
	})
}

// TestV2_NotImplemented checks that v2 responds as its contract says, and otherwise as v1 does.
func TestV2_NotImplemented(t *testing.T) {
	refusals(t, func(*client, possessions) []bad {
		return []bad{
			{"GET", "/v2/cards", nil, "not_implemented", "", nil},
			{"GET", "/v2/cards", nil, "missing_token", "", []string{"Authorization:"}},
			{"GET", "/v2/cards", nil, "not_acceptable", "", []string{"Accept: text/html"}},
			{"POST", "/v2/cards", `{}`, "method_not_allowed", "", nil},
			{"GET", "/v2/nothing", nil, "not_implemented", "", nil},
			{"GET", "/v2", nil, "not_implemented", "", nil},
			{"GET", "/v2/", nil, "not_implemented", "", nil},
			{"GET", "/v2//cards", nil, "not_implemented", "", nil},
			{"GET", "/v2/cards/{card}", nil, "not_implemented", "", nil},
			{"HEAD", "/v2/cards/{card}", nil, "not_implemented", "", nil},
			{"PATCH", "/v2/cards/{card}", `{}`, "not_implemented", "", nil},
			{"POST", "/v2/batches", `{"name":"x"}`, "not_implemented", "", nil},
			{"PUT", "/v2/cards/{card}/photos/front", "x", "not_implemented", "", nil},
			{"DELETE", "/v2/anything/at/all", nil, "not_implemented", "", nil},
			{"OPTIONS", "/v2/nothing", nil, "not_implemented", "", nil},
			{"GET", "/v2%2Fcards", nil, "route_not_found", "", nil},
		}
	})
}

// TestCORS checks that a page of another origin can read a response and its rate limit, but sends no cookies.
func TestCORS(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	got := c.do("GET", "/cards", nil, "Origin: https://shop.example").want(t, http.StatusOK, nil)
	if got.header.Get("Access-Control-Allow-Origin") != "*" ||
		got.header.Get("Access-Control-Allow-Credentials") != "" ||
		!strings.Contains(got.header.Get("Access-Control-Expose-Headers"), "X-RateLimit-Remaining") {
		t.Errorf("headers %v", got.header)
	}
}

package e2e

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/openapi"
)

// addresses returns the paths of the contract with the methods that each takes.
func addresses(t testing.TB) map[string][]string {
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

// at fills a path of the contract with things that the caller has.
func (p possessions) at(path, photo string) string {
	id := map[string]string{"cards": p.card, "batches": p.batch, "listings": p.listing, "events": p.event}[strings.Split(path, "/")[1]]
	return strings.NewReplacer("{id}", id, "{cardId}", p.card, "{photo}", photo).Replace(path)
}

// A method that an address does not take is 405 with the list of those it takes, HEAD goes where GET
// goes, and OPTIONS tells browsers the same list; nothing of it changes anything.
func TestMethodsOfEveryAddress(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	before := s.snapshot(t)
	for path, takes := range addresses(t) {
		allow := slices.Clone(takes)
		if slices.Contains(takes, "GET") {
			allow = append(allow, "HEAD")
		}
		allow = append(allow, "OPTIONS")
		slices.Sort(allow)
		photo := mine.photo
		if strings.HasSuffix(path, "{photo}") {
			photo, allow = "front", []string{"DELETE", "OPTIONS", "PUT"}
		}
		address := mine.at(path, photo)
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "LINK", "get", "Patch", "BREW", "M-SEARCH"} {
			if slices.Contains(allow, method) {
				continue
			}
			got := c.do(method, address, nil)
			if got.status != 405 || !sameList(got.header.Get("Allow"), allow) {
				t.Errorf("%s %s: %d, Allow %q, want %v: %s", method, path, got.status, got.header.Get("Allow"), allow, got.body)
			}
		}
		got := c.do("OPTIONS", address, nil, "Authorization:", "Origin: https://shop.example", "Access-Control-Request-Method: PATCH")
		if got.status != 204 || len(got.body) > 0 || !sameList(got.header.Get("Allow"), allow) || !sameList(got.header.Get("Access-Control-Allow-Methods"), allow) ||
			got.header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(got.header.Get("Access-Control-Allow-Headers"), "Authorization") {
			t.Errorf("OPTIONS %s: %d %v", path, got.status, got.header)
		}
		if slices.Contains(takes, "GET") {
			c.headIsGet(address)
		}
	}
	s.unchanged(t, before)
}

func sameList(header string, want []string) bool {
	list := strings.Split(header, ", ")
	slices.Sort(list)
	return slices.Equal(list, want)
}

// headIsGet compares the answers to both, for an address as it is and with what it refuses.
func (c *client) headIsGet(address string) {
	c.t.Helper()
	for _, query := range []string{"", "?nothing=1"} {
		for _, header := range []string{"Accept: */*", "Accept: text/html", "Authorization:", "Authorization: Bearer x", "If-None-Match: *"} {
			get, head := c.do("GET", address+query, nil, header), c.do("HEAD", address+query, nil, header)
			for _, name := range []string{"Content-Type", "Content-Length", "ETag", "Cache-Control", "Www-Authenticate", "X-Ratelimit-Limit"} {
				// Without a token both count against the address, and messages hold no count of it.
				if get.header.Get(name) != head.header.Get(name) {
					c.t.Errorf("HEAD %s%s with %s: %s is %q, GET's %q", address, query, header, name, head.header.Get(name), get.header.Get(name))
				}
			}
			if head.status != get.status || len(head.body) > 0 {
				c.t.Errorf("HEAD %s%s with %s: %d, %d bytes, GET %d", address, query, header, head.status, len(head.body), get.status)
			}
		}
	}
}

// An address is what the contract has, to the letter: nothing is cleaned up and nothing redirected.
func TestAddressesThatAreNone(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		for _, path := range []string{
			"", "/", "/cards/", "//cards", "/cards//", "/cards/{card}/", "/cards//{card}", "/./cards", "/cards/.", "/cards/..%2fcards", "/cards%2F{card}", "/cards%2f{card}",
			"/Cards", "/CARDS/{card}", "/card", "/cards.json", "/cards/{card}.json", "/cards;v=1", "/cards%20", "/%63ards/x/y", "/cards/{card}/photos", "/cards/{card}/photos/", "/cards/{card}/photos/front/x",
			"/batches/{batch}/cards/", "/batches/{batch}/cards/{card}", "/batches/{batch}/Complete", "/listings/{card}/publish/", "/api/cards", "/v1/cards", "/v3/cards", "/cards%00",
			"/cards/%2e%2e/x", "/cards/{card}%2F", "/%2e%2e/healthz", "/cards/x/y/z", "/☃", "/" + strings.Repeat("x", 8000),
		} {
			code := "route_not_found"
			if path == "/cards/{card}.json" || path == "/cards/." {
				code = "card_not_found" // an identifier, and a malformed one
			}
			table = append(table, bad{"GET", path, nil, code, "", nil}, bad{"HEAD", path, nil, code, "", nil})
			if code == "route_not_found" {
				table = append(table, bad{"POST", path, `{}`, code, "", nil}, bad{"DELETE", path, nil, code, "", nil}, bad{"OPTIONS", path, nil, code, "", nil}, bad{"BREW", path, nil, code, "", nil})
			}
		}
		return table
	})
}

// TestVersionTwoIsAnnounced: the next version's addresses answer as its contract says, and as this one does elsewhere.
func TestVersionTwoIsAnnounced(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	before := s.snapshot(t)
	for _, b := range []bad{
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
	} {
		c.refuse(possessions{}, b)
	}
	s.unchanged(t, before)
	if got := c.do("GET", "/cards", nil, "Origin: https://shop.example"); got.header.Get("Access-Control-Allow-Origin") != "*" || got.header.Get("Access-Control-Allow-Credentials") != "" ||
		!strings.Contains(got.header.Get("Access-Control-Expose-Headers"), "X-RateLimit-Remaining") || got.status != http.StatusOK {
		t.Errorf("to a page of another origin: %d %v", got.status, got.header)
	}
}

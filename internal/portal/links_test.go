package portal

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/cardvault/cardvault/openapi"
)

// element is one HTML element of a page.
type element struct {
	name       string
	attributes map[string]string
}

// elements returns the elements of a page.
func elements(t *testing.T, path string) []element {
	t.Helper()
	w := ask("GET", path)
	tree, err := html.Parse(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	var out []element
	for node := range tree.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		e := element{node.Data, map[string]string{}}
		for _, a := range node.Attr {
			e.attributes[a.Key] = a.Val
		}
		if node.Data == "script" && node.FirstChild != nil || node.Data == "style" {
			t.Errorf("%s: has an inline <%s>", path, node.Data)
		}
		out = append(out, e)
	}
	return out
}

// anchors returns the fragments that links to a page may have.
func anchors(t *testing.T, path string) map[string]bool {
	t.Helper()
	names := map[string]bool{"": true}
	for _, e := range elements(t, path) {
		id, ok := e.attributes["id"]
		if ok && names[id] {
			t.Errorf("%s: the id %q is empty or not unique", path, id)
		}
		names[id] = true
	}
	if path == referencePath {
		maps.Copy(names, referenceAnchors(t))
	}
	return names
}

// referenceAnchors returns the fragments of the operations, events and schemas in the reference.
func referenceAnchors(t *testing.T) map[string]bool {
	t.Helper()
	c := readV1(t)
	names := map[string]bool{}
	for _, o := range c.operations {
		names["v1/tag/"+o.Tag+"/"+o.ID] = true
	}
	for _, kind := range c.kinds {
		names["v1/webhook/"+kind] = true
	}
	for name := range c.doc.Components.Schemas {
		names["v1/models/"+name] = true
	}
	return names
}

func readV1(t *testing.T) *contract {
	t.Helper()
	c, err := readContract()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Every link and every file of every page leads to something that is served.
func TestPages_LinksResolve(t *testing.T) {
	t.Parallel()
	s := rendered(t)
	served := map[string]map[string]bool{}
	for path := range s.pages {
		served[path] = anchors(t, path)
	}
	for path := range s.assets {
		served[path] = map[string]bool{"": true}
	}
	for path := range s.texts {
		served[path] = map[string]bool{"": true}
	}
	for _, path := range []string{
		searchPath, "/openapi/v1.yaml", "/openapi/v1.json", "/openapi/v2.yaml", "/openapi/v2.json",
	} {
		served[path] = map[string]bool{"": true}
	}
	pages := append(slices.Collect(maps.Keys(s.pages)), "/docs/nowhere", "/docs/search?q=card")
	for _, path := range pages[len(s.pages):] {
		served[path] = anchors(t, path)
	}
	for _, path := range pages {
		for _, e := range elements(t, path) {
			for _, name := range []string{"href", "src", "action", "data-component"} {
				if to, ok := e.attributes[name]; ok {
					checkLink(t, served, path, e.name, to)
				}
			}
		}
	}
}

func checkLink(t *testing.T, served map[string]map[string]bool, page, tag, to string) {
	t.Helper()
	address, err := url.Parse(to)
	if err != nil {
		t.Errorf("%s: %q: %v", page, to, err)
		return
	}
	if address.Host != "" {
		if tag != "a" || address.Scheme != "https" {
			t.Errorf("%s: <%s> refers to %s: only links may refer to other hosts", page, tag, to)
		}
		return
	}
	path := address.Path
	if path == "" {
		path = page
	}
	if names, ok := served[path]; !ok {
		t.Errorf("%s: nothing is served at %s", page, to)
	} else if !names[address.Fragment] {
		t.Errorf("%s: %s has no %q", page, path, address.Fragment)
	}
}

// The Content-Security-Policy blocks inline code, and no browser test opens every page.
func TestPages_HaveNoInlineCode(t *testing.T) {
	t.Parallel()
	for path := range rendered(t).pages {
		for _, e := range elements(t, path) {
			for name := range e.attributes {
				if strings.HasPrefix(name, "on") || name == "style" {
					t.Errorf("%s: <%s> has %s", path, e.name, name)
				}
			}
		}
	}
}

// Each page has one h1, and heading levels are not skipped.
func TestPages_HeadingsAreNested(t *testing.T) {
	t.Parallel()
	for path := range rendered(t).pages {
		if path == referencePath { // rendered in the browser and tested there
			continue
		}
		main, level, titles := false, 0, 0
		for _, e := range elements(t, path) {
			main = main || e.name == "main"
			if !main || len(e.name) != 2 || e.name[0] != 'h' || e.name[1] < '1' || e.name[1] > '6' {
				continue
			}
			next := int(e.name[1] - '0')
			if next == 1 {
				titles++
			}
			if next > level+1 {
				t.Errorf("%s: h%d after h%d", path, next, level)
			}
			level = next
		}
		if titles != 1 {
			t.Errorf("%s: got %d h1, want 1", path, titles)
		}
	}
}

// Every result of the search leads to something that is served.
func TestSearch_LinksResolve(t *testing.T) {
	t.Parallel()
	s := rendered(t)
	served := map[string]map[string]bool{}
	for path := range s.pages {
		served[path] = anchors(t, path)
	}
	for _, e := range s.index.entries {
		checkLink(t, served, searchPath, "a", e.Address)
	}
}

// called finds addresses of the API in the code of guides: "$API/cards?limit=2", "https://host/api/cards".
var called = regexp.MustCompile(`(?:\$API|\$\{API\}|/api)(/[a-z][A-Za-z0-9_/{}$.-]*)`)

// The paths in the guides' examples exist in the contract. Rendering a guide checks code that names an operation.
func TestGuides_NameExistingPaths(t *testing.T) {
	t.Parallel()
	c, found := readV1(t), 0
	for _, name := range guideFiles(t) {
		for _, match := range called.FindAllStringSubmatch(guide(t, name), -1) {
			found++
			path := strings.TrimPrefix(match[1], "/v2")
			if path != "" && !c.has(path) {
				t.Errorf("%s: the contract has no path %s", name, match[0])
			}
		}
	}
	if found < 5 {
		t.Errorf("found %d paths in the guides, want at least 5: does the pattern still match?", found)
	}
}

// has reports whether the contract has an operation with this path, which may have any text in place of parameters.
func (c *contract) has(path string) bool {
	return slices.ContainsFunc(c.operations, func(o operation) bool {
		return slices.EqualFunc(strings.Split(o.Path, "/"), strings.Split(path, "/"), func(part, given string) bool {
			return part == given || strings.HasPrefix(part, "{") && strings.ContainsAny(given, "$_{")
		})
	})
}

func guideFiles(t *testing.T) []string {
	t.Helper()
	entries, err := openapi.Guides.ReadDir("guides")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".md") {
			names = append(names, entry.Name())
		}
	}
	return names
}

func guide(t *testing.T, name string) string {
	t.Helper()
	written, err := openapi.Guides.ReadFile("guides/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(written)
}

func TestGuides_Published(t *testing.T) {
	t.Parallel()
	for _, name := range guideFiles(t) {
		path := root + "/" + strings.TrimSuffix(name, ".md")
		if name == "index.md" {
			path = root
		}
		if rendered(t).pages[path] == nil {
			t.Errorf("%s is not in the navigation: add it to guides in pages.go", name)
		}
	}
}

package portal

import (
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/cardvault/cardvault/openapi"
)

// markdownPage is a parsed page of Markdown.
type markdownPage struct {
	links     []string
	fragments map[string]bool
}

var namedAnchor = regexp.MustCompile(`<a id="([^"]+)">`)

// parseMarkdown parses a page as a reader of Markdown does.
func parseMarkdown(t *testing.T, path string) markdownPage {
	t.Helper()
	source := ask("GET", path).Body.Bytes()
	withIDs := parser.WithContext(parser.NewContext(parser.WithIDs(ids{})))
	doc := markdown.Parser().Parse(text.NewReader(source), withIDs)
	p := markdownPage{fragments: map[string]bool{"": true}}
	for _, match := range namedAnchor.FindAllSubmatch(source, -1) {
		p.fragments[string(match[1])] = true
	}
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			if entering {
				p.links = append(p.links, string(n.Destination))
			}
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			name := string(id.([]byte))
			if entering && p.fragments[name] {
				t.Errorf("%s: the heading %q is empty or not unique", path, name)
			}
			p.fragments[name] = true
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every link of every page of Markdown leads to a page of Markdown that has the fragment, or to a contract.
func TestTexts_LinksResolve(t *testing.T) {
	t.Parallel()
	pages := map[string]markdownPage{}
	for address := range rendered(t).texts {
		pages[address] = parseMarkdown(t, address)
	}
	for _, address := range []string{"/openapi/v1.yaml", "/openapi/v1.json", "/openapi/v2.yaml", "/openapi/v2.json"} {
		pages[address] = markdownPage{fragments: map[string]bool{"": true}}
	}
	for address, p := range pages {
		for _, link := range p.links {
			if strings.HasPrefix(link, "https://") {
				continue
			}
			to, fragment, _ := strings.Cut(link, "#")
			if to == "" {
				to = address
			}
			if target, ok := pages[to]; !ok {
				t.Errorf("%s: %s leads to no Markdown", address, link)
			} else if !target.fragments[fragment] {
				t.Errorf("%s: %s has no %q", address, to, fragment)
			}
		}
	}
}

func TestTexts_Headers(t *testing.T) {
	t.Parallel()
	for address := range rendered(t).texts {
		first := ask("GET", address)
		want := typeMarkdown
		if address == llmsPath {
			want = typeText
		}
		if got := first.Header().Get("Content-Type"); first.Code != http.StatusOK || got != want {
			t.Errorf("%s: got %d %s, want 200 %s", address, first.Code, got, want)
		}
		if got := first.Header().Get("Cache-Control"); got != "no-cache" {
			t.Errorf("%s: Cache-Control: got %q, want no-cache", address, got)
		}
		again := ask("GET", address, "If-None-Match", first.Header().Get("ETag"))
		if again.Code != http.StatusNotModified {
			t.Errorf("%s: revalidation: got %d, want 304", address, again.Code)
		}
	}
}

// Every page links to itself as Markdown, which has the title of the page.
func TestTexts_OfEveryPage(t *testing.T) {
	t.Parallel()
	for address := range rendered(t).pages {
		markdown := markdownPath(address)
		if !strings.HasPrefix(ask("GET", markdown).Body.String(), "# ") {
			t.Errorf("%s: %s does not begin with a title", address, markdown)
		}
		tags := map[string]bool{}
		for _, e := range elements(t, address) {
			tags[e.name] = tags[e.name] || e.attributes["href"] == markdown
		}
		if !tags["link"] || address != referencePath && !tags["a"] { // the parser takes <noscript> for text
			t.Errorf("%s does not link to %s", address, markdown)
		}
	}
}

func TestTexts_ExpandGenerated(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][]string{
		"/docs/errors.md":      {"| <a id=\"card_not_priced\"></a>`card_not_priced` | 409 |"},
		"/docs/webhooks.md":    {"### listing.sold", "](/docs/reference/schemas.md#listingsoldevent)"},
		"/docs/idempotency.md": {"[`POST /jobs`](/docs/reference/jobs.md#"},
		"/docs/sdks.md":        {"([v1.yaml](/openapi/v1.yaml))", "](/docs/errors.md#what-to-repeat)"},
		"/docs/reference.md":   {"- [`GET /cards`](/docs/reference/cards.md#list-cards): List cards"},
		"/docs/reference/cards.md": {
			"## Update a card\n\n`PATCH /cards/{id}`, rate limit class `write`\n\n",
			"| `If-Match` | header | string |",
			"Body (`application/json` [CardPatch](/docs/reference/schemas.md#cardpatch), ",
			"- 200 (`application/json` [Card](/docs/reference/schemas.md#card)): The updated card.",
			"- 412: [`version_mismatch`](/docs/errors.md#version_mismatch)",
		},
		"/docs/reference/schemas.md": {
			"| `asking_price` | [MoneyOrNull](/docs/reference/schemas.md#moneyornull) |",
			"| `error.code` | [ErrorCode](/docs/reference/schemas.md#errorcode) |",
			"| `channel` | [SaleChannel](/docs/reference/schemas.md#salechannel) | Required. Where the card was sold:",
			"| `photos` | array of [Photo](/docs/reference/schemas.md#photo) |",
			"Type: `queued`, `running`, `done`, `cancelled`",
		},
	} {
		t.Run(path.Base(address), func(t *testing.T) {
			t.Parallel()
			body := ask("GET", address).Body.String()
			for _, part := range want {
				if !strings.Contains(body, part) {
					t.Errorf("%s lacks %q", address, part)
				}
			}
			if strings.Contains(body, "<!-- generated") {
				t.Errorf("%s has a part that was not generated", address)
			}
		})
	}
}

// Code is served as it is written, also if it looks like a link.
func TestRelink_LeavesCode(t *testing.T) {
	t.Parallel()
	source := "# T\n\n[a](errors.md#all-codes)\n\n```ts\nx[0](errors.md)\n```\n\n" +
		"[b](../v1.yaml), [c](#t), [d](https://a.example/b.md)\n"
	want := "# T\n\n[a](/docs/errors.md#all-codes)\n\n```ts\nx[0](errors.md)\n```\n\n" +
		"[b](/openapi/v1.yaml), [c](#t), [d](https://a.example/b.md)\n"
	if got := string(readV1(t).relink([]byte(source))); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestLlms_Form(t *testing.T) {
	t.Parallel()
	body := ask("GET", llmsPath).Body.String()
	if !strings.HasPrefix(body, "# CardVault API\n\n> CardVault is an inventory service for trading cards. ") {
		t.Errorf("it does not begin with a title and a summary: %.200s", body)
	}
	entry := regexp.MustCompile(`^- \[[^\]]+\]\(/[^)]+\): \S.*$`)
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "- ") && !entry.MatchString(line) {
			t.Errorf("not a link with a summary: %s", line)
		}
	}
	var guides []string
	for _, name := range guideFiles(t) {
		if name != "index.md" {
			guides = append(guides, "](/docs/"+name+")")
		}
	}
	for _, part := range append(guides, "](/docs/changelog.md)", "](/docs/reference.md)",
		"](/docs/reference/schemas.md)", "](/docs/reference/cards.md)", "](/openapi/v1.yaml)", "](/openapi/v2.json)",
		"- [Go](/docs/sdks.md#go): go get github.com/cardvault/cardvault/gen/client/go\n",
		"- [Python](/docs/sdks.md#python): pip install cardvault\n") {
		if !strings.Contains(body, part) {
			t.Errorf("it lacks %q", part)
		}
	}
	v1, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range v1.Tags {
		if !strings.Contains(body, "("+tagPath(tag.Name)+"): "+tag.Description+"\n") {
			t.Errorf("it lacks the tag %s", tag.Name)
		}
	}
}

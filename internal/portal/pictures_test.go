package portal

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/openapi"
)

var shownPicture = regexp.MustCompile(`!\[([^\]]*)\]\((` + picturesFolder + `/[^)]+)\)`)

// maxPicture is the largest size of a picture in bytes.
const maxPicture = 60_000

// TestPictures checks that the guides show each picture once, with a description for those who do not see it.
func TestPictures(t *testing.T) {
	t.Parallel()
	pictures, err := readPictures()
	if err != nil || len(pictures) == 0 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	found, shown := map[string]int{}, map[string]int{}
	for name := range pictures {
		found[name] = 1
		w := ask("GET", pictures[name].address)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/webp" || w.Body.Len() > maxPicture {
			t.Errorf("%s: got %d %s with %d bytes, want image/webp with at most %d bytes",
				name, w.Code, w.Header().Get("Content-Type"), w.Body.Len(), maxPicture)
		}
	}
	for _, guide := range guides {
		text, err := openapi.Guides.ReadFile("guides/" + guide.slug + ".md")
		if err != nil {
			continue // the changelog
		}
		for _, match := range shownPicture.FindAllSubmatch(text, -1) {
			alt, name := string(match[1]), string(match[2])
			shown[name]++
			if len(strings.Fields(alt)) < 5 {
				t.Errorf("%s shows %s with the description %q, want what one sees", guide.slug, name, alt)
			}
		}
	}
	if diff := cmp.Diff(found, shown); diff != "" {
		t.Errorf("pictures (-found +shown):\n%s", diff)
	}
}

// Sellers need no code to use the dashboard.
func TestDashboardGuide_HasNoCode(t *testing.T) {
	t.Parallel()
	text, err := openapi.Guides.ReadFile("guides/dashboard.md")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "```") {
		t.Error("the guide of the dashboard has a block of code")
	}
}

func TestRenderMarkdown_Pictures(t *testing.T) {
	t.Parallel()
	c := readV1(t)
	c.pictures = map[string]picture{"pictures/a.webp": {address: "/docs/pictures/a-1.webp", width: 20, height: 10}}
	p, err := c.renderMarkdown([]byte("# Title\n\n![A green square](pictures/a.webp)\n"))
	if err != nil {
		t.Fatal(err)
	}
	const html = `<p><img src="/docs/pictures/a-1.webp" alt="A green square" width="20" height="10" loading="lazy"></p>`
	if got := strings.TrimSpace(string(p.Body)); got != html {
		t.Errorf("got %s, want %s", got, html)
	}
	if want := "![A green square](/docs/pictures/a-1.webp)"; !strings.Contains(string(p.Markdown), want) {
		t.Errorf("Markdown: got %s, want %s", p.Markdown, want)
	}
	if _, err := c.renderMarkdown([]byte("# Title\n\n![A red square](pictures/b.webp)\n")); err == nil {
		t.Error("a picture that does not exist is no error")
	}
}

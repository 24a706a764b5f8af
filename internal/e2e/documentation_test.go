package e2e

import (
	"io"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"
)

// contentTypes are the types of the documents that a program reads, by the endings of their paths.
var contentTypes = map[string]string{
	".md": "text/markdown; charset=utf-8", ".txt": "text/plain; charset=utf-8",
	".yaml": "application/yaml", ".json": "application/json", ".webp": "image/webp",
}

// markdownLink matches a link of Markdown to a path of the service.
var markdownLink = regexp.MustCompile(`\]\((/[^()\s]+)\)`)

// TestDocumentation_ReadByPrograms follows every link from /llms.txt, as a program does that reads the documentation.
func TestDocumentation_ReadByPrograms(t *testing.T) {
	t.Parallel()
	origin := strings.TrimSuffix(start(t).url, "/api")
	read := map[string]bool{}
	for next := []string{"/llms.txt"}; len(next) > 0; next = next[1:] {
		address, _, _ := strings.Cut(next[0], "#")
		if read[address] {
			continue
		}
		read[address] = true
		for _, link := range markdownLink.FindAllStringSubmatch(document(t, origin, address), -1) {
			next = append(next, link[1])
		}
	}
	for _, address := range []string{"/docs/getting-started.md", "/docs/reference/cards.md", "/openapi/v1.json"} {
		if !read[address] {
			t.Errorf("no link leads to %s", address)
		}
	}
}

// document returns a document in Markdown, or "" for another one. It checks the status and the type of each.
func document(t *testing.T, origin, address string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, origin+address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	want := contentTypes[path.Ext(address)]
	if got := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || got != want {
		t.Errorf("%s: got %d %s, want 200 %s", address, response.StatusCode, got, want)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(want, "text/") {
		return string(body)
	}
	return ""
}

package portal

import (
	"strings"
	"testing"
)

func TestSearch_Finds(t *testing.T) {
	t.Parallel()
	x := rendered(t).index
	for query, first := range map[string]string{
		"retry-after":      "/docs/rate-limits#know-where-you-are",
		"publish a card":   "/docs/reference#v1/tag/listings/publishCard",
		"GET /batches/{id": "/docs/reference#v1/tag/batches/getBatch",
		"card_not_priced":  "/docs/errors#all-codes",
		"rotate":           "/docs/authentication#replace-it-or-stop-it",
		"follow changes":   "/docs/pagination-and-polling#follow-changes",
		"min_price":        "/docs/reference#v1/tag/cards/listCards",
		"LISTING.SOLD":     "/docs/webhooks#listingsold",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			found := x.find(query)
			if len(found) == 0 || !within(found[:min(3, len(found))], first) {
				t.Errorf("find: got %+v, want %s among the first 3", found, first)
			}
		})
	}
	for _, query := range []string{"", "   ", "xyzzy", "cards xyzzy"} {
		if found := x.find(query); len(found) != 0 {
			t.Errorf("find(%q): got %d results, want none", query, len(found))
		}
	}
}

func within(results []result, address string) bool {
	for _, r := range results {
		if r.Address == address {
			return true
		}
	}
	return false
}

func TestSearch_IsBounded(t *testing.T) {
	t.Parallel()
	x := rendered(t).index
	if found := x.find("a"); len(found) != maxResults {
		t.Errorf("find of a letter: got %d results, want %d", len(found), maxResults)
	}
	if found := x.find(strings.Repeat("é ", 1<<16)); len(found) > maxResults {
		t.Errorf("find of a long query: got %d results, want at most %d", len(found), maxResults)
	}
}

func TestSearch_EscapesQuery(t *testing.T) {
	t.Parallel()
	w := ask("GET", "/docs/search?q="+`%3Cscript%3Ealert(1)%3C/script%3E%00%ff"`)
	body := w.Body.String()
	if w.Code != 200 || strings.Contains(body, "<script>alert") || !strings.Contains(body, "&lt;script&gt;alert(1)") {
		t.Errorf("got %d and a page without the escaped query: %s", w.Code, body)
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("before ", 40) + "the Word itself" + strings.Repeat(" after", 60)
	before, match, after := excerpt(long, "word")
	if match != "Word" || !strings.HasPrefix(before, "… ") || !strings.HasSuffix(before, "the ") ||
		!strings.HasPrefix(after, " itself") || !strings.HasSuffix(after, "after …") ||
		len(before)+len(after) > 2*around {
		t.Errorf("excerpt of a long text: got %q %q %q", before, match, after)
	}
	if before, match, after := excerpt("short", "absent"); before+match+after != "short" || match != "" {
		t.Errorf("excerpt without the word: got %q %q %q, want the text", before, match, after)
	}
	if _, _, after := excerpt("İstanbul and the word", "word"); after != "İstanbul and the word" {
		t.Errorf("excerpt of a text whose lower case has another length: got %q, want the text", after)
	}
}

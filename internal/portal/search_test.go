package portal

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSearch_RanksFirst(t *testing.T) {
	t.Parallel()
	x := rendered(t).index
	for query, want := range map[string]string{
		// Words with a meaning.
		"bulk":           "/docs/bulk-and-jobs",
		"delete":         "/docs/reference#v1/tag/cards/deleteCard",
		"refund":         "/docs/reference#v1/tag/sales/refundSale",
		"candidates":     "/docs/reference#v1/tag/identification/listCardCandidates",
		"profit":         "/docs/sales-and-accounting#report-the-profit-of-a-month",
		"webhook secret": "/docs/reference#v1/tag/webhooks/rotateWebhookSecret",
		"misspelt":       "/docs/photos-and-identification#find-a-misspelt-card-in-the-catalogue",
		"history":        "/docs/history-and-deletions",
		"webhooks":       "/docs/webhooks",
		// Other forms, the beginning, and words with the same meaning.
		"candidate":     "/docs/reference#v1/tag/identification/listCardCandidates",
		"refunding":     "/docs/reference#v1/tag/sales/refundSale",
		"refu":          "/docs/reference#v1/tag/sales/refundSale",
		"misspelled":    "/docs/photos-and-identification#find-a-misspelt-card-in-the-catalogue",
		"typo":          "/docs/photos-and-identification#find-a-misspelt-card-in-the-catalogue",
		"remove a card": "/docs/reference#v1/tag/cards/deleteCard",
		"how to delete": "/docs/reference#v1/tag/cards/deleteCard",
		"audit":         "/docs/history-and-deletions",
		// Names of the contract.
		"publish a card":             "/docs/reference#v1/tag/listings/publishCard",
		"GET /batches/{id":           "/docs/reference#v1/tag/batches/getBatch",
		"POST /sales/{id}/refund":    "/docs/reference#v1/tag/sales/refundSale",
		"refundSale":                 "/docs/reference#v1/tag/sales/refundSale",
		"min_price":                  "/docs/reference#v1/tag/cards/listCards",
		"asking_price":               "/docs/reference#v1/models/Pricing",
		"card_not_priced":            "/docs/errors#card_not_priced",
		"LISTING.SOLD":               "/docs/webhooks#listingsold",
		"previous_secret_expires_at": "/docs/reference#v1/models/Webhook",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			found := x.find(query)
			if len(found) == 0 || found[0].Address != want {
				t.Errorf("find: got %s, want %s first", addresses(found), want)
			}
		})
	}
}

// addresses returns the addresses of the first results.
func addresses(results []result) []string {
	var out []string
	for _, r := range results[:min(5, len(results))] {
		out = append(out, r.Address)
	}
	return out
}

func TestSearch_Finds(t *testing.T) {
	t.Parallel()
	x := rendered(t).index
	for query, want := range map[string]string{
		"retry-after":    "/docs/rate-limits#know-where-you-are",
		"rotate":         "/docs/authentication#replace-it-or-stop-it",
		"follow changes": "/docs/pagination-and-polling#follow-changes",
		"webhook secret": "/docs/webhooks#manage-it-with-the-api",
		"profit":         "/docs/reference#v1/models/SalesReportRow",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			found := x.find(query)
			if !slices.ContainsFunc(found, func(r result) bool { return r.Address == want }) {
				t.Errorf("find: %s is not in %s", want, addresses(found))
			}
		})
	}
	for _, query := range []string{"", "   ", "…", "xyzzy", "cards xyzzy", "xyzzy-cards"} {
		if found := x.find(query); len(found) != 0 {
			t.Errorf("find(%q): got %d results, want none", query, len(found))
		}
	}
}

func TestSearch_ShowsKinds(t *testing.T) {
	t.Parallel()
	x := rendered(t).index
	for query, want := range map[string][3]string{
		"bulk requests":   {kindGuide, "Bulk requests and jobs", ""},
		"misspelt":        {kindGuide, "Find a misspelt card in the catalogue", "Photos and identification"},
		"refund":          {kindOperation, "Refund a sale", "POST /sales/{id}/refund"},
		"restock":         {kindField, "restock", "RefundInput"},
		"card_not_priced": {kindCode, "card_not_priced", ""},
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			found := x.find(query)
			if len(found) == 0 {
				t.Fatal("find: got no results")
			}
			r := found[0]
			if diff := cmp.Diff(want, [3]string{r.Kind, r.Title, r.Context}); diff != "" {
				t.Errorf("first result (-want +got):\n%s", diff)
			}
		})
	}
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
	for name, c := range map[string]struct{ text, query, want string }{
		"sentence":       {"One is first. The word is here! And on.", "word", "The [word] is here!"},
		"most words":     {"A word. Another thing. The word of a thing.", "thing word", "The [word] of a [thing]."},
		"line":           {"a list\nthe word in it\nthe end", "word", "the [word] in it"},
		"part of a name": {"Set asking_price.", "price", "Set [asking_price]."},
		"another form":   {"It was deleted.", "delete", "It was [deleted]."},
		"no match":       {"The first sentence. The second.", "absent", "The first sentence."},
		"no text":        {"", "word", ""},
		"long": {
			long, "word",
			"… " + strings.Repeat("before ", 10) + "the [Word] itself" + strings.Repeat(" after", 25) + " …",
		},
		"long, no match":     {long, "absent", strings.Repeat("before ", 34) + "…"},
		"long, no spaces":    {strings.Repeat("é", 200) + "/word", "word", strings.Repeat("é", 120) + " …"},
		"length in capitals": {"İstanbul and the word", "word", "İstanbul and the [word]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := &index{words: map[string]*indexedWord{}}
			x.add(entry{}, weightedText{c.text, inText})
			var query []forms
			for _, word := range parseQuery(c.query, false) {
				query = append(query, x.forms(word))
			}
			var got strings.Builder
			for _, f := range excerpt(c.text, query) {
				if f.Marked {
					f.Text = "[" + f.Text + "]"
				}
				got.WriteString(f.Text)
			}
			if diff := cmp.Diff(c.want, got.String()); diff != "" {
				t.Errorf("excerpt (-want +got):\n%s", diff)
			}
		})
	}
}

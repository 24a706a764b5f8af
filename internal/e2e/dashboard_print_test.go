package e2e

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/users"
)

const typedTitle = "<script>alert(1)</script>"

// wantNot checks that the page does not contain the texts.
func (b *browser) wantNot(p page, texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		if strings.Contains(p.body, text) {
			b.t.Errorf("%s has %q:\n%s", p.Request.URL, text, p.body)
		}
	}
}

// addCards creates n cards of a batch with the numbers 1 to n as their locations.
func (c *client) addCards(batch string, n int) {
	c.t.Helper()
	for begin := 0; begin < n; begin += 100 {
		var drafts []string
		for i := begin; i < min(begin+100, n); i++ {
			draft := `{"location":"%d","batch_id":%q,"identification":{"title":"Fox"}}`
			drafts = append(drafts, fmt.Sprintf(draft, i+1, batch))
		}
		c.do("POST", "/cards", `{"cards":[`+strings.Join(drafts, ",")+`]}`).want(c.t, http.StatusCreated, nil)
	}
}

func TestDashboardLabels(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	fox := c.create(`{"identification":{"title":"` + typedTitle + `","number":"4/102"},
		"location":"Box 10","sku":"<b>S</b>"}`)
	owl := c.create(`{"identification":{"title":"Jade Owl"},"location":"Box 2"}`)
	foreign := other.create(`{"identification":{"title":"Glass Heron"}}`)

	b.wantRedirect(b.get("/cards/bulk?action=labels&ids="+fox.ID), "/cards/labels?ids="+fox.ID)
	b.wantRedirect(b.get("/cards/bulk?action=labels&all=true&q=owl"), "/cards/labels?all=true&q=owl")
	b.want(b.get("/cards/"+fox.ID), http.StatusOK, `<a href="/cards/labels?ids=`+fox.ID+`">Print a label</a>`)
	both := b.get("/cards/labels")
	b.want(both, http.StatusOK, "&lt;script&gt;alert(1)&lt;/script&gt;</a>", "<span>4/102</span>", "<b>Box 10</b>",
		"<span>&lt;b&gt;S&lt;/b&gt;</span>", `<div class="sheet a4">`, "sheet-a4-", "Labels of 2 cards")
	b.wantNot(both, "<script>alert", "<b>S</b>", "Heron", `style="`)
	if strings.Index(both.body, owl.ID) > strings.Index(both.body, fox.ID) {
		t.Error("the label of Box 10 is before that of Box 2")
	}
	for query, labels := range map[string]int{
		"ids=" + fox.ID: 1, "q=owl&sheet=letter": 1, "sheet=roll": 2, "start=24": 2 + 23, "status=sold": 0,
		"ids=" + foreign.ID: 0,
	} {
		shown := b.get("/cards/labels?" + query)
		b.want(shown, http.StatusOK)
		b.wantNot(shown, "Heron")
		if got := strings.Count(shown.body, `<div class="label">`); got != labels {
			t.Errorf("%s: %d labels, want %d", query, got, labels)
		}
	}
	b.want(b.get("/cards/labels?ids="+foreign.ID), http.StatusOK, "None of your cards is selected.")
	b.want(b.get("/cards/labels?start=24"), http.StatusOK, `value="24"`)
	for query, want := range map[string]string{
		"start=25": `id="e-start"`, "sheet=a5": `id="e-sheet"`, "status=x": "must be one of",
		"ids=" + fox.ID + "&ids=" + fox.ID: "must differ",
	} {
		b.want(b.get("/cards/labels?"+query), http.StatusUnprocessableEntity, want)
	}
	b.want(b.get("/cards/labels?cursor=x"), http.StatusBadRequest, "cursor")
}

// TestDashboardLabels_Many prints the labels of more cards than a page has.
func TestDashboardLabels_Many(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	var batch struct{ ID string }
	c.do("POST", "/batches", `{"name":"Fair"}`).want(t, http.StatusCreated, &batch)
	c.addCards(batch.ID, 503)
	c.create(`{"identification":{"title":"Jade Owl"}}`)
	eventually(t, "the page of the batch has links to print", func() bool {
		return strings.Contains(b.get("/batches/"+batch.ID).body, `href="/cards/labels?batch=`+batch.ID+`"`)
	})
	card := regexp.MustCompile(`<a href="/cards/(card_\w+)">Fox</a>`)
	next := regexp.MustCompile(`<a href="([^"]*)" rel="next">`)
	for _, path := range []string{"/cards/labels", "/cards/pull-sheet"} {
		first := b.get(path + "?batch=" + batch.ID)
		b.want(first, http.StatusOK, "at most 500 cards are printed at a time")
		link := next.FindStringSubmatch(first.body)
		if link == nil {
			t.Fatalf("%s has no link to the other cards", path)
		}
		second := b.get(path + html.UnescapeString(link[1]))
		b.want(second, http.StatusOK, "First cards")
		b.wantNot(second, "at most 500", `rel="next"`)
		if path == "/cards/labels" {
			b.want(second, http.StatusOK, `name="start" inputmode="numeric" maxlength="2" value="21"`)
		}
		printed := map[string]bool{}
		for _, found := range card.FindAllStringSubmatch(first.body+second.body, -1) {
			printed[found[1]] = true
		}
		if len(printed) != 503 {
			t.Errorf("%s: both pages have %d cards, want 503", path, len(printed))
		}
	}
}

func TestDashboardPullSheet_Selection(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	c.create(`{"identification":{"title":"` + typedTitle + `"},"location":"Box 10/1"}`)
	owl := c.create(`{"identification":{"title":"Jade Owl"},"location":"Box 2/Row 3"}`)
	c.create(`{"identification":{"title":"Reef Crab"}}`)
	foreign := other.create(`{"identification":{"title":"Glass Heron"}}`)
	b.wantRedirect(b.get("/cards/bulk?action=pull-sheet&ids="+owl.ID), "/cards/pull-sheet?ids="+owl.ID)
	all := b.get("/cards/pull-sheet")
	b.want(all, http.StatusOK, "&lt;script&gt;alert(1)&lt;/script&gt;", "3 cards")
	b.wantNot(all, "<script>alert", "Heron")
	_, sheet, _ := strings.Cut(all.body, "<main")
	sheet, _, _ = strings.Cut(sheet, "</main>")
	var shelves []string
	for _, found := range regexp.MustCompile(`<h2>([^<]*)</h2>`).FindAllStringSubmatch(sheet, -1) {
		shelves = append(shelves, found[1])
	}
	if got := strings.Join(shelves, ", "); got != "Box 2, Box 10, Without a location" {
		t.Errorf("shelves: got %s", got)
	}
	one := b.get("/cards/pull-sheet?ids=" + owl.ID)
	b.want(one, http.StatusOK, "Jade Owl", "Box 2/Row 3")
	b.wantNot(one, "Reef Crab")
	b.want(b.get("/cards/pull-sheet?ids="+foreign.ID), http.StatusOK, "None of your cards is selected.")
	b.want(b.get("/cards/pull-sheet?status=x"), http.StatusUnprocessableEntity, "must be one of")
}

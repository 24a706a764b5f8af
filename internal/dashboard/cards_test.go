package dashboard

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardlist"
)

// add creates cards with these titles, and asking prices that rise.
func (s *shop) add(titles ...string) []cards.Card {
	s.t.Helper()
	drafts := make([]cards.Draft, len(titles))
	for i, title := range titles {
		drafts[i].Patch = cards.Patch{
			Title: cards.Set(title), AskingPrice: cards.Set(usd(int64(100 * (i + 1)))), Cost: cards.Set(usd(100)),
		}
	}
	made, err := s.config.Cards.Create(s.t.Context(), s.account.ID, drafts, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return made
}

// titles returns the titles of the rows of a page.
func titles(a answer) []string {
	var found []string
	link := regexp.MustCompile(`<a href="/cards/card_\w+\?from=[^"]*">([^<]*)</a>`)
	for _, match := range link.FindAllStringSubmatch(a.body, -1) {
		found = append(found, match[1])
	}
	return found
}

func TestCards_FiltersAndSorts(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	b.want(b.get("/cards"), http.StatusOK, "There are no cards yet")
	s.add("Ember Fox", "Jade Owl", "Ember Cat")
	for query, want := range map[string][]string{
		"":                            {"Ember Cat", "Jade Owl", "Ember Fox"},
		"?q=ember":                    {"Ember Cat", "Ember Fox"},
		"?q=":                         {"Ember Cat", "Jade Owl", "Ember Fox"},
		"?q=ember&sort=title":         {"Ember Cat", "Ember Fox"},
		"?sort=price":                 {"Ember Fox", "Jade Owl", "Ember Cat"},
		"?sort=-title":                {"Jade Owl", "Ember Fox", "Ember Cat"},
		"?min_price=200":              {"Ember Cat", "Jade Owl"},
		"?max_price=200&min_price=00": {"Jade Owl", "Ember Fox"},
		"?price_from=2.00":            {"Ember Cat", "Jade Owl"},
		"?price_from=2&currency=jpy":  nil,
		"?price_to=2&price_from=0":    {"Jade Owl", "Ember Fox"},
		"?status=priced,sold":         {"Ember Cat", "Jade Owl", "Ember Fox"},
		"?status=sold":                nil,
		"?has_photo=true":             nil,
		"?has_photo=false&q=owl":      {"Jade Owl"},
		"?location=Box&condition=NM":  nil,
	} {
		t.Run(query, func(t *testing.T) {
			page := b.get("/cards" + query)
			if diff := cmp.Diff(want, titles(page)); diff != "" || page.StatusCode != http.StatusOK {
				t.Errorf("status %d, titles (-want +got):\n%s", page.StatusCode, diff)
			}
			if want == nil && !strings.Contains(page.body, "No card matches") {
				t.Error("the page does not tell that no card matches")
			}
		})
	}
	for _, query := range []string{"min_price=250", "price_from=2.50"} { // minor units, as in the API, and as typed
		page := b.get("/cards?" + query)
		b.want(page, http.StatusOK, "Price from: 2.50")
		b.want(page, http.StatusOK, `name="price_from" maxlength="200" value="2.50"`)
	}
	b.want(b.get("/cards?q=ember"), http.StatusOK, "2 cards · <span class=\"amount\">$4.00</span>")
	b.want(b.get("/cards?q=owl"), http.StatusOK, "&#43;100\u00a0%") // the margin
}

func TestCards_RefusesInvalidFilters(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.add("Ember Fox")
	b := s.logIn(ada)
	for query, want := range map[string]string{
		"status=none":                      `id="e-status">must be one of imported, identified`,
		"has_photo=maybe":                  `id="e-has_photo">must be true or false`,
		"min_price=12.50":                  `id="e-price_from">must be an amount such as 12.50`,
		"price_from=cheap":                 `id="e-price_from">must be an amount such as 12.50`,
		"max_price=-1":                     `id="e-price_to">must be an amount`,
		"sort=colour":                      "sort: must be created_at",
		"cursor=x":                         "cursor: is not one that this list issued",
		"q=" + strings.Repeat("x", 201):    "q: must be at most 200 characters",
		"q=" + url.QueryEscape("a\x00b"):   "q: must be at most 200 characters",
		"set=" + url.QueryEscape("a\xffb"): `id="e-set">must be at most 200 characters`,
	} {
		page := b.get("/cards?" + query)
		b.want(page, http.StatusBadRequest, want)
		b.want(page, http.StatusBadRequest, "Remove all filters")
		if n := strings.Count(page.body, want); n != 1 {
			t.Errorf("%s: the page says %d times %q, want once", query, n, want)
		}
	}
}

func TestCards_Pages(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var all []string
	for i := range 2*cardlist.PerPage + 1 {
		all = append(all, fmt.Sprintf("Fox %03d", i))
	}
	s.add(all...)
	b := s.logIn(ada)
	next := regexp.MustCompile(`<a href="([^"]*)" rel="next">`)
	var read []string
	for path := "/cards?q=fox&sort=title"; ; {
		page := b.get(path)
		read = append(read, titles(page)...)
		found := next.FindStringSubmatch(page.body)
		if found == nil {
			b.want(page, http.StatusOK, `<a href="/cards?q=fox&amp;sort=title">First page</a>`)
			break
		}
		path = strings.ReplaceAll(found[1], "&amp;", "&")
	}
	if diff := cmp.Diff(all, read); diff != "" {
		t.Errorf("titles of all pages (-want +got):\n%s", diff)
	}
}

func TestCards_ShowsTextAsTyped(t *testing.T) {
	t.Parallel()
	s := setup(t)
	typed := []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "\u202egnikcah\u202c", "Größe 💎", "{{.}}",
	}
	s.add(typed...)
	b := s.logIn(ada)
	page := b.get("/cards?q=" + url.QueryEscape("<script>"))
	b.want(page, http.StatusOK, "&lt;script&gt;alert(1)&lt;/script&gt;</a>")
	if all := b.get("/cards"); strings.Contains(all.body, "<script>alert") || strings.Contains(all.body, "<img src=x") {
		t.Errorf("a title is part of the page's markup: %s", all.body)
	} else {
		for _, title := range typed[2:] {
			b.want(all, http.StatusOK, title)
		}
	}
}

func TestCards_OfThisAccountOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.add("Ember Fox")
	other := s.newAccount("Eve's cards")
	s.newUser(other, "eve@example.com", "owner")
	eve := s.logIn("eve@example.com")
	eve.want(eve.get("/cards"), http.StatusOK, "There are no cards yet")
	eve.want(eve.get("/"), http.StatusOK, "Your inventory is empty")
}

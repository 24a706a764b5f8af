package e2e

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/users"
)

func TestDashboardColumns(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	var batch struct{ ID string }
	c.do("POST", "/batches", `{"name":"<i>Fair</i>"}`).want(t, http.StatusCreated, &batch)
	c.create(`{"batch_id":"` + batch.ID + `","external_id":"E-1","sku":"<b>S</b>",
		"identification":{"title":"Ember Fox","set":"Base","number":"4/102","language":"en"}}`)
	standard := b.get("/cards")
	b.want(standard, http.StatusOK, `<span class="quiet">Base 4/102</span>`, `name="columns" value="margin" checked`)
	b.wantNot(standard, "E-1", "Fair")
	shown := b.get("/cards?q=fox&columns=batch&columns=sku&columns=external_id&columns=set")
	b.want(shown, http.StatusOK, `<a href="/batches/`+batch.ID+`">&lt;i&gt;Fair&lt;/i&gt;</a>`, "E-1",
		"&lt;b&gt;S&lt;/b&gt;", `<td class="c-set">Base</td>`, `<span class="quiet">4/102</span>`,
		`<input type="hidden" name="columns" value="batch,sku,external_id,set">`, // of the search
		`<a href="/cards?columns=batch%2Csku%2Cexternal_id%2Cset&amp;q=fox&amp;sort=title">Card</a>`,
		`<a href="/cards?q=fox">Default columns</a>`)
	b.wantNot(shown, "<i>Fair", "<b>S", `value="margin" checked`)
	b.want(b.get("/cards?columns=colour"), http.StatusBadRequest, "columns: must be some of set, number")
}

func TestDashboardViews_Own(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	b, colleague := s.browser(t, c.account, users.Member), s.browser(t, c.account, users.Owner)
	stranger := s.browser(t, other.account, users.Owner)
	c.create(`{"identification":{"title":"Ember Fox"}}`)
	b.want(b.get("/cards/views"), http.StatusOK, "There are no views of your own")

	query := b.get("/cards?q=fox&sort=-price&columns=sku&columns=set&cursor=").hidden()
	asked := url.Values{}
	for i := 0; i < len(query); i += 2 {
		asked.Set(query[i], query[i+1])
	}
	const stored = "columns=sku%2Cset&q=fox&sort=-price"
	if got := asked.Get("query"); got != stored {
		t.Errorf("query of the form: got %q, want %q", got, stored)
	}
	b.wantRedirect(b.post("/cards/views", "name", " <i>Foxes</i> ", "query", stored+"&cursor=x&action=delete"),
		"/cards?"+stored)
	link := `<a href="/cards?` + html.EscapeString(stored) + `"`
	b.want(b.get("/cards?"+stored), http.StatusOK, link+` aria-current="true">&lt;i&gt;Foxes&lt;/i&gt;</a>`)
	colleague.want(colleague.get("/cards"), http.StatusOK, link+">&lt;i&gt;Foxes&lt;/i&gt;</a>")
	list := b.get("/cards/views")
	b.want(list, http.StatusOK, link, "Search: fox")
	b.wantNot(list, "<i>Foxes")
	stranger.want(stranger.get("/cards/views"), http.StatusOK, "There are no views of your own")

	remove := regexp.MustCompile(`action="(/cards/views/view_\w+/delete)"`).FindStringSubmatch(list.body)
	if remove == nil {
		t.Fatalf("the list has no form that deletes the view:\n%s", list.body)
	}
	stranger.want(stranger.post(remove[1]), http.StatusNotFound, "There is no view")
	b.want(b.get("/cards/views"), http.StatusOK, "Foxes")
	b.wantRedirect(b.post(remove[1]), "/cards/views")
	b.want(b.post(remove[1]), http.StatusNotFound, "There is no view")
	b.want(b.get("/cards/views"), http.StatusOK, "There are no views of your own")
}

func TestDashboardViews_Refuses(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	c.create(`{"identification":{"title":"Ember Fox"}}`)
	before := s.snapshot(t)
	for name, want := range map[string]string{
		" ": "must have 1 to 60 characters", strings.Repeat("x", 61): "must have 1 to 60 characters",
		"a\nb": "must not contain control characters",
	} {
		refused := b.post("/cards/views", "name", name, "query", "q=fox")
		b.want(refused, http.StatusUnprocessableEntity, want, `aria-describedby="e-view-name"`, "Ember Fox",
			`name="query" value="q=fox"`)
	}
	b.want(b.post("/cards/views", "name", "a", "query", "q=%zz"), http.StatusBadRequest, "could not be read")
	for _, filter := range []string{"q", "set", "number", "sku", "location", "external_id", "grade"} {
		for _, blank := range []string{" ", "  ", "\u00a0", "\u3000", "\u2028"} { // dropped, it would show every card
			refused := b.post("/cards/views", "name", "a", "query", filter+"="+url.QueryEscape(blank))
			b.want(refused, http.StatusBadRequest, "must")
		}
	}
	s.unchanged(t, before)

	for i := range quota.Defaults.Of(quota.Views) {
		if err := s.Views.Save(t.Context(), c.account, fmt.Sprint("View ", i), ""); err != nil {
			t.Fatal(err)
		}
	}
	b.want(b.post("/cards/views", "name", "One more", "query", ""), http.StatusUnprocessableEntity,
		"The quota of your account is 50 saved views; it has 50", `value="One more"`)
	b.wantRedirect(b.post("/cards/views", "name", "View 7", "query", "q=fox"), "/cards?q=fox")
}

// TestDashboardViews_Invalid follows a view whose filter is not valid any more.
func TestDashboardViews_Invalid(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	for name, query := range map[string]string{"Lost": "q=fox&status=lost", "Wide": "columns=colour"} {
		if err := s.Views.Save(t.Context(), c.account, name, query); err != nil {
			t.Fatal(err)
		}
	}
	b.want(b.get("/cards/views"), http.StatusOK, "status: must be one of", "columns: must be some of")
	b.want(b.get("/cards?q=fox&status=lost"), http.StatusBadRequest, `value="fox"`,
		`<option value="lost" selected>lost</option>`,
		`id="f-status" name="status" aria-invalid="true" aria-describedby="e-status"`,
		`<p class="error" id="e-status">must be one of`, `aria-current="true">Lost</a>`)
}

// TestDashboardSearch_AsYouType reads the cards as the search does while the user types.
func TestDashboardSearch_AsYouType(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	const path = "/cards?columns=&q=fox&set=&sort=-price"
	if got := b.poll(path).Header.Get("HX-Replace-Url"); got != "/cards?q=fox&sort=-price" {
		t.Errorf("HX-Replace-Url: got %q, want the address without empty values", got)
	}
	if got := b.get(path).Header.Get("HX-Replace-Url"); got != "" {
		t.Errorf("HX-Replace-Url of the whole page: got %q, want none", got)
	}
	b.wantRedirect(b.post("/logout"), "/login")
	ended := b.poll(path)
	if got := ended.Header.Get("HX-Refresh"); got != "true" || ended.StatusCode != http.StatusUnauthorized {
		t.Errorf("after the log-out: got %d with HX-Refresh %q, want 401 with true", ended.StatusCode, got)
	}
}

package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/users"
)

func TestDashboard_Search(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	b.want(b.get("/search"), http.StatusOK, "Enter words of a card’s title")
	b.want(b.get("/search?q=fox"), http.StatusOK, "Nothing matches", `name="q" type="search" maxlength="200"`,
		`value="fox"`)
	fox := c.create(`{"identification":{"title":"Ember Fox <script>alert(1)</script>"},"location":"Box 1"}`)
	c.create(`{"identification":{"title":"Jade Owl"}}`)
	var batch struct{ ID string }
	c.do("POST", "/batches", `{"name":"<b>Fox</b> fair"}`).want(t, http.StatusCreated, &batch)
	found := b.get("/search?q=FOX")
	b.want(found, http.StatusOK, `href="/cards/`+fox.ID+`"`, "Box 1", "&lt;script&gt;alert(1)",
		`href="/batches/`+batch.ID+`"`, "&lt;b&gt;Fox&lt;/b&gt; fair")
	for _, text := range []string{"<script>alert", "<b>Fox", "Jade Owl", "All cards that match"} {
		found.lacks(t, text)
	}
	b.want(b.get("/search?q=%3Cscript%3E"), http.StatusOK, "Search for “&lt;script&gt;”")
	b.want(b.get("/search?q="+strings.Repeat("x", 201)), http.StatusBadRequest, "must be at most 200 characters")
	b.want(b.get("/search?q=x%00"), http.StatusBadRequest, "must be at most 200 characters of text")
	b.want(b.get("/search?q=%00"), http.StatusBadRequest, "must not be blank")
	for range 11 {
		c.create(`{"identification":{"title":"Dusk Fox"}}`)
	}
	b.want(b.get("/search?q=dusk"), http.StatusOK, `href="/cards?q=dusk"`, "All cards that match")
}

// A listing and a sale are found by the title of their card.
func TestDashboard_SearchFindsListingsAndSales(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, true)
	owned := c.own()
	b := s.browser(t, c.account, users.Owner)
	b.want(b.get("/search?q=ember+fox"), http.StatusOK, `<a href="/listings/`+owned.listing+`">Listing: live</a>`,
		`<a href="/sales/`+owned.sale+`">Sale</a>`)
}

func TestDashboard_SearchOpensIdentifiers(t *testing.T) {
	t.Parallel()
	s := start(t)
	mine, theirs := s.client(t, true), s.client(t, true)
	owned, foreign := mine.own(), theirs.own()
	owner, member := s.browser(t, mine.account, users.Owner), s.browser(t, mine.account, users.Member)
	for path, ids := range map[string][2]string{
		"/cards/": {owned.card, foreign.card}, "/batches/": {owned.batch, foreign.batch},
		"/listings/": {owned.listing, foreign.listing}, "/sales/": {owned.sale, foreign.sale},
		"/developers/webhooks/":   {owned.webhook, foreign.webhook},
		"/developers/events/":     {owned.event, foreign.event},
		"/developers/deliveries/": {owned.delivery, foreign.delivery},
	} {
		t.Run(path, func(t *testing.T) {
			b := owner.in(t)
			b.wantRedirect(b.get("/search?q=+"+strings.ToUpper(ids[0])), path+ids[0])
			b.want(b.get(path+ids[0]), http.StatusOK)
			b.wantRedirect(b.get("/search?q="+ids[1]), path+ids[1])
			b.want(b.get(path+ids[1]), http.StatusNotFound)
			if strings.HasPrefix(path, "/developers/") {
				b := member.in(t)
				b.wantRedirect(b.get("/search?q="+ids[0]), path+ids[0])
				b.want(b.get(path+ids[0]), http.StatusForbidden, "Only owners of the account can do this.")
			}
		})
	}
}

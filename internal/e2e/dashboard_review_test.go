package e2e

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/demo"
	"github.com/cardvault/cardvault/internal/users"
)

var (
	hiddenField = regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]*)"`)
	takeButton  = regexp.MustCompile(`name="take" value="([^"]*)"`)
)

// fields returns the hidden fields of a page and further pairs of names and values.
func fields(p page, more ...string) []string {
	var pairs []string
	for _, found := range hiddenField.FindAllStringSubmatch(p.body, -1) {
		pairs = append(pairs, found[1], html.UnescapeString(found[2]))
	}
	return append(pairs, more...)
}

// A member reviews two cards that the service could not identify: the first is found in the catalogue, the second is
// skipped, and the review of the first is undone and repeated.
func TestDashboard_Review(t *testing.T) {
	t.Parallel()
	s := start(t)
	installDemo(t, s)
	c := s.client(t, true)
	hook := c.endpoint()
	var ids []string
	for range 2 {
		made := c.create(`{}`)
		c.do("PUT", "/cards/"+made.ID+"/photos/front", illegible(t), "Content-Type: image/jpeg").want(t, 200, nil)
		hook.event(t, "identify.failed", made.ID)
		ids = append(ids, made.ID)
	}
	b := s.browser(t, c.account, users.Member)
	b.want(b.get("/"), http.StatusOK, `<a href="/review">Review <span class="badge">2<`)
	p := b.get("/review")
	b.want(p, http.StatusOK, "2 left", `value="`+ids[0]+`"`, `<img class="hidden" src="/photos/`,
		"Read from the photo: name not legible · number not legible")

	drawing := demo.Drawings()[5]
	search := drawing.Art.Name + " " + drawing.Art.Number
	kept := b.post("/review/keep", fields(p, "q", search, "condition", "LP", "location", "Box 4/Row 1")...)
	found := b.get(kept.Header.Get("Location"))
	b.want(found, http.StatusOK, "Found in the catalogue", drawing.Art.Name)
	choices := takeButton.FindAllStringSubmatch(found.body, -1)
	chosen := html.UnescapeString(choices[len(choices)-1][1])
	take := fields(found, "take", chosen, "condition", "LP", "location", "Box 4")
	b.wantRedirect(b.post("/review/take", take...), "/review?card="+ids[1])
	hook.event(t, "card.identified", ids[0])
	first := c.get(ids[0])
	if first.WorkflowStatus != "identified" || *first.Title != drawing.Art.Name ||
		first.Identification.CatalogID == nil {
		t.Fatalf("after the review the card is %+v, want %s of the catalogue", first, drawing.Art.Name)
	}

	p = b.get("/review?card=" + ids[1])
	b.want(p, http.StatusOK, "1 left", `value="Box 4"`, "Undo "+drawing.Art.Name)
	b.wantRedirect(b.post("/review/skip", fields(p)...), "/review?after=again&card="+ids[1])
	b.wantRedirect(b.post("/review/undo", fields(p)...), "/review?after=undone&card="+ids[0])
	if first = c.get(ids[0]); first.WorkflowStatus != "needs_review" || first.Title != nil {
		t.Fatalf("after the undo the card is %+v, want it unidentified", first)
	}
	p = b.get("/review?q=" + strings.ReplaceAll(drawing.Art.Name, " ", "+"))
	choices = takeButton.FindAllStringSubmatch(p.body, -1)
	again := fields(p, "take", html.UnescapeString(choices[len(choices)-1][1]))
	b.wantRedirect(b.post("/review/take", again...), "/review?card="+ids[1])
	if first = c.get(ids[0]); first.WorkflowStatus != "identified" {
		t.Errorf("after the second review the card is %+v", first)
	}

	other := s.client(t, true)
	stranger := s.browser(t, other.account, users.Owner)
	stranger.want(stranger.get("/review?card="+ids[1]), http.StatusNotFound)
	stranger.want(stranger.post("/review/take", again...), http.StatusNotFound)
}

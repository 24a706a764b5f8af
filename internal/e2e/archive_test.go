package e2e

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/cardvault/cardvault/internal/users"
)

// TestJobs_ArchiveListedCard archives a card with a live listing by a job, which ends the listing first.
func TestJobs_ArchiveListedCard(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	done, refusals := c.run(`{"kind":"archive","card_ids":["` + mine.card + `"]}`)
	if done.Done != 1 || len(refusals) > 0 {
		t.Fatalf("job %+v, refusals %+v, want the card archived", done, refusals)
	}
	c.wantArchived(mine)
}

// TestDashboard_ArchivesListedCard does the same on the page of the card.
func TestDashboard_ArchivesListedCard(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	b := s.browser(t, c.account, users.Member)
	p := b.get("/cards/" + mine.card)
	b.want(p, http.StatusOK, "End the listing and archive")
	version := regexp.MustCompile(`name="version" value="(\d+)"`).FindStringSubmatch(p.body)
	b.post("/cards/"+mine.card+"/archive", "archived", "true", "version", version[1])
	c.wantArchived(mine)
}

// wantArchived waits until the card is archived, and checks that its listing has ended.
func (c *client) wantArchived(p possessions) {
	c.t.Helper()
	eventually(c.t, "the card is archived", func() bool { return c.get(p.card).WorkflowStatus == "archived" })
	var listing struct{ Status string }
	c.do("GET", "/listings/"+p.listing, nil).want(c.t, http.StatusOK, &listing)
	if listing.Status != "ended" {
		c.t.Errorf("the listing is %s, want it ended", listing.Status)
	}
}

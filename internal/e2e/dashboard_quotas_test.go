package e2e

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/users"
)

// TestDashboardQuotas_File imports a file for whose last row the account has no room: the row is refused with the
// numbers, and the import ends.
func TestDashboardQuotas_File(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	c.limit("cards=2")
	b.wantRedirect(b.uploadCSV("cards.csv", "Name\nEmber Fox\nTide Crab\nAsh Owl\n"), "/import/csv")
	b.wantRedirect(b.post("/import/csv/accept", b.get("/import/csv").hidden()[:2]...), "/import/csv")
	eventually(t, "the import ends", func() bool {
		return strings.Contains(b.get("/import/csv").body, "Done: 2 cards")
	})
	b.want(b.get("/import/csv"), http.StatusOK, "Rows that were not applied", "line 4: The quota of your account is 2 "+
		"cards; it has 0, and this would add 3.")
	if got := len(b.list(c)); got != 2 {
		t.Errorf("%d cards after the import, want the 2 for which there is room", got)
	}
}

// TestDashboardQuotas_Photos uploads photos of more cards than the account may have.
func TestDashboardQuotas_Photos(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	c.limit("cards=1")
	photo := blank(t)
	upload := func(names ...string) []byte {
		key := regexp.MustCompile(`name="key" value="(\w+)"`).FindStringSubmatch(b.get("/import").body)[1]
		var files []file
		for _, name := range names {
			files = append(files, file{name, photo})
		}
		return scanForm(t, files, "key", key, "pairing", "none")
	}
	if status, results, message := b.script(upload("fox.jpg")); status != http.StatusOK || results[0].Error != "" {
		t.Fatalf("a photo with room: status %d, %+v %s", status, results, message)
	}
	status, results, message := b.script(upload("owl.jpg"))
	if status == http.StatusOK && len(results) == 1 {
		message = results[0].Error
	}
	const want = "The quota of your account is 1 cards; it has 1, and this would add 1. Delete cards"
	if !strings.Contains(message, want) {
		t.Errorf("a photo without room: status %d, %+v, message %q, want %q", status, results, message, want)
	}
	if got := len(b.list(c)); got != 1 {
		t.Errorf("%d cards after the refusal, want 1", got)
	}
}

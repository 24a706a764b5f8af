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

func TestDashboardBatches(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	b.want(b.get("/batches"), http.StatusOK, "There are no batches yet")
	for name, want := range map[string]string{" ": "must have 1 to 120 characters", strings.Repeat("x", 121): "xxx"} {
		b.want(b.post("/batches", "name", name), http.StatusUnprocessableEntity, want, `aria-describedby="error"`)
	}
	made := b.post("/batches", "name", "<i>Fair</i>")
	path := made.Header.Get("Location")
	b.wantRedirect(made, path)
	id := strings.TrimPrefix(path, "/batches/")
	b.want(b.get(path), http.StatusOK, "<h1>&lt;i&gt;Fair&lt;/i&gt;</h1>", "The batch has no cards yet.")
	c.create(`{"batch_id":"` + id + `"}`)
	c.create(`{"identification":{"title":"Ember Fox"},"batch_id":"` + id + `"}`)
	eventually(t, "the list has the new cards", func() bool { // numbers that took long to count are kept for a while
		list := b.get("/batches").body
		return strings.Contains(list, "1 imported") && strings.Contains(list, "1 identified")
	})
	b.want(b.get("/batches"), http.StatusOK, "&lt;i&gt;Fair&lt;/i&gt;</a>", "<rect class=")
	link := "/cards?batch=" + id + "&amp;status=identified"
	b.want(b.get(path), http.StatusOK, `<a href="`+link+`">`, "2 cards")
	b.want(b.get(html.UnescapeString(link)), http.StatusOK, "Ember Fox", "Select all 1 that match")

	b.wantRedirect(b.post(path, "name", " Spring fair "), path)
	b.want(b.get(path), http.StatusOK, "<h1>Spring fair</h1>")
	b.want(b.post(path, "name", "a\nb"), http.StatusUnprocessableEntity, "must not contain control characters", "a\nb")
	b.wantRedirect(b.post(path+"/complete"), path)
	b.want(b.get(path), http.StatusOK, "complete since", "Reopen")
	b.wantRedirect(b.post(path+"/reopen"), path)
	b.want(b.get(path), http.StatusOK, "Complete the batch</button>")

	stranger := s.browser(t, other.account, users.Owner)
	stranger.want(stranger.get(path), http.StatusNotFound, "There is no batch")
	for _, change := range []string{"", "/complete", "/reopen"} {
		stranger.want(stranger.post(path+change, "name", "Mine"), http.StatusNotFound, "There is no batch")
	}
	b.want(b.get(path), http.StatusOK, "<h1>Spring fair</h1>")
}

func TestDashboardBatches_Pages(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	for i := range 21 {
		c.do("POST", "/batches", fmt.Sprintf(`{"name":"Batch %d"}`, i)).want(t, http.StatusCreated, nil)
	}
	next := regexp.MustCompile(`<a href="([^"]*)" rel="next">`).FindStringSubmatch(b.get("/batches").body)
	if next == nil {
		t.Fatal("the first page has no link to the next")
	}
	b.want(b.get(html.UnescapeString(next[1])), http.StatusOK, ">Batch 0</a>", `<a href="/batches">First page</a>`)
}

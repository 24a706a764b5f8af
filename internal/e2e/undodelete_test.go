package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/users"
)

// undo undoes a job and waits for the end.
func (c *client) undo(jobID string) job {
	c.t.Helper()
	var undo job
	c.do("POST", "/jobs/"+jobID+"/undo", nil).want(c.t, http.StatusAccepted, &undo)
	return c.awaitJob(undo.ID)
}

// TestJobs_UndoDelete has a job delete all cards that match, and brings them back with their photos.
func TestJobs_UndoDelete(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	ready := c.get(c.ready(t))
	var photo struct {
		Photos []struct{ URL string }
	}
	c.do("GET", "/cards/"+ready.ID, nil).want(t, http.StatusOK, &photo)
	var before, after map[string]any
	c.do("GET", "/cards/"+ready.ID, nil).want(t, http.StatusOK, &before)
	all := `{"kind":"delete","filter":{"status":["` + string(ready.WorkflowStatus) + `"]},"expected_count":`
	c.do("POST", "/jobs", all+`7}`).want(t, http.StatusConflict, nil).refused(t, "unexpected_count")
	deleted, _ := c.run(all + `1}`)
	if deleted.Done != 1 || deleted.UndoableUntil == nil {
		t.Fatalf("got %+v, want one deleted card, for a while", deleted)
	}
	c.do("GET", "/cards/"+ready.ID, nil).refused(t, "card_not_found")
	undo := c.undo(deleted.ID)
	if undo.Kind != "restore" || undo.Done != 1 || undo.Undoes == nil || *undo.Undoes != deleted.ID {
		t.Errorf("got %+v, want a job that has restored one card", undo)
	}
	c.do("GET", "/cards/"+ready.ID, nil).want(t, http.StatusOK, &after)
	for _, card := range []map[string]any{before, after} {
		delete(card, "version")
		delete(card, "updated_at")
		for _, photo := range card["photos"].([]any) {
			delete(photo.(map[string]any), "url") // it is signed for each response
		}
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the card (-before, +after):\n%s", diff)
	}
	response, err := http.Get(photo.Photos[0].URL)
	if err != nil {
		t.Fatal(err)
	}
	if response.Body.Close(); response.StatusCode != http.StatusOK {
		t.Errorf("the photo of the restored card: status %d", response.StatusCode)
	}
	var list listOf[struct{ Event string }]
	c.do("GET", "/events?event=card.deleted,card.restored", nil).want(t, http.StatusOK, &list)
	if len(list.Data) != 2 || list.Data[0].Event != "card.restored" {
		t.Errorf("events: got %+v, want card.deleted, then card.restored", list.Data)
	}
	c.do("POST", "/jobs/"+undo.ID+"/undo", nil).refused(t, "job_not_undoable")
	c.do("POST", "/jobs", `{"kind":"restore","card_ids":["`+ready.ID+`"]}`).refused(t, "invalid_request")
}

// TestJobs_UndoDeleteWebhook sends card.restored to the endpoint that names it, and not to one with the kinds that are
// sent without a choice.
func TestJobs_UndoDeleteWebhook(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	named, common := c.endpoint(events.KindCardRestored), c.endpoint()
	fox := c.create(`{"identification":{"title":"Ember Fox","set":"Dawn of Cinders","number":"54/167"}}`)
	deleted, _ := c.run(`{"kind":"delete","card_ids":["` + fox.ID + `"]}`)
	c.undo(deleted.ID)
	want := map[string]any{
		"card_id": fox.ID, "title": "Ember Fox", "set": "Dawn of Cinders", "number": "54/167",
	}
	if diff := cmp.Diff(want, named.event(t, "card.restored", fox.ID)); diff != "" {
		t.Errorf("data of card.restored (-want +got):\n%s", diff)
	}
	c.do("PATCH", "/cards/"+fox.ID, `{"pricing":{"asking_price":{"amount":100,"currency":"USD"}}}`).
		want(t, http.StatusOK, nil)
	common.event(t, "card.priced", fox.ID) // which is sent after it
	for _, kinds := range [][]string{named.kinds(), common.kinds()} {
		if restored := slices.Contains(kinds, "card.restored"); restored != (len(kinds) == 1) {
			t.Errorf("an endpoint got %v, want card.restored at the one that names it, and nothing else there", kinds)
		}
	}
}

// TestJobs_UndoDeleteRefused brings two cards back whose external id and SKU were taken.
func TestJobs_UndoDeleteRefused(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	bodies := []string{`{"external_id":"shop-1"}`, `{"sku":"F-1"}`}
	var ids []string
	for _, body := range bodies {
		ids = append(ids, c.create(body).ID)
	}
	deleted, _ := c.run(`{"kind":"delete","card_ids":["` + strings.Join(ids, `","`) + `"]}`)
	for _, body := range bodies {
		c.create(body)
	}
	undo := c.undo(deleted.ID)
	var list listOf[refusal]
	c.do("GET", "/jobs/"+undo.ID+"/refusals", nil).want(t, http.StatusOK, &list)
	got := map[string]string{}
	for _, r := range list.Data {
		got[r.CardID] = r.Error.Code
	}
	if diff := cmp.Diff(map[string]string{ids[0]: "external_id_taken", ids[1]: "sku_taken"}, got); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
	c.do("GET", "/jobs/"+deleted.ID, nil).want(t, http.StatusOK, &deleted)
	if deleted.UndoneBy != nil || deleted.UndoableUntil == nil {
		t.Errorf("got %+v, want a job that can be undone again", deleted)
	}
}

// TestListings_PublishExpectedCount publishes the cards of a filter only if they are as many as expected.
func TestListings_PublishExpectedCount(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	id := c.ready(t)
	for _, selection := range []string{`"filter":{"status":["photographed","priced"]}`, `"card_ids":["` + id + `"]`} {
		for _, expected := range []string{"0", "2", "500"} {
			c.do("POST", "/listings/publish", `{`+selection+`,"expected_count":`+expected+`}`).
				want(t, http.StatusConflict, nil).refused(t, "unexpected_count")
		}
	}
	var got listOf[itemResult]
	c.do("POST", "/listings/publish", `{"card_ids":["`+id+`"],"expected_count":1}`).want(t, http.StatusOK, &got)
	if codes(got.Data) != "202" {
		t.Errorf("got %s, want the card published", codes(got.Data))
	}
}

// copyOf is a copy of an inventory that is kept as the guide says, one request at a time.
type copyOf struct {
	*client
	cards         map[string]int64
	since         map[string]string // by list, the time of the last item that was read
	list          string            // that is being read
	bound, cursor string            // of the request, the cursor after the first page
}

func newCopy(c *client) *copyOf {
	start := "1970-01-01T00:00:00Z"
	return &copyOf{
		client: c, cards: map[string]int64{}, list: "/cards", bound: start,
		since: map[string]string{"/cards": start, "/deletions": start},
	}
}

// read sends the next request and reports whether it was the last one of a round.
func (c *copyOf) read() (round bool) {
	path := c.list + "?limit=1&updated_since=" + c.bound
	if c.cursor != "" {
		path += "&cursor=" + c.cursor
	}
	var page struct {
		Data []struct {
			ID        string
			Version   int64
			UpdatedAt string `json:"updated_at"`
			CardID    string `json:"card_id"`
			DeletedAt string `json:"deleted_at"`
		}
		NextCursor *string `json:"next_cursor"`
	}
	c.do("GET", path, nil).want(c.t, http.StatusOK, &page)
	for _, item := range page.Data {
		if c.list == "/deletions" {
			delete(c.cards, item.CardID)
		} else {
			c.cards[item.ID] = max(c.cards[item.ID], item.Version)
		}
		c.since[c.list] = item.UpdatedAt + item.DeletedAt // an item has one of them
	}
	if page.NextCursor != nil {
		c.cursor = *page.NextCursor
		return false
	}
	next := map[string]string{"/cards": "/deletions", "/deletions": "/cards"}[c.list]
	c.list, c.bound, c.cursor = next, c.since[next], ""
	return next == "/cards"
}

// TestPolling_EndsWithRestoredCards deletes three cards after some request of a copy and restores them after a later
// one. Whatever the requests between, the copy ends with the cards.
func TestPolling_EndsWithRestoredCards(t *testing.T) {
	t.Parallel()
	s := start(t)
	const requests = 10 // more than a round
	for deleted := range requests {
		t.Run(fmt.Sprint("deleted after ", deleted), func(t *testing.T) {
			t.Parallel()
			for restored := deleted; restored < requests; restored++ {
				c := s.client(t, false)
				ids := []string{c.create(`{}`).ID, c.create(`{}`).ID, c.create(`{}`).ID}
				kept, gone := newCopy(c), job{}
				for n := range requests {
					if n == deleted {
						gone, _ = c.run(`{"kind":"delete","card_ids":["` + strings.Join(ids, `","`) + `"]}`)
					}
					if n == restored {
						c.undo(gone.ID)
					}
					kept.read()
				}
				for !kept.read() { // the round that was begun
				}
				for !kept.read() { // and one after it
				}
				for _, id := range ids {
					if want := int64(c.get(id).Version); kept.cards[id] != want {
						t.Errorf("restored after %d: the copy has version %d, want %d", restored, kept.cards[id], want)
					}
				}
			}
		})
	}
}

// TestDashboardBulk_UndoesDelete deletes cards on the dashboard and brings them back there.
func TestDashboardBulk_UndoesDelete(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	fox := c.create(`{"identification":{"title":"Ember Fox"}}`).ID
	asked := b.get("/cards/bulk?action=delete&all=true&q=fox")
	b.want(asked, http.StatusOK, "You can undo this for 24 hours.", `name="expected_count" value="1"`)
	jobID := b.jobOf(b.post("/cards/bulk", asked.hidden()...))
	c.awaitJob(jobID)
	c.do("GET", "/cards/"+fox, nil).refused(t, "card_not_found")
	b.want(b.get("/jobs/"+jobID), http.StatusOK, "Undo: bring 1 card back")
	undo := b.jobOf(b.post("/jobs/" + jobID + "/undo"))
	c.awaitJob(undo)
	b.want(b.get("/jobs/"+undo), http.StatusOK, "<h1>Bring 1 card back</h1>")
	b.want(b.get("/cards/"+fox), http.StatusOK, "Ember Fox")
}

// TestDashboardBulk_CountChanged sends a form whose number of cards is no longer the one that the page has shown.
func TestDashboardBulk_CountChanged(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	c.create(`{"identification":{"title":"Ember Fox"}}`)
	asked := b.get("/cards/bulk?action=delete&all=true&q=fox")
	c.create(`{"identification":{"title":"Frost Fox"}}`)
	refused := b.post("/cards/bulk", asked.hidden()...)
	b.want(refused, http.StatusConflict, "The number of cards has changed", "<h1>Delete 2 cards</h1>")
	if found := b.get("/jobs"); strings.Contains(found.body, "/jobs/job_") {
		t.Error("a form with another number of cards started a job")
	}
	without := slices.DeleteFunc(slices.Collect(slices.Chunk(asked.hidden(), 2)), func(pair []string) bool {
		return pair[0] == "expected_count"
	})
	b.want(b.post("/cards/bulk", slices.Concat(without...)...), http.StatusConflict, "<h1>Delete 2 cards</h1>")
	if done := c.awaitJob(b.jobOf(b.post("/cards/bulk", refused.hidden()...))); done.Done != 2 {
		t.Errorf("the confirmed form: got %+v, want 2 cards deleted", done)
	}
}

// TestDashboard_BlankFilters opens pages and sends forms with filters that show nothing.
func TestDashboard_BlankFilters(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	made := c.create(`{"identification":{"title":"Ember Fox"}}`).ID
	for _, text := range []string{" ", "\u3000", "\u200b"} {
		q := url.QueryEscape(text)
		for _, path := range []string{
			"/cards?q=" + q, "/cards/bulk?action=delete&all=true&q=" + q, "/listings?card=" + q,
		} {
			got := b.get(path)
			refused := got.StatusCode >= 400 && strings.Contains(got.body, "must not be blank")
			if !refused || strings.Contains(got.body, made) {
				t.Errorf("%s: status %d, want it refused, without the card", path, got.StatusCode)
			}
		}
		got := b.post("/cards/views", "name", "All foxes", "query", "q="+q)
		if got.StatusCode < 400 {
			t.Errorf("a view with the search %q was saved", text)
		}
		form := []string{"action", "delete", "all", "true", "q", text, "expected_count", "1", "key", "a-key-of-a-form"}
		b.want(b.post("/cards/bulk", form...), http.StatusBadRequest, "must not be blank")
	}
	b.want(b.get("/cards?q=&set="), http.StatusOK, "Ember Fox")
	c.do("GET", "/cards/"+made, nil).want(t, http.StatusOK, nil)
}

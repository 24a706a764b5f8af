package e2e

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/users"
)

// waits is why something waits.
type waits struct {
	Since         time.Time
	Reason        string
	Message       string
	NextAttemptAt *time.Time `json:"next_attempt_at"`
}

// waiting returns why a listing or a job waits, or nil.
func (c *client) waiting(path string) *waits {
	c.t.Helper()
	var found struct{ Waiting *waits }
	c.do("GET", path+"/waiting", nil).want(c.t, http.StatusOK, &found)
	return found.Waiting
}

// TestWaiting_Listing publishes a card on a marketplace that is away. The listing says why it waits. Attempts change
// neither the listing nor its ETag, and send no event. The seller sees no word of the error behind it.
func TestWaiting_Listing(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	var away atomic.Bool
	next := s.market.Config.Handler
	s.market.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if away.Load() {
			http.Error(w, "a secret of the proxy", http.StatusBadGateway)
			return
		}
		next.ServeHTTP(w, r)
	})
	away.Store(true)
	cardID := c.ready(t)
	var listing struct{ ID string }
	c.do("POST", "/listings/"+cardID+"/publish", nil).want(t, http.StatusAccepted, &listing)
	path := "/listings/" + listing.ID
	before := c.do("GET", path, nil)
	events := c.do("GET", "/events", nil)
	eventually(t, "the listing says that the marketplace is away", func() bool {
		w := c.waiting(path)
		return w != nil && w.Reason == "marketplace_unavailable"
	})
	w := c.waiting(path)
	if w.NextAttemptAt == nil || !w.NextAttemptAt.After(w.Since) || !strings.Contains(w.Message, "will try again") {
		t.Errorf("got %+v, want a sentence and a next attempt", w)
	}
	after := c.do("GET", path, nil)
	if diff := cmp.Diff(string(before.body), string(after.body)); diff != "" ||
		before.header.Get("ETag") != after.header.Get("ETag") {
		t.Errorf("attempts change the listing, ETag %s, then %s (-before +after):\n%s",
			before.header.Get("ETag"), after.header.Get("ETag"), diff)
	}
	if diff := cmp.Diff(string(events.body), string(c.do("GET", "/events", nil).body)); diff != "" {
		t.Errorf("attempts send events (-before +after):\n%s", diff)
	}
	page := s.browser(t, c.account, users.Member).get(path)
	if !strings.Contains(page.body, w.Message) || strings.Contains(page.body, "a secret of the proxy") {
		t.Errorf("the page of the listing lacks %q, or has the error", w.Message)
	}
	away.Store(false)
}

// TestWaiting_Card imports a card with a photo that its server does not send.
func TestWaiting_Card(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	images := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(images.Close)
	made := c.create(`{"photos":[{"url":"` + images.URL + `/card.jpg","role":"front"}]}`)
	before := c.do("GET", "/cards/"+made.ID, nil)
	var found struct {
		Identification *waits
		Photos         []struct {
			PhotoID string `json:"photo_id"`
			Waiting waits
		}
	}
	eventually(t, "the photo says that its server does not send it", func() bool {
		c.do("GET", "/cards/"+made.ID+"/waiting", nil).want(t, http.StatusOK, &found)
		return len(found.Photos) == 1 && found.Photos[0].Waiting.Reason == "photo_unreachable"
	})
	if found.Photos[0].PhotoID != made.Photos[0].ID || found.Photos[0].Waiting.NextAttemptAt == nil {
		t.Errorf("got %+v, want the photo with its next attempt", found.Photos)
	}
	if id := found.Identification; id == nil || id.Reason != "photo_pending" || id.NextAttemptAt != nil {
		t.Errorf("identification: got %+v, want it to wait for the photo", id)
	}
	after := c.do("GET", "/cards/"+made.ID, nil)
	if diff := cmp.Diff(string(before.body), string(after.body)); diff != "" {
		t.Errorf("attempts change the card (-before +after):\n%s", diff)
	}
	page := s.browser(t, c.account, users.Member).get("/cards/" + made.ID)
	for _, message := range []string{found.Identification.Message, "The server of the photo did not send it."} {
		if !strings.Contains(page.body, message) {
			t.Errorf("the page of the card lacks %q", message)
		}
	}
}

// TestWaiting_Account reads why an import and an export wait. A job that has finished waits for nothing.
func TestWaiting_Account(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	read := func() (found struct {
		Imports []struct {
			ID        string
			CardsLeft int `json:"cards_left"`
			Waiting   waits
		}
		Export *waits
	}) {
		t.Helper()
		c.do("GET", "/account/waiting", nil).want(t, http.StatusOK, &found)
		return found
	}
	if got := read(); len(got.Imports) > 0 || got.Export != nil {
		t.Errorf("an account without imports and exports: %+v", got)
	}
	_, err := s.DB.Exec(t.Context(), `
		INSERT INTO card_imports (account_id, import_id, due_at, wait_reason, last_error)
		VALUES ($1, 'imp_01k5w0q2m7t9c3r5v8x0z1b4d6', now() + interval '1 hour', 'service_problem', 'boom')`, c.account)
	if err == nil {
		_, err = s.DB.Exec(t.Context(), `
			INSERT INTO account_exports (account_id, id, status, part, written, size, attempts, due_at, created_at)
			VALUES ($1, 'exp_01k5w0q2m7t9c3r5v8x0z1b4d6', 'queued', '', 0, 0, 0, now() + interval '1 hour', now())`,
			c.account)
	}
	if err != nil {
		t.Fatal(err)
	}
	got := read()
	if len(got.Imports) != 1 || got.Imports[0].ID != "imp_01k5w0q2m7t9c3r5v8x0z1b4d6" ||
		got.Imports[0].Waiting.Reason != "service_problem" || got.Export == nil || got.Export.Reason != "queued" {
		t.Errorf("got %+v, want the import and the export", got)
	}
	page := s.browser(t, c.account, users.Owner).get("/settings/export")
	if !strings.Contains(page.body, "It waits for its turn.") {
		t.Error("the page of exports does not say why the export waits")
	}
}

// TestWaiting_Job reads why a job waits that no worker takes for an hour. A job that has finished waits for nothing.
func TestWaiting_Job(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	card := c.create(`{"identification":{"title":"Ember Fox"}}`)
	done, _ := c.run(`{"kind":"archive","card_ids":["` + card.ID + `"]}`)
	if w := c.waiting("/jobs/" + done.ID); w != nil {
		t.Errorf("a job that has finished: %+v, want null", w)
	}
	const queued = "job_01k5w0q2m7t9c3r5v8x0z1b4d6"
	_, err := s.DB.Exec(t.Context(), `
		INSERT INTO jobs SELECT (jsonb_populate_record(NULL::jobs, to_jsonb(j) ||
			jsonb_build_object('id', $2::text, 'status', 'queued', 'finished_at', NULL))).*
		FROM jobs AS j WHERE account_id = $1 AND id = $3`, c.account, queued, done.ID)
	if err == nil {
		_, err = s.DB.Exec(t.Context(), `
			INSERT INTO job_work (account_id, job_id, due_at) VALUES ($1, $2, now() + interval '1 hour')`,
			c.account, queued)
	}
	if err != nil {
		t.Fatal(err)
	}
	w := c.waiting("/jobs/" + queued)
	if w == nil || w.Reason != "queued" || w.NextAttemptAt == nil || time.Until(*w.NextAttemptAt) < 50*time.Minute {
		t.Fatalf("got %+v, want the job queued for an hour", w)
	}
	page := s.browser(t, c.account, users.Member).get("/jobs/" + queued)
	if !strings.Contains(page.body, w.Message) || !strings.Contains(page.body, ", next attempt <time") {
		t.Errorf("the page of the job lacks %q or the next attempt", w.Message)
	}
}

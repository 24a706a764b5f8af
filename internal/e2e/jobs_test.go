package e2e

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/openapi"
)

// job is what the tests read of a job.
type job struct {
	ID                   string
	Kind                 string
	Status               string
	Total, Done, Refused int
	Unchanged            int
	FinishedAt           *time.Time `json:"finished_at"`
	UndoableUntil        *time.Time `json:"undoable_until"`
	Undoes               *string
	UndoneBy             *string `json:"undone_by"`
}

// refusal is a card that a job refused.
type refusal struct {
	CardID string `json:"card_id"`
	Error  struct {
		Code   string
		Status int
	}
}

// startJob creates a job.
func (c *client) startJob(body string) (made job) {
	c.t.Helper()
	c.do("POST", "/jobs", body).want(c.t, http.StatusAccepted, &made)
	return made
}

// awaitJob waits until a job is finished and returns it.
func (c *client) awaitJob(id string) (found job) {
	c.t.Helper()
	eventually(c.t, "the job is finished", func() bool {
		c.do("GET", "/jobs/"+id, nil).want(c.t, http.StatusOK, &found)
		return found.Status == "done" || found.Status == "cancelled"
	})
	return found
}

// run creates a job, waits for it and returns the codes of its refusals by card.
func (c *client) run(body string) (job, map[string]string) {
	c.t.Helper()
	done := c.awaitJob(c.startJob(body).ID)
	var list listOf[refusal]
	c.do("GET", "/jobs/"+done.ID+"/refusals?limit=200", nil).want(c.t, http.StatusOK, &list)
	codes := map[string]string{}
	for _, r := range list.Data {
		codes[r.CardID] = r.Error.Code
	}
	return done, codes
}

// TestJobs_DoneCountsWhatChanged repeats jobs whose cards are as they ask already.
func TestJobs_DoneCountsWhatChanged(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	c.create(`{"identification":{"title":"a"},"location":"Box 1"}`)
	c.create(`{"identification":{"title":"b"},"location":"Box 2"}`)
	for _, step := range []struct {
		job             string
		done, unchanged int
	}{
		{`{"kind":"update","filter":{"status":["identified"]},"patch":{"location":"Box 1"}}`, 1, 1},
		{`{"kind":"update","filter":{"status":["identified"]},"patch":{"location":"Box 1"}}`, 0, 2},
		{`{"kind":"archive","filter":{"location":"Box 1"}}`, 2, 0},
		{`{"kind":"archive","filter":{"location":"Box 1"}}`, 0, 2},
	} {
		got, _ := c.run(step.job)
		if got.Done != step.done || got.Unchanged != step.unchanged || got.Total != 2 || got.Refused != 0 {
			t.Errorf("%s: got %+v, want %d done and %d unchanged of 2", step.job, got, step.done, step.unchanged)
		}
	}
}

// TestJobs_Life has a card updated, published, ended, archived and deleted by jobs.
func TestJobs_Life(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	made := c.create(`{"identification":{"title":"x"},"location":"Box 4","external_id":"shop-1"}`).ID
	c.do("PUT", "/cards/"+made+"/photos/front", blank(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	one := `"card_ids":["` + strings.ToUpper(made) + `","` + unknownCard + `"]`
	for _, step := range []struct{ kind, input, status string }{
		{"update", `"filter":{"location":"Box 4"},"patch":{"location":null,"pricing":{"asking_price":{"amount":500,` +
			`"currency":"USD"}}}`, "priced"},
		{"update", `"filter":{"q":"x"},"price_change":{"percent":-12.5,"round_to_99":true}`, "priced"},
		{"publish", `"filter":{"status":["priced"],"min_price":399,"max_price":399,"q":"x"}`, "listed"},
		{"end", one, "priced"},
		{"archive", one, "archived"},
		{"delete", `"filter":{"external_id":"shop-1"}`, ""},
	} {
		done, refused := c.run(`{"kind":"` + step.kind + `",` + step.input + `}`)
		if done.Status != "done" || done.Done != 1 || done.Refused != len(refused) || done.Total != 1+len(refused) {
			t.Fatalf("%s: got %+v with refusals %v, want one card done", step.kind, done, refused)
		}
		if step.status == "" {
			c.do("GET", "/cards/"+made, nil).refused(t, "card_not_found")
			break
		}
		eventually(t, step.kind, func() bool { return c.get(made).WorkflowStatus == step.status })
	}
	var list listOf[job]
	c.do("GET", "/jobs?limit=2", nil).want(t, http.StatusOK, &list)
	if len(list.Data) != 2 || !list.HasMore {
		t.Errorf("jobs: got %+v, want the newest two of six", list)
	}
	c.do("GET", "/jobs?cursor="+*list.NextCursor, nil).want(t, http.StatusOK, &list)
	if len(list.Data) != 4 {
		t.Errorf("jobs: got %d more, want 4", len(list.Data))
	}
	c.do("GET", "/jobs?cursor=AAAA", nil).refused(t, "invalid_cursor")
	c.do("GET", "/jobs/"+list.Data[0].ID+"/refusals?cursor=AAAA", nil).refused(t, "invalid_cursor")
}

// TestJobs_Identify has cards identified, and one refused.
func TestJobs_Identify(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	plain := c.create(`{"identify":false}`).ID
	done, refused := c.run(`{"kind":"identify","card_ids":["` + plain + `"]}`)
	if done.Refused != 1 || refused[plain] != "card_has_no_photo" {
		t.Errorf("got %+v with refusals %v, want card_has_no_photo", done, refused)
	}
	photo := c.do("PUT", "/cards/"+plain+"/photos/front", blank(t), "Content-Type: image/jpeg")
	photo.want(t, http.StatusOK, nil)
	if done, _ := c.run(`{"kind":"identify","filter":{"has_photo":true}}`); done.Done != 1 {
		t.Errorf("got %+v, want the card queued", done)
	}
	eventually(t, "no provider knows the card", func() bool { return c.get(plain).WorkflowStatus == "needs_review" })
}

func TestJobs_Refused(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	ids := `"card_ids":["` + unknownCard + `"]`
	before := s.snapshot(t)
	for body, field := range map[string]string{
		`{"kind":"archive"}`: "card_ids",
		`{"kind":"archive",` + ids + `,"filter":{"q":"x"}}`:                        "card_ids",
		`{"kind":"archive","filter":{}}`:                                           "filter",
		`{"kind":"archive","filter":{"limit":1}}`:                                  "filter.limit",
		`{"kind":"archive","filter":{"updated_since":"2026-01-01T00:00:00Z"}}`:     "filter.updated_since",
		`{"kind":"archive","card_ids":[]}`:                                         "card_ids",
		`{"kind":"archive","card_ids":["x"]}`:                                      "card_ids.0",
		`{"kind":"sell",` + ids + `}`:                                              "kind",
		`{"kind":"update",` + ids + `}`:                                            "patch",
		`{"kind":"delete",` + ids + `,"patch":{}}`:                                 "patch",
		`{"kind":"update",` + ids + `,"patch":{},"price_change":{"percent":1}}`:    "patch",
		`{"kind":"delete",` + ids + `,"price_change":{"percent":1}}`:               "price_change",
		`{"kind":"update",` + ids + `,"price_change":{}}`:                          "price_change.percent",
		`{"kind":"update",` + ids + `,"price_change":{"percent":-99.5}}`:           "price_change.percent",
		`{"kind":"update",` + ids + `,"price_change":{"percent":1,"to":1}}`:        "price_change.to",
		`{"kind":"update",` + ids + `,"price_change":{"percent":1,"of":"cost"}}`:   "price_change.of",
		`{"kind":"update",` + ids + `,"patch":{"location":""}}`:                    "patch.location",
		`{"kind":"update",` + ids + `,"patch":{"metadata":{"":"x"}}}`:              "patch.metadata",
		`{"kind":"end","card_ids":["` + unknownCard + `","` + unknownCard + `"]}`:  "card_ids.1",
		`{"kind":"publish",` + ids + `,"marketplace":"sandbox"}`:                   "marketplace",
		`{"kind":"archive","card_ids":["` + strings.Repeat(unknownCard, 2) + `"]}`: "card_ids.0",
	} {
		got := c.do("POST", "/jobs", body).want(t, http.StatusBadRequest, nil)
		got.refused(t, "invalid_request")
		if !strings.Contains(string(got.body), `"field":"`+field+`"`) {
			t.Errorf("%s: got %s, want the field %s", body, got.body, field)
		}
	}
	s.unchanged(t, before)
}

func TestJobs_Cancel(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	made := c.startJob(`{"kind":"archive","filter":{"q":"x"}}`)
	var got job
	c.do("POST", "/jobs/"+made.ID+"/cancel", nil).want(t, http.StatusOK, &got)
	if got.Status != "cancelled" && got.Status != "done" {
		t.Errorf("got %+v, want a finished job", got)
	}
	c.do("POST", "/jobs/job_01k5w0q2m7t9c3r5v8x0z1b4d6/cancel", nil).refused(t, "job_not_found")
}

// TestJobs_Undo has a job taken back, of the card that still has the job's price.
func TestJobs_Undo(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	var ids []string
	for _, title := range []string{"x", "y"} {
		ids = append(ids, c.create(`{"identification":{"title":"`+title+`"},`+
			`"pricing":{"asking_price":{"amount":500,"currency":"USD"}}}`).ID)
	}
	both := `"card_ids":["` + strings.Join(ids, `","`) + `"]`
	done, _ := c.run(`{"kind":"update",` + both + `,"price_change":{"percent":10}}`)
	if done.UndoableUntil == nil || !done.UndoableUntil.Equal(done.FinishedAt.Add(24*time.Hour)) {
		t.Errorf("got %+v, want a job that can be undone for 24 hours", done)
	}
	change := `{"pricing":{"asking_price":{"amount":600,"currency":"USD"}}}`
	c.do("PATCH", "/cards/"+ids[1], change).want(t, http.StatusOK, nil)
	var undo, again job
	c.do("POST", "/jobs/"+strings.ToUpper(done.ID)+"/undo", nil).want(t, http.StatusAccepted, &undo)
	c.do("POST", "/jobs/"+done.ID+"/undo", nil).want(t, http.StatusAccepted, &again)
	if undo.Kind != "update" || undo.Undoes == nil || *undo.Undoes != done.ID || undo.Total != 2 ||
		again.ID != undo.ID {
		t.Errorf("got %+v, then %+v, want one job that undoes %s", undo, again, done.ID)
	}
	undo = c.awaitJob(undo.ID)
	if undo.Done != 1 || undo.Refused != 1 {
		t.Errorf("got %+v, want one card set back and one refused", undo)
	}
	var list listOf[refusal]
	c.do("GET", "/jobs/"+undo.ID+"/refusals", nil).want(t, http.StatusOK, &list)
	if len(list.Data) != 1 || list.Data[0].CardID != ids[1] || list.Data[0].Error.Code != "version_mismatch" {
		t.Errorf("refusals: got %+v, want version_mismatch of %s", list.Data, ids[1])
	}
	for i, want := range []int64{500, 600} {
		if price := c.get(ids[i]).Pricing.AskingPrice; price == nil || price.Amount != want {
			t.Errorf("card %d: got the price %+v, want %d", i, price, want)
		}
	}
	c.do("GET", "/jobs/"+done.ID, nil).want(t, http.StatusOK, &done)
	if done.UndoneBy == nil || *done.UndoneBy != undo.ID || done.UndoableUntil != nil {
		t.Errorf("got %+v, want it undone by %s", done, undo.ID)
	}
	ended, _ := c.run(`{"kind":"end",` + both + `}`)
	c.do("POST", "/jobs/"+ended.ID+"/undo", nil).refused(t, "job_not_undoable")
	c.do("POST", "/jobs/job_01k5w0q2m7t9c3r5v8x0z1b4d6/undo", nil).refused(t, "job_not_found")
}

// TestJobs_FilterHasParametersOfCards compares the filter of jobs with the query parameters of GET /cards.
func TestJobs_FilterHasParametersOfCards(t *testing.T) {
	t.Parallel()
	spec, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, p := range spec.Paths.Value("/cards").Get.Parameters {
		name := p.Value.Name
		if p.Value.In == "query" && !slices.Contains([]string{"limit", "cursor", "sort", "updated_since"}, name) {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	got := slices.Sorted(maps.Keys(spec.Components.Schemas["JobFilter"].Value.Properties))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("properties of JobFilter (-want +got):\n%s", diff)
	}
}

// TestJobs_Limit fills the account's queue with rows that are not due.
func TestJobs_Limit(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	done, _ := c.run(`{"kind":"archive","card_ids":["` + c.create(`{"notes":"x"}`).ID + `"]}`)
	_, err := s.DB.Exec(t.Context(), `
		INSERT INTO job_work (account_id, job_id, due_at)
		SELECT $1, 'job_' || n, now() + interval '1 day' FROM generate_series(1, 100) AS n`, c.account)
	if err != nil {
		t.Fatal(err)
	}
	body := `{"kind":"archive","card_ids":["` + unknownCard + `"]}`
	c.do("POST", "/jobs", body).want(t, http.StatusConflict, nil).refused(t, "job_limit_reached")
	c.do("POST", "/jobs/"+done.ID+"/undo", nil).want(t, http.StatusConflict, nil).refused(t, "job_limit_reached")
}

// jobPlaces are the places of the contract where a job takes identifiers. It accepts those of others and finds nothing:
// TestJobs_ForeignIdentifiers.
var jobPlaces = map[string]bool{
	"createJob, body card_ids": true, "createJob, body filter.ids": true, "createJob, body filter.batch": true,
	"createJob, body patch.batch_id": true,
}

func TestJobs_ForeignIdentifiers(t *testing.T) {
	t.Parallel()
	s := start(t)
	theirs := s.client(t, false)
	other := theirs.own()
	c := s.client(t, false)
	mine := c.create(`{"notes":"mine"}`).ID
	before := theirs.get(other.card)
	for _, tc := range []struct {
		body, code string
		total      int
	}{
		{`{"kind":"end","card_ids":["` + other.card + `"]}`, "card_not_found", 1},
		{`{"kind":"delete","card_ids":["` + strings.ToUpper(other.card) + `"]}`, "card_not_found", 1},
		{`{"kind":"end","filter":{"ids":["` + other.card + `"]}}`, "", 0},
		{`{"kind":"end","filter":{"batch":"` + other.batch + `"}}`, "", 0},
		{`{"kind":"update","card_ids":["` + mine + `"],"patch":{"batch_id":"` + other.batch + `"}}`,
			"batch_not_found", 1},
	} {
		done, refused := c.run(tc.body)
		if done.Total != tc.total || done.Done != 0 || len(refused) != tc.total {
			t.Errorf("%s: got %+v with refusals %v, want %d refused", tc.body, done, refused, tc.total)
		}
		for _, code := range refused {
			if code != tc.code {
				t.Errorf("%s: got %s, want %s", tc.body, code, tc.code)
			}
		}
	}
	if after := theirs.get(other.card); after.Version != before.Version {
		t.Errorf("the card of the other account changed: %+v", after)
	}
}

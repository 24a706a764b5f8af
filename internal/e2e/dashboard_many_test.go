package e2e

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/demo"
	"github.com/cardvault/cardvault/internal/users"
)

// hidden returns the hidden fields of a page's forms as pairs of names and values.
func (p page) hidden() (pairs []string) {
	field := regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]*)">`)
	for _, found := range field.FindAllStringSubmatch(p.body, -1) {
		pairs = append(pairs, found[1], html.UnescapeString(found[2]))
	}
	return pairs
}

// confirm opens the page that confirms an action, and sends its form with more fields.
func (b *browser) confirm(query, title string, more ...string) page {
	b.t.Helper()
	asked := b.get("/cards/bulk?" + query)
	b.want(asked, http.StatusOK, `<button type="submit"`, "<h1>"+title+"</h1>")
	return b.post("/cards/bulk", append(asked.hidden(), more...)...)
}

// jobOf returns the identifier of the job that a response leads to.
func (b *browser) jobOf(p page) string {
	b.t.Helper()
	path := p.Header.Get("Location")
	if p.StatusCode != http.StatusSeeOther || !strings.HasPrefix(path, "/jobs/") {
		b.t.Fatalf("got %d to %q, want a redirect to a job:\n%s", p.StatusCode, path, p.body)
	}
	return strings.TrimPrefix(path, "/jobs/")
}

// TestDashboardBulk_Actions has each action change cards.
func TestDashboardBulk_Actions(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, true)
	b := s.browser(t, c.account, users.Member)
	var batch struct{ ID string }
	c.do("POST", "/batches", `{"name":"Fair"}`).want(t, http.StatusCreated, &batch)
	fox := c.create(`{"identification":{"title":"Ember Fox"},"location":"Box 1"}`).ID
	c.do("PUT", "/cards/"+fox+"/photos/front", blank(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	c.create(`{"identification":{"title":"Jade Owl"},"location":"Box 2"}`)
	b.want(b.get("/cards"), http.StatusOK, "Select all 2 that match",
		`<input type="checkbox" name="ids" value="`+fox+`" form="bulk">`)
	one, all := "ids="+fox+"&action=", "all=true&q=fox&action="
	for _, step := range []struct {
		query, title string
		fields       []string
		check        func(card) bool
	}{
		{all + "price", "Set the asking price of 1 card", []string{"new_price", "5", "new_currency", "USD"},
			func(got card) bool { return got.Pricing.AskingPrice.Amount == 500 }},
		{all + "percent", "Change the asking price of 1 card", []string{"new_percent", "10", "new_rounding", "99"},
			func(got card) bool { return got.Pricing.AskingPrice.Amount == 599 }},
		{one + "location", "Move 1 card to a location", []string{"new_location", "Box 4/1"},
			func(card) bool { return strings.Contains(b.get("/cards?location=Box+4").body, fox) }},
		{one + "batch", "Move 1 card to a batch", []string{"new_batch", batch.ID},
			func(got card) bool { return got.BatchID != nil && *got.BatchID == batch.ID }},
		{one + "condition", "Set the condition of 1 card", []string{"new_condition", "LP"},
			func(card) bool { return strings.Contains(b.get("/cards?condition=LP").body, fox) }},
		{one + "publish", "Publish 1 card", nil, func(got card) bool { return got.WorkflowStatus == "listed" }},
		{one + "end", "End the listings of 1 card", nil, func(got card) bool { return got.WorkflowStatus == "priced" }},
		{one + "identify", "Identify 1 card again", nil,
			func(got card) bool { return *got.Identification.Status != "pending" }},
		{one + "archive", "Archive 1 card", nil, func(got card) bool { return got.WorkflowStatus == "archived" }},
	} {
		job := c.awaitJob(b.jobOf(b.confirm(step.query, step.title, step.fields...)))
		if job.Done != 1 || job.Refused != 0 {
			t.Fatalf("%s: got %+v, want one card changed", step.query, job)
		}
		eventually(t, step.query, func() bool { return step.check(c.get(fox)) })
	}
	c.awaitJob(b.jobOf(b.confirm(one+"delete", "Delete 1 card")))
	c.do("GET", "/cards/"+fox, nil).refused(t, "card_not_found")
	b.want(b.get("/jobs"), http.StatusOK, "Delete 1 card", "Archive 1 card")
}

// TestDashboardBulk_Once sends a form twice.
func TestDashboardBulk_Once(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	made := c.create(`{"identification":{"title":"Ember Fox"}}`).ID
	asked := b.get("/cards/bulk?action=location&ids=" + made)
	form := append(asked.hidden(), "new_location", "Box 4")
	first := b.jobOf(b.post("/cards/bulk", form...))
	if again := b.jobOf(b.post("/cards/bulk", form...)); again != first {
		t.Errorf("the same form started the jobs %s and %s", first, again)
	}
	other := append(asked.hidden(), "new_location", "Box 5") // after going back in the browser
	if again := b.jobOf(b.post("/cards/bulk", other...)); again == first {
		t.Error("a form with another location started no job")
	}
	b.want(b.post("/cards/bulk", "action", "archive", "ids", made), http.StatusUnprocessableEntity,
		"The form is incomplete.")
}

func TestDashboardBulk_Refuses(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	made := c.create(`{"identification":{"title":"<script>alert(1)</script>"}}`).ID
	foreign := other.create(`{"identification":{"title":"Jade Owl"}}`).ID
	var batch struct{ ID string }
	other.do("POST", "/batches", `{"name":"Other"}`).want(t, http.StatusCreated, &batch)
	ids, before := "&ids="+made, s.snapshot(t)

	b.want(b.get("/cards/bulk?action=archive"), http.StatusUnprocessableEntity, "Choose 1 to 200 cards")
	b.want(b.get("/cards/bulk?action=sell"+ids), http.StatusUnprocessableEntity, "choose what to do")
	b.want(b.get("/cards/bulk?action=archive&all=true&status=x"), http.StatusUnprocessableEntity, "must be one of")
	b.want(b.get("/cards/bulk?action=archive&ids="+foreign), http.StatusOK, "None of your cards is selected.")
	shown := b.get("/cards/bulk?action=archive" + ids)
	b.want(shown, http.StatusOK, "&lt;script&gt;alert(1)&lt;/script&gt;")
	if strings.Contains(shown.body, "<script>alert") {
		t.Error("a title is part of the page's markup")
	}
	key := []string{"key", "a-key-of-a-form"}
	post := func(pairs ...string) page { return b.post("/cards/bulk", append(pairs, key...)...) }
	b.want(post("action", "archive"), http.StatusBadRequest, "Choose 1 to 200 cards")
	b.want(post("action", "export", "ids", made), http.StatusBadRequest, "does not change cards")
	b.want(post("action", "archive", "ids", foreign), http.StatusUnprocessableEntity, "None of your cards is selected.")
	b.want(post("action", "batch", "ids", made, "new_batch", batch.ID), http.StatusNotFound, "no batch")
	refused := post("action", "price", "ids", made, "new_price", "12.345", "new_currency", "USD")
	b.want(refused, http.StatusUnprocessableEntity, `value="12.345"`, "must be an amount such as 12.50",
		`aria-describedby="e-new_price"`)
	b.want(post("action", "location", "ids", made, "new_location", "a//b"), http.StatusUnprocessableEntity,
		`id="e-new_location"`, "non-empty segments", `value="a//b"`)
	s.unchanged(t, before)
	stranger := &browser{t, b.base, visitor(nil)}
	stranger.wantRedirect(stranger.get("/jobs"), "/login?next=%2Fjobs")
}

// TestDashboardBulk_PreviewsPrices shows the new prices before they are set.
func TestDashboardBulk_PreviewsPrices(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	made := c.create(`{"pricing":{"asking_price":{"amount":1000,"currency":"USD"}}}`)
	asked := "/cards/bulk?action=percent&ids=" + made.ID
	b.want(b.get(asked), http.StatusOK, "Show the new prices", "$10.00")
	b.want(b.get(asked+"&new_percent=-12.5"), http.StatusOK, "$8.75", `value="-12.5"`)
	b.want(b.get(asked+"&new_percent=-12.5&new_rounding=99"), http.StatusOK, "$8.99", `value="99" selected`)
	for percent, want := range map[string]string{"x": "must be a number", "-100": "must be from -99 to 1000"} {
		b.want(b.get(asked+"&new_percent="+percent), http.StatusUnprocessableEntity, want, `id="e-new_percent"`)
		refused := b.post("/cards/bulk", append(b.get(asked).hidden(), "new_percent", percent)...)
		b.want(refused, http.StatusUnprocessableEntity, want, `id="e-new_percent"`, `value="`+percent+`"`)
	}
	if got := c.get(made.ID); got.Version != made.Version {
		t.Errorf("version: got %d, want %d", got.Version, made.Version)
	}
}

// TestDashboardBulk_PricesFromLookup prices cards by their estimates, after a preview.
func TestDashboardBulk_PricesFromLookup(t *testing.T) {
	t.Parallel()
	s := start(t)
	installDemo(t, s)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	known := c.create(`{"identification":{"title":"` + demo.Drawings()[3].Art.Name + `"}}`)
	priceless := c.create(`{"identification":{"title":"No such card anywhere"}}`).ID
	var estimate struct{ Price struct{ Amount int64 } }
	c.do("POST", "/price-lookup", `{"card_id":"`+known.ID+`"}`).want(t, http.StatusOK, &estimate)
	dollars := func(cents int64) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) }

	asked := "all=true&action=estimate"
	b.want(b.get("/cards/bulk?"+asked), http.StatusOK, "Show the new prices", dollars(estimate.Price.Amount),
		"Neither your sold listings nor the catalogue has a price")
	double := estimate.Price.Amount * 2
	b.want(b.get("/cards/bulk?"+asked+"&new_percent=100"), http.StatusOK, dollars(double))
	b.want(b.get("/cards/bulk?"+asked+"&new_percent=x"), http.StatusUnprocessableEntity, `id="e-new_percent"`)
	if got := c.get(known.ID); got.Version != known.Version {
		t.Errorf("version after the preview: got %d, want %d", got.Version, known.Version)
	}

	job := c.awaitJob(b.jobOf(b.confirm(asked, "Price 2 cards from the look-up", "new_percent", "")))
	if job.Done != 1 || job.Refused != 1 {
		t.Errorf("got %+v, want one card priced and one refused", job)
	}
	if got := c.get(known.ID).Pricing.AskingPrice; got == nil || got.Amount != estimate.Price.Amount {
		t.Errorf("asking price: got %+v, want %d", got, estimate.Price.Amount)
	}
	b.want(b.get("/jobs/"+job.ID), http.StatusOK, priceless, "Neither your sold listings nor the catalogue")
}

func TestDashboardExport(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	fox := c.create(`{"identification":{"title":"Ember Fox, shiny"}}`).ID
	c.create(`{"identification":{"title":"Jade Owl"}}`)
	foreign := other.create(`{"identification":{"title":"Glass Heron"}}`).ID
	b.wantRedirect(b.get("/cards/bulk?action=export&all=true&q=fox"), "/cards/export?all=true&q=fox")
	b.wantRedirect(b.get("/cards/bulk?action=export&ids="+fox), "/cards/export?ids="+fox)
	for query, lines := range map[string]int{
		"all=true": 3, "": 3, "all=true&q=fox": 2, "ids=" + fox: 2, "ids=" + foreign: 1, "status=sold": 1,
	} {
		file := b.get("/cards/export?" + query)
		if got := strings.Count(file.body, "\n"); got != lines || file.StatusCode != http.StatusOK {
			t.Errorf("%s: %d with %d lines, want %d:\n%s", query, file.StatusCode, got, lines, file.body)
		}
		if strings.Contains(file.body, "Heron") {
			t.Errorf("%s: the file has a card of another account", query)
		}
	}
	file := b.get("/cards/export?q=fox")
	b.want(file, http.StatusOK, `"Ember Fox, shiny"`)
	name := regexp.MustCompile(`^attachment; filename="cards-\d{4}-\d\d-\d\d\.csv"$`)
	if got := file.Header.Get("Content-Disposition"); !name.MatchString(got) {
		t.Errorf("Content-Disposition: got %q", got)
	}
	b.want(b.get("/cards/export?status=x"), http.StatusBadRequest, "must be one of")
}

// insertJobs inserts running jobs that no worker takes.
func (s *service) insertJobs(t testing.TB, account string, n int) {
	t.Helper()
	_, err := s.DB.Exec(t.Context(), `
		INSERT INTO jobs (account_id, id, kind, status, total, done, refused, actor_type, actor_id, created_at,
			updated_at)
		SELECT $1, 'job_' || lpad(n::text, 26, '0'), 'archive', 'running', 10, 4, 1, 'user', 'usr_1',
			now() - n * interval '1 second', now() FROM generate_series(1, $2) AS n`, account, n)
	if err != nil {
		t.Fatal(err)
	}
}

// poll reads a page as htmx does.
func (b *browser) poll(path string) *http.Response {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), "GET", b.base+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("HX-Request", "true")
	response, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	response.Body.Close()
	return response
}

func TestDashboardJobs(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	b.want(b.get("/jobs"), http.StatusOK, "There are no jobs")
	s.insertJobs(t, c.account, 51)
	list := b.get("/jobs")
	b.want(list, http.StatusOK, "Archive 10 cards", `rel="next"`)
	next := regexp.MustCompile(`<a href="([^"]*)" rel="next">`).FindStringSubmatch(list.body)
	last := b.get(html.UnescapeString(next[1]))
	if got := strings.Count(last.body, "Archive 10 cards"); got != 1 {
		t.Errorf("%d jobs on the second page, want 1", got)
	}
	b.want(last, http.StatusOK, `<a href="/jobs">First page</a>`)
	b.want(b.get("/jobs?cursor=x"), http.StatusBadRequest, "cursor")

	path := "/jobs/job_" + fmt.Sprintf("%026d", 1)
	b.want(b.get(path), http.StatusOK, "5 of 10 cards", `value="50"`, "Stop", `http-equiv="refresh"`, "hx-get")
	stranger := s.browser(t, other.account, users.Owner)
	stranger.want(stranger.get(path), http.StatusNotFound, "There is no job")
	stranger.want(stranger.post(path+"/cancel"), http.StatusNotFound, "There is no job")
	b.wantRedirect(b.post(path+"/cancel"), path)
	stopped := b.get(path)
	b.want(stopped, http.StatusOK, "cancelled")
	if strings.Contains(stopped.body, "Stop") || strings.Contains(stopped.body, "refresh") {
		t.Error("the page of a cancelled job goes on")
	}
	running := "/jobs/job_" + fmt.Sprintf("%026d", 2)
	for path, want := range map[string]string{path: "true", running: ""} {
		if got := b.poll(path).Header.Get("HX-Refresh"); got != want {
			t.Errorf("%s as htmx reads it: HX-Refresh %q, want %q", path, got, want)
		}
	}
}

// TestDashboardJobs_Undo takes a job back on its page, and then the undo.
func TestDashboardJobs_Undo(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	fox := c.create(`{"identification":{"title":"Ember Fox"},"location":"Box 1"}`).ID
	move := "action=location&ids=" + fox
	b.want(b.get("/cards/bulk?"+move), http.StatusOK, "You can undo this for 24 hours.")
	b.want(b.get("/cards/bulk?action=end&ids="+fox), http.StatusOK, "This cannot be undone.")
	moved := b.jobOf(b.confirm(move, "Move 1 card to a location", "new_location", "Box 2"))
	c.awaitJob(moved)
	path := "/jobs/" + moved
	b.want(b.get(path), http.StatusOK, "Change the location of 1 card", `action="`+path+`/undo"`,
		"Undo: set the location of 1 card back")
	stranger := s.browser(t, other.account, users.Owner)
	stranger.want(stranger.post(path+"/undo"), http.StatusNotFound, "There is no job")
	undo := b.jobOf(b.post(path + "/undo"))
	c.awaitJob(undo)
	if again := b.jobOf(b.post(path + "/undo")); again != undo {
		t.Errorf("a second undo started the job %s", again)
	}
	b.want(b.get("/jobs/"+undo), http.StatusOK, "Set 1 card back", `<a href="`+path+`">an earlier job</a>`,
		"Undo: change 1 card again")
	undone := b.get(path)
	b.want(undone, http.StatusOK, `<a href="/jobs/`+undo+`">a later job</a>`)
	if strings.Contains(undone.body, path+"/undo") {
		t.Error("the page offers to undo the job twice")
	}
	b.want(b.get("/cards?location=Box+1"), http.StatusOK, fox)
}

// TestDashboardJobs_Refusals shows why cards were refused, with links to those that exist.
func TestDashboardJobs_Refusals(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	plain := c.create(`{"identification":{"title":"<b>Fox</b>"},"identify":false}`).ID
	job := c.awaitJob(c.startJob(`{"kind":"identify","card_ids":["` + plain + `","` + unknownCard + `"]}`).ID)
	b.want(b.get("/jobs/"+job.ID), http.StatusOK, "2 of 2 cards",
		`<a href="/cards/`+plain+`">&lt;b&gt;Fox&lt;/b&gt;</a>`, "<code>"+unknownCard+"</code>",
		"There is no card with this identifier")
}

// TestDashboardViews follows the saved views.
func TestDashboardViews(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	c.create(`{"identification":{"title":"Ember Fox"},"pricing":{"asking_price":{"amount":500,"currency":"USD"}}}`)
	c.create(`{"identification":{"title":"Jade Owl"}}`)
	shown := b.get("/cards")
	view := regexp.MustCompile(`<a href="([^"]*)">Priced, not listed</a>`).FindStringSubmatch(shown.body)
	if view == nil {
		t.Fatalf("the page has no link to the saved view:\n%s", shown.body)
	}
	address := html.UnescapeString(view[1])
	priced := b.get(address)
	b.want(priced, http.StatusOK, "Ember Fox", `aria-current="true">Priced, not listed</a>`,
		`<option value="priced,photographed" selected>priced, photographed</option>`)
	if strings.Contains(priced.body, "Jade Owl") {
		t.Error("the view shows a card without a price")
	}
	query, _ := url.Parse(address)
	b.want(b.get("/cards/bulk?action=archive&all=true&"+query.RawQuery), http.StatusOK, "Archive 1 card")
}

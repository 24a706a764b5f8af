package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/users"
)

// uploadCSV sends a CSV file with the fields of the form.
func (b *browser) uploadCSV(name, content string, fields ...string) page {
	b.t.Helper()
	return b.sendFile("/import/csv", "file", name, []byte(content), fields...)
}

func TestDashboardImport_File(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	b.want(b.get("/import"), http.StatusOK, "Check the file", "Import photos")
	b.wantRedirect(b.get("/import/csv"), "/import")
	known := c.create(`{"identification":{"title":"Jade Owl"},"sku":"S-1"}`).ID
	content := "Name,Condition,Price,SKU,Mood\n<b>Ember</b>,NM,12.50,,calm\nJade Owl,LP,3,S-1,wild\nGlass Heron,,,,\n"
	b.wantRedirect(b.uploadCSV("my cards.csv", content,
		"file_match", "sku", "file_batch", "Fair", "file_currency", "eur"), "/import/csv")
	waiting := b.get("/import/csv")
	b.want(waiting, http.StatusOK, "Import my cards.csv", "<dt>New cards</dt><dd>2</dd>",
		"<dt>Cards to update</dt><dd>1</dd>", `Name<span class="field">→ title</span>`,
		`Mood<span class="field">not imported</span>`, "<td>&lt;b&gt;Ember&lt;/b&gt;</td>", "Import 3 cards")
	b.want(b.get("/import"), http.StatusOK, "my cards.csv waits for your confirmation")
	if got := len(b.list(c)); got != 1 {
		t.Fatalf("%d cards before the confirmation, want 1", got)
	}
	form := waiting.hidden()
	b.wantRedirect(b.post("/import/csv/accept", form[:2]...), "/import/csv")
	b.want(b.get("/import/csv"), http.StatusOK, "Done: 3 cards")
	if got := len(b.list(c)); got != 3 {
		t.Errorf("%d cards after the import, want 3", got)
	}
	b.want(b.get("/cards?batch=&q=ember"), http.StatusOK, "€12.50")
	if got := c.get(known); got.Pricing.AskingPrice == nil || got.Pricing.AskingPrice.Amount != 300 {
		t.Errorf("the card with the SKU: got %+v, want it updated", got)
	}
	b.wantRedirect(b.post("/import/csv/accept", form[:2]...), "/import/csv") // a second click
	if got := len(b.list(c)); got != 3 {
		t.Errorf("%d cards after a second confirmation, want 3", got)
	}
}

// list returns the identifiers of the account's cards.
func (b *browser) list(c *client) (ids []string) {
	b.t.Helper()
	var found listOf[card]
	c.do("GET", "/cards?limit=200", nil).want(b.t, http.StatusOK, &found)
	for _, made := range found.Data {
		ids = append(ids, made.ID)
	}
	return ids
}

func TestDashboardImport_FileRefused(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	before := s.snapshot(t)
	shiny := b.uploadCSV("a.csv", "title,condition\nEmber Fox,NM\nJade Owl,<i>shiny</i>\n")
	b.want(shiny, http.StatusUnprocessableEntity, "Nothing was imported", "line 3, condition:",
		"&lt;i&gt;shiny&lt;/i&gt;", "condition<span")
	b.want(b.uploadCSV("a.csv", ""), http.StatusUnprocessableEntity, "the file is empty")
	b.want(b.uploadCSV("a.csv", "title\nx\n", "file_currency", "XYZ", "file_match", "sku"),
		http.StatusUnprocessableEntity, `value="XYZ"`, `id="e-file_currency">must be an upper-case ISO 4217`,
		`<option value="sku" selected>`)
	b.want(b.post("/import/csv", "file", "x"), http.StatusBadRequest, "The form did not arrive whole.")
	b.want(b.post("/import/csv/accept", "import", "imp_1"), http.StatusBadRequest, "does not wait any more")
	s.unchanged(t, before)

	// A file that changes nothing offers nothing, and another one takes its place.
	b.wantRedirect(b.uploadCSV("none.csv", "title,quantity\nx,0\n"), "/import/csv")
	b.want(b.get("/import/csv"), http.StatusOK, "There is nothing to import.")
	b.wantRedirect(b.uploadCSV("first.csv", "title\nx\n"), "/import/csv")
	first := b.get("/import/csv").hidden()[:2]
	b.wantRedirect(b.uploadCSV("second.csv", "title\ny\n"), "/import/csv")
	b.want(b.post("/import/csv/accept", first...), http.StatusBadRequest, "does not wait any more")
	var chunks int
	if err := s.DB.Get(t.Context(), &chunks, `SELECT count(*) FROM card_import_chunks`); err != nil || chunks != 1 {
		t.Errorf("%d staged chunks, %v, want those of the second file", chunks, err)
	}
	second := b.get("/import/csv").hidden()[:2]
	other := s.browser(t, s.client(t, false).account, users.Owner)
	other.want(other.post("/import/csv/accept", second...), http.StatusBadRequest, "does not wait any more")
	b.wantRedirect(b.post("/import/csv/discard", second...), "/import?done=discarded")
	b.want(b.get("/import?done=discarded"), http.StatusOK, "The file is discarded.")
	b.wantRedirect(b.get("/import/csv"), "/import")
	if got := b.list(c); len(got) != 0 {
		t.Errorf("%d cards, want none", len(got))
	}
}

// A file of several chunks is imported by the request and the workers together.
func TestDashboardImport_LargeFile(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := s.browser(t, s.client(t, false).account, users.Member)
	var content strings.Builder
	content.WriteString("title,notes\n")
	for i := range 3000 {
		fmt.Fprintf(&content, "Card %d,%s\n", i, strings.Repeat("n", 200)) // 600 kB: more than a form without files
	}
	b.wantRedirect(b.uploadCSV("large.csv", content.String()), "/import/csv")
	b.wantRedirect(b.post("/import/csv/accept", b.get("/import/csv").hidden()[:2]...), "/import/csv")
	eventually(t, "the import is done", func() bool {
		return strings.Contains(b.get("/import/csv").body, "Done: 3,000 cards")
	})
	b.want(b.get("/cards"), http.StatusOK, "3,000 cards")
}

// A log-out ends the session although an upload of it goes on.
func TestDashboardImport_AfterLogout(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := s.browser(t, s.client(t, false).account, users.Member)
	r, w := io.Pipe()
	form := multipart.NewWriter(w)
	uploaded := make(chan page)
	go func() { uploaded <- b.send("POST", "/import/csv", form.FormDataContentType(), r) }()
	file, err := form.CreateFormFile("file", "a.csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(file, "title\n"+strings.Repeat("Ember Fox\n", 20_000)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "rows are staged", func() bool {
		var staged bool
		err := s.DB.Get(t.Context(), &staged, `SELECT EXISTS (SELECT FROM card_import_chunks)`)
		return err == nil && staged
	})
	b.wantRedirect(b.post("/logout"), "/login")
	if err := errors.Join(form.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	b.wantRedirect(<-uploaded, "/login")
	var sessions int
	if err := s.DB.Get(t.Context(), &sessions, `SELECT count(*) FROM user_sessions`); err != nil || sessions != 0 {
		t.Errorf("%d sessions, %v, want none", sessions, err)
	}
}

// scanned is what a script gets for a part of its photos.
type scanned struct {
	Files  []string
	CardID string `json:"card_id"`
	Error  string
}

// script sends photos as the script of the page does.
func (b *browser) script(form []byte) (status int, results []scanned, message string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), "POST", b.base+"/import/photos", bytes.NewReader(form))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", strings.TrimPrefix(formMedia, "Content-Type: "))
	r.Header.Set("Accept", "application/json")
	response, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	var failed struct{ Error string }
	var into any = &results
	if response.StatusCode != http.StatusOK {
		into = &failed
	}
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		b.t.Fatal(err)
	}
	return response.StatusCode, results, failed.Error
}

func TestDashboardImport_Photos(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	var batch struct{ ID string }
	c.do("POST", "/batches", `{"name":"Phone"}`).want(t, http.StatusCreated, &batch)
	key := regexp.MustCompile(`name="key" value="(\w+)"`).FindStringSubmatch(b.get("/import").body)[1]
	photo := blank(t)
	form := scanForm(t, []file{{"<b>fox-front.jpg", photo}, {"<b>fox-back.jpg", photo}, {"owl.jpg", photo[:1000]}},
		"key", key, "pairing", "name", "batch", batch.ID, "location", "Box 4", "condition", "NM", "game", "pokemon")
	media := strings.TrimPrefix(formMedia, "Content-Type: ")
	for range 2 { // the second time as a reload of the page sends it
		b.wantRedirect(b.send("POST", "/import/photos", media, bytes.NewReader(form)), "/import/photos")
	}
	b.want(b.get("/import/photos"), http.StatusOK, "&lt;b&gt;fox-front.jpg, &lt;b&gt;fox-back.jpg",
		"the photo is not a complete image/jpeg image", "the new card")
	ids := b.list(c)
	if len(ids) != 1 {
		t.Fatalf("%d cards, want 1", len(ids))
	}
	made := c.get(ids[0])
	if *made.BatchID != batch.ID || len(made.Photos) != 2 {
		t.Errorf("got %+v, want a card with two photos in the batch", made)
	}
	b.want(b.get("/cards?location=Box+4&condition=NM&game=pokemon"), http.StatusOK, made.ID)

	status, results, _ := b.script(form)
	want := []scanned{
		{Files: []string{"<b>fox-front.jpg", "<b>fox-back.jpg"}, CardID: made.ID},
		{Files: []string{"owl.jpg"}, Error: "the photo is not a complete image/jpeg image: the file ends too early"},
	}
	if diff := cmp.Diff(want, results); diff != "" || status != http.StatusOK {
		t.Errorf("status %d, results (-want +got):\n%s", status, diff)
	}
	if got := b.list(c); len(got) != 1 {
		t.Errorf("%d cards after the form was sent again, want 1", len(got))
	}
}

func TestDashboardImport_PhotosRefused(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	b.wantRedirect(b.get("/import/photos"), "/import")
	var foreign, complete struct{ ID string }
	other.do("POST", "/batches", `{"name":"Other"}`).want(t, http.StatusCreated, &foreign)
	c.do("POST", "/batches", `{"name":"Complete"}`).want(t, http.StatusCreated, &complete)
	c.do("POST", "/batches/"+complete.ID+"/complete", nil).want(t, http.StatusOK, nil)
	before, files := s.snapshot(t), s.photoFiles(t)
	photo := file{"a.jpg", blank(t)}
	for name, tc := range map[string]struct {
		photos int
		fields []string
		status int
		want   string
	}{
		"no photos":       {0, []string{"pairing", "none"}, http.StatusUnprocessableEntity, "Choose 1 to 20 photos."},
		"21 photos":       {21, []string{"pairing", "none"}, http.StatusUnprocessableEntity, "You chose 21."},
		"6 of many cards": {6, []string{"pairing", "many"}, http.StatusUnprocessableEntity, "Choose 1 to 5 photos."},
		"no pairing":      {1, nil, http.StatusUnprocessableEntity, "Choose what the photos show."},
		"odd number":      {1, []string{"pairing", "order"}, http.StatusUnprocessableEntity, "must be an even number"},
		"wrong location":  {1, []string{"pairing", "none", "location", "/"}, http.StatusUnprocessableEntity, "must be"},
		"foreign batch":   {1, []string{"pairing", "none", "batch", foreign.ID}, http.StatusNotFound, "no batch"},
		"complete batch":  {1, []string{"pairing", "none", "batch", complete.ID}, http.StatusConflict, "is complete"},
		"wrong condition": {1, []string{"pairing", "none", "condition", "A"}, http.StatusUnprocessableEntity, "one of"},
	} {
		t.Run(name, func(t *testing.T) {
			var photos []file
			for range tc.photos {
				photos = append(photos, photo)
			}
			form := scanForm(t, photos, append(tc.fields, "key", "key-of-the-page")...)
			media := strings.TrimPrefix(formMedia, "Content-Type: ")
			b.want(b.send("POST", "/import/photos", media, bytes.NewReader(form)), tc.status, tc.want)
			if status, _, message := b.script(form); status != tc.status || !strings.Contains(message, tc.want) {
				t.Errorf("to a script: got %d %q, want %d with %q", status, message, tc.status, tc.want)
			}
		})
	}
	form := scanForm(t, []file{photo}, "pairing", "none")
	if status, _, message := b.script(form); status != http.StatusUnprocessableEntity ||
		!strings.Contains(message, "The form is incomplete.") {
		t.Errorf("without a key: got %d %q", status, message)
	}
	s.unchanged(t, before)
	if got := s.photoFiles(t); got != files {
		t.Errorf("%s photos are stored, want %s", got, files)
	}
	b.want(b.post("/import/photos", "pairing", "none"), http.StatusUnprocessableEntity, "did not arrive whole")
}

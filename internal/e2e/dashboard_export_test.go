package e2e

import (
	"archive/zip"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/exports"
	"github.com/cardvault/cardvault/internal/users"
)

// export makes an archive of everything that the account has, and waits until it can be downloaded.
func (s *service) export(t testing.TB, account string) exports.Export {
	t.Helper()
	made, err := s.parts.Exports.Request(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the archive is ready", func() bool {
		list, err := s.parts.Exports.List(t.Context(), account)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e.ID == made.ID {
				made = e
			}
		}
		return made.Status == exports.Ready
	})
	return made
}

var archiveLink = regexp.MustCompile(`href="(/settings/export/exp_\w+)"`)

func TestDashboard_Export(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	c.own()
	gone := c.create(`{"identification":{"title":"<script>alert(1)</script>"}}`)
	c.do("DELETE", "/cards/"+gone.ID, nil).want(t, http.StatusNoContent, nil)
	c.create(`{"identification":{"title":"<script>alert(1)</script>"}}`)
	if err := s.Views.Save(t.Context(), c.account, "Foxes", "q=fox"); err != nil {
		t.Fatal(err)
	}
	c.do("PATCH", "/cards/"+c.create(`{}`).ID, `{"location":"Box 4"}`).want(t, http.StatusOK, nil)
	var hook struct{ Secret string }
	c.do("POST", "/webhooks", `{"url":"http://127.0.0.1:9999/a"}`).want(t, http.StatusCreated, &hook)
	b := s.browser(t, c.account, users.Owner)
	b.want(b.get("/settings"), http.StatusOK, `href="/settings/export"`)
	b.want(b.get("/settings/export"), http.StatusOK, "There is no archive")
	b.wantRedirect(b.post("/settings/export"), "/settings/export")
	var link string
	eventually(t, "the archive can be downloaded", func() bool {
		p := b.get("/settings/export")
		b.want(p, http.StatusOK, "Kept until")
		found := archiveLink.FindStringSubmatch(p.body)
		if found == nil {
			return false
		}
		link = found[1]
		return true
	})
	got := b.get(link)
	b.want(got, http.StatusOK)
	for name, want := range map[string]string{"Content-Type": "application/zip", "Accept-Ranges": "bytes"} {
		if value := got.Header.Get(name); value != want {
			t.Errorf("%s: got %q, want %q", name, value, want)
		}
	}
	if name := got.Header.Get("Content-Disposition"); !strings.HasPrefix(name, `attachment; filename="cardvault-20`) ||
		got.ContentLength != int64(len(got.body)) {
		t.Errorf("got %q with the length %d of %d", name, got.ContentLength, len(got.body))
	}
	files := unzip(t, got.body)
	for name, text := range files {
		if strings.Contains(text, hook.Secret) {
			t.Errorf("%s has the secret of a webhook", name)
		}
	}
	c.wantExported(files)
	part := b.part(link, "bytes=10-19")
	if part.StatusCode != http.StatusPartialContent || part.body != got.body[10:20] {
		t.Errorf("a range: got %d with %d bytes", part.StatusCode, len(part.body))
	}
	b.want(b.get("/settings/audit"), http.StatusOK, "asked for an export: everything")

	eve := s.browser(t, s.client(t, false).account, users.Owner)
	eve.want(eve.get(link), http.StatusNotFound)
	member := s.browser(t, c.account, users.Member)
	member.want(member.get(link), http.StatusForbidden)
	member.want(member.post("/settings/export"), http.StatusForbidden)
}

// part gets a part of a file.
func (b *browser) part(path, bytes string) page {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.base+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Range", bytes)
	response, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return page{response, string(text)}
}

// unzip returns the contents of the files of an archive by name.
func unzip(t testing.TB, archive string) map[string]string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// wantExported checks that an archive has the objects that the lists of the API return, the photos, and no secret.
func (c *client) wantExported(files map[string]string) {
	c.t.Helper()
	for name, path := range map[string]string{
		"cards.jsonl": "/cards", "batches.jsonl": "/batches", "listings.jsonl": "/listings", "sales.jsonl": "/sales",
		"deletions.jsonl": "/deletions", "events.jsonl": "/events", "webhooks.jsonl": "/webhooks",
	} {
		var want listOf[any]
		c.do("GET", path, nil).want(c.t, http.StatusOK, &want)
		var got []any
		for line := range strings.Lines(files[name]) {
			var object any
			if err := json.Unmarshal([]byte(line), &object); err != nil {
				c.t.Errorf("%s: %v in %s", name, err, line)
			}
			got = append(got, object)
		}
		if diff := cmp.Diff(want.Data, got); diff != "" || len(got) == 0 {
			c.t.Errorf("%s (-list of the API +file):\n%s", name, diff)
		}
		delete(files, name)
	}
	c.wantStock(files["stock.jsonl"])
	delete(files, "stock.jsonl")
	c.wantHistory(files["history.jsonl"])
	delete(files, "history.jsonl")
	for name, part := range map[string]string{
		"account.json": `"id":"` + c.account + `"`, "users.jsonl": `"email":"owner-` + c.account + `@example.com"`,
		"views.jsonl": `"query":"q=fox"`, "cards.csv": "<script>alert(1)</script>", "README.txt": "cards.jsonl",
	} {
		if !strings.Contains(files[name], part) {
			c.t.Errorf("%s lacks %q:\n%s", name, part, files[name])
		}
		if strings.Contains(files[name], "argon2") {
			c.t.Errorf("%s has the hash of a password", name)
		}
		delete(files, name)
	}
	if len(files) != 1 {
		c.t.Errorf("the archive has %d other files, want the photo of one card", len(files))
	}
	for name, image := range files {
		if !strings.HasPrefix(name, "photos/card_") || !strings.HasSuffix(name, "-front.jpg") || len(image) < 1000 {
			c.t.Errorf("%s has %d bytes, want the photo of a card's front", name, len(image))
		}
	}
}

// wantStock checks that a file has the days of the report of the stock, newest first.
func (c *client) wantStock(file string) {
	c.t.Helper()
	var want struct{ Data []any }
	c.do("GET", "/reports/stock?days=731", nil).want(c.t, http.StatusOK, &want)
	slices.Reverse(want.Data)
	var got []any
	for line := range strings.Lines(file) {
		var day any
		if err := json.Unmarshal([]byte(line), &day); err != nil {
			c.t.Fatalf("stock.jsonl: %v in %s", err, line)
		}
		got = append(got, day)
	}
	if diff := cmp.Diff(want.Data, got); diff != "" || len(got) == 0 {
		c.t.Errorf("stock.jsonl (-report of the API +file):\n%s", diff)
	}
}

// wantHistory checks that a file has the history of each card as the API returns it, newest first.
func (c *client) wantHistory(file string) {
	c.t.Helper()
	got, want, last := map[string][]any{}, map[string][]any{}, ""
	for line := range strings.Lines(file) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			c.t.Fatalf("history.jsonl: %v in %s", err, line)
		}
		card, at := entry["card_id"].(string), entry["at"].(string)
		if last != "" && at > last {
			c.t.Errorf("history.jsonl has %s after %s, want the newest first", at, last)
		}
		delete(entry, "card_id")
		got[card], last = append(got[card], entry), at
	}
	var cards listOf[struct{ ID string }]
	c.do("GET", "/cards", nil).want(c.t, http.StatusOK, &cards)
	for _, card := range cards.Data {
		var history listOf[any]
		c.do("GET", "/cards/"+card.ID+"/history", nil).want(c.t, http.StatusOK, &history)
		want[card.ID] = history.Data
	}
	if diff := cmp.Diff(want, got); diff != "" {
		c.t.Errorf("history.jsonl (-histories of the API +file):\n%s", diff)
	}
}

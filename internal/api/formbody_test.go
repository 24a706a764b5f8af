package api_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/api/form"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const (
	formBoundary = "a-boundary"
	formMedia    = "multipart/form-data; boundary=" + formBoundary
)

// formOf returns a form of pairs of fields and contents. A field with a slash is a file: "photos/a.jpg".
func formOf(pairs ...string) string {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if err := w.SetBoundary(formBoundary); err != nil {
		panic(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		field, file, isFile := strings.Cut(pairs[i], "/")
		create := func() (io.Writer, error) { return w.CreateFormField(field) }
		if isFile {
			create = func() (io.Writer, error) { return w.CreateFormFile(field, file) }
		}
		content, err := create()
		if err != nil {
			panic(err)
		}
		io.WriteString(content, pairs[i+1])
	}
	w.Close()
	return body.String()
}

// scanned is what the handler of POST /cards/scan received.
type scanned struct {
	body  server.ScanInput
	files []string // "name: content"
	calls atomic.Int32
}

// scanning returns handlers of which that of POST /cards/scan stores what it receives in got.
func scanning(got *scanned) *handlers {
	return &handlers{scanCards: func(
		ctx context.Context, r server.ScanCardsRequestObject,
	) (server.ScanCardsResponseObject, error) {
		got.calls.Add(1)
		got.body = *r.Body
		for _, file := range form.From(ctx).Files {
			content, err := io.ReadAll(file)
			if err != nil {
				return nil, err
			}
			got.files = append(got.files, fmt.Sprintf("%s: %s", file.Name, content))
		}
		return server.ScanCards200JSONResponse{Data: []server.ScanResult{}}, nil
	}}
}

// scan returns a request with a form.
func scan(body string, headers ...string) *http.Request {
	return request("POST", "/api/cards/scan", body, append([]string{"Content-Type", formMedia}, headers...)...)
}

func TestForm_PassesFieldsAndFiles(t *testing.T) {
	t.Parallel()
	var got scanned
	s := setup(t, scanning(&got))
	large := strings.Repeat("photo", 100_000)
	resp, body := s.do(t, scan(formOf("photos/a.jpg", large, "pairing", "order", "location", "Füchse 🦊/2",
		"photos/b.jpg", "", "batch_id", batchID, "condition", "NM", "game", "pokemon")))
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", resp.StatusCode, body)
	}
	pairing, condition, game := server.ScanPairingOrder, server.NM, server.Pokemon
	location, batch := "Füchse 🦊/2", batchID
	want := server.ScanInput{
		Pairing: &pairing, Location: &location, BatchID: &batch, Condition: &condition, Game: &game,
	}
	if diff := cmp.Diff(want, got.body); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a.jpg: " + large, "b.jpg: "}, got.files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestForm_InvalidFields(t *testing.T) {
	t.Parallel()
	var got scanned
	s := setup(t, scanning(&got))
	var many []string
	for range 21 {
		many = append(many, "photos/a.jpg", "x")
	}
	photo := func(pairs ...string) string { return formOf(append([]string{"photos/a.jpg", "x"}, pairs...)...) }
	long := strings.Repeat("🦊", 256)
	for name, c := range map[string]struct{ body, message string }{
		"no photos":        {formOf("game", "magic"), "photos: is required"},
		"21 photos":        {formOf(many...), "photos: must have at most 20 items"},
		"a text":           {photo("photos", "x"), "photos.1: must be a file with a name"},
		"a long file name": {formOf("photos/"+long, "x"), "photos.0: must have a file name of at most 255 characters"},
		"not UTF-8":        {photo("photos/\xff.jpg", "x"), "photos.1: must have a file name in UTF-8"},
		"unknown field":    {photo("colour", "red"), "colour: is not a field that this address takes"},
		"unknown file":     {photo("picture/b.jpg", "x"), "picture: is not a field that this address takes"},
		"twice":            {photo("game", "magic", "game", "magic"), "game: must be given once"},
		"empty":            {photo("game", ""), "game: must be one of pokemon, magic"},
		"wrong pairing":    {photo("pairing", "colour"), "pairing: must be one of none, order, name"},
		"wrong batch":      {photo("batch_id", cardID), "batch_id: must be a batch identifier"},
		"wrong location":   {photo("location", "a//b"), "location: must be 1 to 5"},
		"long location":    {photo("location", long), "location: must have at most 200 characters"},
		"NUL":              {photo("location", "a\x00b"), "location: must be UTF-8 without NUL"},
		"two errors":       {photo("location", "a//b", "game", "chess"), "game: must be one of"},
		"not complete":     {photo()[:100], "body: is not a complete form"},
		"no form":          {"{}", "body: is not a complete form"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resp, body := s.do(t, scan(c.body))
			if resp.StatusCode != http.StatusBadRequest || !strings.Contains(body, c.message) {
				t.Errorf("got %d %s, want 400 with %q", resp.StatusCode, body, c.message)
			}
		})
	}
	t.Cleanup(func() {
		if calls := got.calls.Load(); calls != 0 {
			t.Errorf("the handler was called %d times", calls)
		}
	})
}

func TestForm_RefusedByHeaders(t *testing.T) {
	t.Parallel()
	s := setup(t, scanning(new(scanned)))
	large := scan("x")
	large.ContentLength = 20*(15<<20) + 1<<20
	unknown := scan("x", "Content-Type", "image/jpeg")
	unknown.ContentLength = -1
	for name, c := range map[string]struct {
		r    *http.Request
		code fault.Code
	}{
		"too large":             {large, fault.PayloadTooLarge},
		"JSON":                  {scan("{}", "Content-Type", "application/json"), fault.UnsupportedMediaType},
		"a picture in chunks":   {unknown, fault.UnsupportedMediaType},
		"another character set": {scan("x", "Content-Type", formMedia+"; charset=latin1"), fault.UnsupportedMediaType},
		"compressed":            {scan("x", "Content-Encoding", "gzip"), fault.UnsupportedMediaType},
		"no boundary":           {scan("x", "Content-Type", form.MediaType), fault.InvalidRequest},
		"no body":               {scan(""), fault.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if resp, body := s.do(t, c.r); !strings.Contains(body, `"code":"`+string(c.code)+`"`) {
				t.Errorf("got %d %s, want %s", resp.StatusCode, body, c.code)
			}
		})
	}
}

// A client that repeats a request chooses another boundary.
func TestForm_IdempotencyKeyIgnoresBoundary(t *testing.T) {
	t.Parallel()
	var got scanned
	store := idempotency.New(pgtest.New(t))
	s := setup(t, scanning(&got), func(c *api.Config) { c.Idempotency = store })
	const other = "another-boundary"
	first := formOf("photos/a.jpg", "x", "game", "magic")
	repeated := strings.ReplaceAll(first, formBoundary, other)
	for _, r := range []*http.Request{
		scan(first, "Idempotency-Key", "k"),
		scan(repeated, "Idempotency-Key", "k", "Content-Type", "multipart/form-data; boundary="+other),
	} {
		if resp, body := s.do(t, r); resp.StatusCode != http.StatusOK {
			t.Errorf("%d %s", resp.StatusCode, body)
		}
	}
	if calls := got.calls.Load(); calls != 1 {
		t.Errorf("the handler was called %d times, want once", calls)
	}
	for _, changed := range []string{formOf("photos/a.jpg", "y", "game", "magic"), formOf("photos/b.jpg", "x")} {
		resp, body := s.do(t, scan(changed, "Idempotency-Key", "k"))
		if resp.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("another form: %d %s, want 422", resp.StatusCode, body)
		}
	}
}

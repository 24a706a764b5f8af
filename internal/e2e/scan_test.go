package e2e

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// formMedia is the media type of all forms of the tests.
const formMedia = "Content-Type: multipart/form-data; boundary=a-boundary"

// file is a file of a form.
type file struct {
	name    string
	content []byte
}

// scanForm returns the form of a scan. fields are pairs of names and values.
func scanForm(t testing.TB, photos []file, fields ...string) []byte {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if err := w.SetBoundary("a-boundary"); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		if err := w.WriteField(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	for _, photo := range photos {
		content, err := w.CreateFormFile("photos", photo.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(content, bytes.NewReader(photo.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return body.Bytes()
}

// scanResult is an item of the response to POST /cards/scan.
type scanResult struct {
	Files  []string
	Status string
	Card   *card
	Error  *struct{ Code, Message string }
}

// describe returns the files of a result with the roles of the card's photos, or with the error.
func (r scanResult) describe() string {
	text := strings.Join(r.Files, "+") + ": " + r.Status
	if r.Error != nil {
		return text + " " + r.Error.Code + " " + r.Error.Message
	}
	for _, photo := range r.Card.Photos {
		text += " " + photo.Role
	}
	return text
}

// scan sends a form and returns the results.
func (c *client) scan(form []byte, headers ...string) []scanResult {
	c.t.Helper()
	var got listOf[scanResult]
	c.do("POST", "/cards/scan", form, append(headers, formMedia)...).want(c.t, http.StatusOK, &got)
	return got.Data
}

// TestScan_PhonePhotos turns 60 photos into 30 cards with 3 requests. The first card of each request can be identified.
func TestScan_PhonePhotos(t *testing.T) {
	t.Parallel()
	s := start(t)
	installDemo(t, s)
	c := s.client(t, false)
	var batch struct{ ID string }
	c.do("POST", "/batches", `{"name":"Phone"}`).want(t, http.StatusCreated, &batch)
	plain, fronts := blank(t), [][]byte{phonePhoto(t, 1), phonePhoto(t, 2), phonePhoto(t, 3)}
	cards := map[string]bool{}
	for request, front := range fronts {
		photos := []file{{"IMG_0001.JPG", front}}
		for len(photos) < 20 {
			photos = append(photos, file{fmt.Sprintf("IMG_%04d.JPG", len(photos)+1), plain})
		}
		form := scanForm(t, photos, "pairing", "order", "batch_id", batch.ID, "location", "Box 4", "game", "other")
		key := fmt.Sprintf("Idempotency-Key: phone-%d", request)
		results := c.scan(form, key)
		for i, r := range results {
			want := fmt.Sprintf("IMG_%04d.JPG+IMG_%04d.JPG: created front back", 2*i+1, 2*i+2)
			if got := r.describe(); got != want {
				t.Fatalf("request %d: got %s, want %s", request, got, want)
			}
			if status := *r.Card.Identification.Status; status != "pending" || *r.Card.BatchID != batch.ID {
				t.Errorf("the card is %s in batch %s, want it pending in %s", status, *r.Card.BatchID, batch.ID)
			}
			cards[r.Card.ID] = true
		}
		if again := c.scan(form, key); len(again) != 10 || again[9].Card.ID != results[9].Card.ID {
			t.Errorf("the repeated request got %d cards, want the same 10", len(again))
		}
	}
	if len(cards) != 30 {
		t.Fatalf("created %d cards, want 30", len(cards))
	}
	c.awaitScanned(30, 3)
	var unidentified listOf[received]
	c.do("GET", "/events?event=identify.failed&limit=200", nil).want(t, http.StatusOK, &unidentified)
	if len(unidentified.Data) != 27 {
		t.Errorf("%d events identify.failed, want 27", len(unidentified.Data))
	}
}

// awaitScanned waits until the account's cards are identified or need review.
func (c *client) awaitScanned(number, identified int) {
	c.t.Helper()
	var found listOf[card]
	eventually(c.t, "all cards are identified or need review", func() bool {
		c.do("GET", "/cards?location=Box%204&limit=200", nil).want(c.t, http.StatusOK, &found)
		return !slices.ContainsFunc(found.Data, func(made card) bool { return made.WorkflowStatus == "imported" })
	})
	named := slices.DeleteFunc(found.Data, func(made card) bool { return made.Title == nil })
	if total := len(found.Data); total != number || len(named) != identified {
		c.t.Errorf("%d cards, of which %d have a title, want %d and %d", total, len(named), number, identified)
	}
}

func TestScan_PairsByName(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	photo := blank(t)
	results := c.scan(scanForm(t, []file{
		{"fox-back.jpg", photo}, {"extra.jpg", photo}, {"Fox-Front.jpg", photo}, {"owl-front.jpg", photo},
	}, "pairing", "name"))
	want := []string{
		"Fox-Front.jpg+fox-back.jpg: created front back", "extra.jpg: created front", "owl-front.jpg: created front",
	}
	var got []string
	for _, r := range results {
		got = append(got, r.describe())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

// TestScan_RefusesBrokenPhotos checks that a photo that is not valid refuses its card only and leaves nothing behind.
func TestScan_RefusesBrokenPhotos(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	good, broken := blank(t), blank(t)[:1000]
	before := s.photoFiles(t)
	results := c.scan(scanForm(t, []file{
		{"a.jpg", good}, {"b.jpg", broken}, {"c.jpg", good}, {"d.jpg", good}, {"e.gif", []byte("GIF89a")},
		{"f.jpg", good},
	}, "pairing", "order"))
	const incomplete = "the photo is not a complete image/jpeg image: the file ends too early"
	const noImage = "the photo must be a JPEG, PNG, WebP, HEIC or AVIF image; this looks like image/gif"
	want := []string{
		"a.jpg+b.jpg: refused photo_invalid photos.1: " + incomplete,
		"c.jpg+d.jpg: created front back",
		"e.gif+f.jpg: refused photo_invalid photos.4: " + noImage,
	}
	var got []string
	for _, r := range results {
		got = append(got, r.describe())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if after := s.photoFiles(t); before != "0" || after != "2" {
		t.Errorf("%s photos before and %s after, want 0 and the 2 of the card", before, after)
	}
	all := c.scan(scanForm(t, []file{{"a.jpg", broken}}))
	if len(all) != 1 || all[0].Status != "refused" || all[0].Card != nil {
		t.Errorf("got %+v, want one refused card", all)
	}
}

// TestScan_Refused sends forms that create nothing.
func TestScan_Refused(t *testing.T) {
	refusals(t, func(c *client, p possessions) []bad {
		photo := file{"a.jpg", blank(t)}
		var complete struct{ ID string }
		c.do("POST", "/batches", `{"name":"Complete"}`).want(t, http.StatusCreated, &complete)
		c.do("POST", "/batches/"+complete.ID+"/complete", nil).want(t, http.StatusOK, nil)
		refuse := func(code, field string, photos int, fields ...string) bad {
			form := scanForm(t, slices.Repeat([]file{photo}, photos), fields...)
			return bad{"POST", "/cards/scan", form, code, field, []string{formMedia}}
		}
		return []bad{
			refuse("invalid_request", "photos", 0),
			refuse("invalid_request", "photos", 21),
			refuse("invalid_request", "photos", 3, "pairing", "order"),
			refuse("invalid_request", "pairing", 2, "pairing", "both"),
			refuse("invalid_request", "hints", 1, "hints", "{}"),
			refuse("invalid_request", "batch_id", 1, "batch_id", p.card),
			refuse("batch_not_found", "", 1, "batch_id", "bat_01k5w0q2m7t9c3r5v8x0z1b4d6"),
			refuse("batch_complete", "", 1, "batch_id", complete.ID),
		}
	})
}

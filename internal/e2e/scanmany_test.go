package e2e

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/users"
)

// binderPage is a photo of 2 × 2 cards of 600 × 840 pixels.
func binderPage(t *testing.T) []byte {
	t.Helper()
	photo := image.NewRGBA(image.Rect(0, 0, 1400, 1900))
	fill := func(r image.Rectangle, c color.Color) {
		draw.Draw(photo, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(photo.Rect, color.Gray{40})
	for i, shade := range []color.RGBA{
		{230, 200, 90, 255}, {200, 220, 240, 255}, {240, 240, 230, 255}, {220, 160, 150, 255},
	} {
		corner := image.Pt(60+i%2*680, 60+i/2*920)
		fill(image.Rectangle{Min: corner, Max: corner.Add(image.Pt(600, 840))}, shade)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, photo, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Each card of a page becomes a card with its cut, once for an Idempotency-Key. A photo of one card stays whole.
func TestScan_ManyCards(t *testing.T) {
	t.Parallel()
	s := start(t, unread)
	c := s.client(t, true)
	files := []file{{"page.jpg", binderPage(t)}, {"single.jpg", blank(t)}, {"none.txt", []byte("no photo")}}
	form := scanForm(t, files, "cards", "many", "location", "Binder 1", "game", "other")
	results := c.scan(form, "Idempotency-Key: page")
	var got []string
	for _, r := range results {
		got = append(got, r.describe())
	}
	want := []string{
		"page.jpg: created front", "page.jpg: created front", "page.jpg: created front", "page.jpg: created front",
		"single.jpg: created front",
	}
	if diff := cmp.Diff(want, got[:min(5, len(got))]); diff != "" || len(got) != 6 {
		t.Fatalf("results (-want +got), of %d:\n%s", len(got), diff)
	}
	if e := results[5].Error; e == nil || e.Code != "photo_invalid" {
		t.Errorf("error of a file that is no photo: got %+v, want photo_invalid", e)
	}
	for _, r := range results[:4] {
		front := r.Card.Photos[0]
		if *front.Width < 590 || *front.Width > 650 || *r.Card.Identification.Status != "pending" {
			t.Errorf("the cut is %d pixels wide and the card is %s, want about 620 and pending",
				*front.Width, *r.Card.Identification.Status)
		}
	}
	if again := c.scan(form, "Idempotency-Key: page"); len(again) != 6 || again[3].Card.ID != results[3].Card.ID {
		t.Errorf("the repeated request got %d results, want the same 6", len(again))
	}
	six := append(append([]file{}, files...), files...)
	c.do("POST", "/cards/scan", scanForm(t, six, "cards", "many"), formMedia).refused(t, "invalid_request")
	pairs := scanForm(t, files[:2], "cards", "many", "pairing", "order")
	c.do("POST", "/cards/scan", pairs, formMedia).refused(t, "invalid_request")
	unknown := scanForm(t, files[:1], "cards", "few")
	c.do("POST", "/cards/scan", unknown, formMedia).refused(t, "invalid_request")
	var total struct{ Total struct{ Count int } }
	c.do("GET", "/cards/summary?group_by=status", nil).want(t, http.StatusOK, &total)
	if total.Total.Count != 5 {
		t.Errorf("the account has %d cards, want 5", total.Total.Count)
	}
}

// unread makes the provider give up at once, because the tests of scans need not read the cards.
func unread(c *config.Config) { c.IdentifyTimeout = time.Millisecond }

func TestDashboardImport_ManyCards(t *testing.T) {
	t.Parallel()
	s := start(t, unread)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Member)
	key := regexp.MustCompile(`name="key" value="(\w+)"`).FindStringSubmatch(b.get("/import").body)[1]
	form := scanForm(t, []file{{"page.jpg", binderPage(t)}}, "key", key, "pairing", "many")
	status, results, message := b.script(form)
	if status != http.StatusOK || len(results) != 4 || results[3].CardID == results[2].CardID {
		t.Fatalf("status %d, results %+v, message %q, want four cards", status, results, message)
	}
}

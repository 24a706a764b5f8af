package ocr

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"slices"
	"testing"

	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// page is an identify.Reader with fixed lines. It counts those that it was asked to read, and keeps the areas.
type page struct {
	lines []ppocr.Line
	// small is a line that only a close look finds.
	small *ppocr.Line
	// outline is the only one on the photo, or nil for none.
	outline *vision.Surveyed
	err     error
	reads   int
	looks   []image.Rectangle
}

func (p *page) Survey(_ context.Context, photo []byte) (vision.Survey, error) {
	header, _, err := image.DecodeConfig(bytes.NewReader(photo))
	if err != nil {
		return vision.Survey{}, err
	}
	survey := vision.Survey{Size: image.Pt(header.Width, header.Height)}
	if p.outline != nil {
		survey.Outlines = append(survey.Outlines, *p.outline)
	}
	return survey, p.err
}

func (p *page) Find(_ context.Context, area vision.Area) ([]ppocr.Line, error) {
	p.looks = append(p.looks, area.Part)
	if len(p.looks) == 2 && p.small != nil {
		p.lines = append(p.lines, *p.small)
	}
	var found []ppocr.Line
	for _, line := range p.lines {
		if area.Part.Empty() || line.Place.Bounds().Overlaps(area.Part) {
			found = append(found, ppocr.Line{Place: line.Place, Box: line.Box})
		}
	}
	return found, p.err
}

func (p *page) Read(_ context.Context, _ vision.Area, asked []ppocr.Line) ([]ppocr.Line, error) {
	p.reads += len(asked)
	read := make([]ppocr.Line, len(asked))
	for i, line := range asked {
		at := slices.IndexFunc(p.lines, func(l ppocr.Line) bool { return l.Box == line.Box })
		read[i] = p.lines[at]
	}
	return read, p.err
}

// with returns the photo with a reader.
func with(reader identify.Reader, photo identify.Photo) identify.Photo {
	photo.View = &identify.View{Reader: reader}
	return photo
}

// surveyed returns an outline with corners in JSON.
func surveyed(t *testing.T, corners string) *vision.Surveyed {
	t.Helper()
	var outline vision.Surveyed
	if err := json.Unmarshal([]byte(`{"Corners":`+corners+`}`), &outline); err != nil {
		t.Fatal(err)
	}
	return &outline
}

// at returns a line at a height of the page.
func at(y int, confidence float64, text string) ppocr.Line {
	return ppocr.Line{Text: text, IsRead: true, Confidence: confidence, Box: image.Rect(-100, y, 100, y+20)}
}

func slakoth(number string, certainty float64) []ppocr.Line {
	return []ppocr.Line{
		at(-500, 1, "BASIC"), at(-498, 1, "Slakoth"), at(-497, 1, "70"), at(-480, 1, "HP"),
		at(0, 1, yawn),
		at(480, 1, "Illus. Shigenori Negishi"), at(490, certainty, number),
	}
}

// A number that was read with certainty and is not that of the card prevents it from being accepted.
func TestRead_Lines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines     []ppocr.Line
		low, high float64
	}{
		"number agrees":                   {slakoth("160/193", 0.99), 0.85, 1},
		"number contradicts":              {slakoth("33/151", 0.99), 0, 0.6},
		"number contradicts, not certain": {slakoth("33/151", 0.7), 0, 0.84},
		"upper case and spaces":           {slakoth("160 / 193", 0.99), 0.85, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := New(cards()[:1], &script{err: errors.New("not to be asked")})
			found, reading, err := provider.Read(t.Context(), with(&page{lines: c.lines}, photo(t)))
			if err != nil || len(found) == 0 || found[0].CatalogID != "sv2-160" {
				t.Fatalf("Read: got %v, %v, want sv2-160", found, err)
			}
			if got := found[0].Confidence; got < c.low || got > c.high {
				t.Errorf("confidence: got %.2f, want %.2f to %.2f", got, c.low, c.high)
			}
			if reading.Name != "Slakoth" || reading.HP != "70" {
				t.Errorf("reading: got %+v, want Slakoth and 70", reading)
			}
		})
	}
}

// If the networks fail, Tesseract reads the photo.
func TestRead_LinesFail(t *testing.T) {
	t.Parallel()
	reader := &script{strips: append(line(0, 40, "BASIC", "Slakoth", "HP", "70"), line(1, 1350, "160/193")...)}
	provider := New(cards(), reader)
	failing := with(&page{err: errors.New("the process ended")}, photo(t))
	found, err := provider.Identify(t.Context(), failing)
	if err != nil || len(found) == 0 || found[0].CatalogID != "sv2-160" {
		t.Errorf("Identify: got %v, %v, want sv2-160", found, err)
	}
	reads := reader.reads
	late := with(&page{err: fmt.Errorf("reading: %w", context.DeadlineExceeded)}, photo(t))
	_, err = provider.Identify(t.Context(), late)
	if !errors.Is(err, context.DeadlineExceeded) || reader.reads != reads {
		t.Errorf("Identify after the networks overran: got %v, want the error, without another reading", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := provider.Identify(ctx, with(&page{err: ctx.Err()}, photo(t))); err == nil || reader.reads != reads {
		t.Errorf("Identify after the end of its context: got %v and another reading, want the error", err)
	}
}

// The body is read only while no card is decided: if the number or the language is not known yet.
func TestRead_StopsWhenDecided(t *testing.T) {
	t.Parallel()
	sentences := []ppocr.Line{at(0, 1, yawn), at(30, 1, yawn), at(60, 1, yawn), at(90, 1, yawn), at(120, 1, yawn)}
	english, number := at(470, 1, "weakness retreat resistance"), at(490, 1, "160/193 PAL Shigenori Negishi")
	for name, c := range map[string]struct {
		foot     []ppocr.Line
		language string // of the catalogue's card
		reads    int
	}{
		"decided by the ends":           {[]ppocr.Line{english, number}, "en", 6},
		"no number":                     {[]ppocr.Line{english}, "en", 10},
		"language not clear":            {[]ppocr.Line{number}, "en", 8},
		"language of the card unknown":  {[]ppocr.Line{number}, "", 8},
		"number of another card":        {[]ppocr.Line{english, at(490, 1, "33/151")}, "en", 11},
		"language of another catalogue": {[]ppocr.Line{english, number}, "de", 11},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := []ppocr.Line{at(-500, 1, "BASIC"), at(-498, 1, "Slakoth"), at(-497, 1, "70"), at(-480, 1, "HP")}
			reader := &page{lines: slices.Concat(head, sentences, c.foot)}
			card := cards()[0]
			card.Language = c.language
			provider := New(shelf{card}, &script{err: errors.New("not to be asked")})
			if _, err := provider.Identify(t.Context(), with(reader, photoOf(t, 315, 440))); err != nil {
				t.Fatal(err)
			}
			if reader.reads != c.reads {
				t.Errorf("lines read: got %d, want %d", reader.reads, c.reads)
			}
		})
	}
}

// Print that is too small for the first look is searched with more pixels where the other text is.
func TestRead_LooksCloser(t *testing.T) {
	t.Parallel()
	// placed returns the lines of a card of 400 × 600 pixels in the photo, without its number.
	placed := func() (lines []ppocr.Line) {
		for _, line := range slakoth("", 1)[:5] {
			line.Place = ppocr.Place{X: 600, Y: float64(1000 + line.Box.Min.Y/2), Width: 400, Height: 20}
			lines = append(lines, line)
		}
		return append(lines, at(440, 1, "weakness retreat resistance"))
	}
	// books returns lines on the backs of books in two corners of the photo.
	books := func() []ppocr.Line {
		left, right := at(-700, 1, "SAPKOWSKI"), at(700, 1, "BAPTISM OF FIRE")
		left.Place = ppocr.Place{X: 100, Y: 100, Width: 100, Height: 20}
		right.Place = ppocr.Place{X: 1900, Y: 1400, Width: 100, Height: 20}
		return []ppocr.Line{left, right}
	}
	number := at(490, 1, "160/193 PAL Shigenori Negishi")
	number.Place = ppocr.Place{X: 600, Y: 1270, Width: 100, Height: 20}
	// inside is a number that is neither in the head nor in the foot, among three longer lines.
	inside, among := number, books()
	inside.Box = image.Rect(-50, 90, 50, 110)
	for y := range 3 {
		sentence := at(120+30*y, 1, yawn)
		sentence.Place = ppocr.Place{X: 600, Y: float64(1060 + 15*y), Width: 400, Height: 20}
		among = append(among, sentence)
	}
	card := surveyed(t, `[[400,740],[800,740],[800,1280],[400,1280]]`)
	book := surveyed(t, `[[0,0],[300,0],[300,400],[0,400]]`)
	for name, c := range map[string]struct {
		width, height int
		small         *ppocr.Line
		others        []ppocr.Line
		outline       *vision.Surveyed
		looks         int
		accepted      bool
	}{
		"small card":               {2000, 1500, &number, nil, nil, 2, true},
		"small card, nothing more": {2000, 1500, nil, nil, nil, 2, false},
		"all pixels were seen":     {700, 700, &number, nil, nil, 1, false},
		"among books":              {2000, 1500, &number, books(), card, 2, true},
		"all of a close look":      {2000, 1500, &inside, among, card, 2, true},
		"outline of a book":        {2000, 1500, &number, books(), book, 1, false},
		"outline without text":     {2000, 1500, &number, nil, book, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reader := &page{lines: append(placed(), c.others...), small: c.small, outline: c.outline}
			reader.lines[5].Place = ppocr.Place{X: 600, Y: 1250, Width: 100, Height: 20}
			provider := New(cards(), &script{err: errors.New("not to be asked")})
			found, err := provider.Identify(t.Context(), with(reader, photoOf(t, c.width, c.height)))
			if err != nil || len(found) == 0 || (found[0].Confidence >= 0.85) != c.accepted {
				t.Errorf("Identify: got %+v, %v, want an accepted card: %v", found, err, c.accepted)
			}
			if len(reader.looks) != c.looks {
				t.Fatalf("looks: got %v, want %d", reader.looks, c.looks)
			}
			if size := reader.looks[c.looks-1].Size(); c.looks == 2 && (size.X > 500 || size.Y > 700) {
				t.Errorf("close look: got %v, want the part with the text", size)
			}
		})
	}
}

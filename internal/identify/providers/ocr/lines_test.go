package ocr

import (
	"context"
	"errors"
	"image"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
)

// page is a LineReader that returns fixed lines.
type page struct {
	lines []ppocr.Line
	err   error
}

func (p page) Lines(context.Context, *image.RGBA) ([]ppocr.Line, error) { return p.lines, p.err }

// at returns a line at a height of the page.
func at(y int, confidence float64, text string) ppocr.Line {
	return ppocr.Line{Text: text, Confidence: confidence, Box: image.Rect(-100, y, 100, y+20)}
}

func slakoth(number string, certainty float64) []ppocr.Line {
	return []ppocr.Line{
		at(-500, 1, "BASIC"), at(-498, 1, "Slakoth"), at(-497, 1, "70"), at(-480, 1, "HP"),
		at(0, 1, yawn),
		at(480, 1, "Illus. Shigenori Negishi"), at(490, certainty, number),
	}
}

func TestTextOf(t *testing.T) {
	t.Parallel()
	lines := append(slakoth("160/193", 0.9), at(-470, 0.99, "Evolves from Vigoroth 20"), at(470, 0.6, "unsure"))
	slices.SortStableFunc(lines, func(a, b ppocr.Line) int { return a.Box.Min.Y - b.Box.Min.Y })
	got := textOf(lines)
	if diff := cmp.Diff([]string{"BASIC", "Slakoth", "HP 70", "HP"}, got.head); diff != "" {
		t.Errorf("head (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"unsure", "Illus. Shigenori Negishi", "160/193"}, got.foot); diff != "" {
		t.Errorf("foot (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Illus. Shigenori Negishi", "160/193"}, got.printed); diff != "" {
		t.Errorf("printed (-want +got):\n%s", diff)
	}
	if !slices.Contains(got.body, "asleep") {
		t.Errorf("body: got %v, want the words of all lines", got.body)
	}
	if diff := cmp.Diff(text{}, textOf(nil), cmp.AllowUnexported(text{})); diff != "" {
		t.Errorf("no lines (-want +got):\n%s", diff)
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
		"number contradicts":              {slakoth("33/151", 0.99), 0, contradictedConfidence},
		"number contradicts, not certain": {slakoth("33/151", 0.7), 0, 0.84},
		"upper case and spaces":           {slakoth("160 / 193", 0.99), 0.85, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := NewWithLines(cards()[:1], page{lines: c.lines}, &script{err: errors.New("not to be asked")})
			found, reading, err := provider.Read(t.Context(), photo(t))
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

func TestContradicts(t *testing.T) {
	t.Parallel()
	card := catalog.Card{Number: "4", PrintedTotal: 102}
	for name, c := range map[string]struct {
		printed []string
		card    catalog.Card
		want    bool
	}{
		"nothing printed":        {nil, card, false},
		"the same":               {[]string{"4/102"}, card, false},
		"with zeros":             {[]string{"004/102"}, card, false},
		"another number":         {[]string{"5/102"}, card, true},
		"another total":          {[]string{"4/130"}, card, true},
		"one of two":             {[]string{"5/102", "4/102"}, card, false},
		"power and toughness":    {[]string{"10/10"}, card, false},
		"no total known":         {[]string{"4/130"}, catalog.Card{Number: "4"}, false},
		"another without total":  {[]string{"5/130"}, catalog.Card{Number: "4"}, true},
		"another promo":          {[]string{"SWSH179"}, catalog.Card{Number: "SWSH149", PrintedTotal: 307}, true},
		"a promo":                {[]string{"SVP EN 159"}, catalog.Card{Number: "159", PrintedTotal: 225}, false},
		"of a gallery":           {[]string{"GG10/GG70"}, catalog.Card{Number: "GG10", PrintedTotal: 159}, false},
		"gallery with its count": {[]string{"GG10/GG70"}, catalog.Card{Number: "GG10", PrintedTotal: 70}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := contradicts(c.printed, c.card); got != c.want {
				t.Errorf("contradicts: got %v, want %v", got, c.want)
			}
		})
	}
}

// If the networks fail, Tesseract reads the photo.
func TestRead_LinesFail(t *testing.T) {
	t.Parallel()
	reader := &script{strips: append(line(0, 40, "BASIC", "Slakoth", "HP", "70"), line(1, 1350, "160/193")...)}
	provider := NewWithLines(cards(), page{err: errors.New("the process ended")}, reader)
	found, err := provider.Identify(t.Context(), photo(t))
	if err != nil || len(found) == 0 || found[0].CatalogID != "sv2-160" {
		t.Errorf("Identify: got %v, %v, want sv2-160", found, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	reads := reader.reads
	if _, err := provider.Identify(ctx, photo(t)); err == nil || reader.reads != reads {
		t.Errorf("Identify after the end of its context: got %v and another reading, want the error", err)
	}
}

func TestFoot_Lines(t *testing.T) {
	t.Parallel()
	card := image.NewRGBA(image.Rect(0, 0, 100, 140))
	provider := NewWithLines(cards(), page{lines: []ppocr.Line{at(0, 1, "160/193")}}, nil)
	if foot, err := provider.Foot(t.Context(), card); err != nil || !slices.Equal(foot, []string{"160/193"}) {
		t.Errorf("Foot: got %v, %v, want the number", foot, err)
	}
	reader := &script{strips: line(0, 40, "161/193")}
	provider = NewWithLines(cards(), page{err: tesseract.ErrTimeout}, reader)
	if foot, err := provider.Foot(t.Context(), card); err != nil || !slices.Contains(foot, "161/193") {
		t.Errorf("Foot when the networks fail: got %v, %v, want Tesseract's", foot, err)
	}
}

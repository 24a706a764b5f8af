package ocr

import (
	"context"
	"errors"
	"image"
	"testing"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
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

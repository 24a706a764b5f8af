package ocr

import (
	"errors"
	"testing"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// slabOf returns the lines of a card in a slab of PSA.
func slabOf(card []ppocr.Line) []ppocr.Line {
	return append([]ppocr.Line{
		at(-900, 0.99, "2023 POKEMON PAL EN"), at(-899, 0.99, "#160"), at(-870, 0.99, "SLAKOTH-HOLO"),
		at(-869, 0.99, "GEM MT"), at(-840, 0.99, "PALDEA EVOLVED"), at(-839, 0.99, "10"), at(-810, 0.99, "PSA"),
		at(-809, 0.99, "00123456"),
	}, card...)
}

// A label identifies the card if the card itself is not legible, for example because the slab reflects the light.
func TestRead_Slab(t *testing.T) {
	t.Parallel()
	unreadable := []ppocr.Line{at(-500, 0.6, "~~"), at(500, 0.6, "~~")}
	for name, c := range map[string]struct {
		lines []ppocr.Line
		want  string // the confidence is at least 0.85 if it is not empty
	}{
		"legible":           {slabOf(slakoth("160/193", 0.99)), "sv2-160"},
		"number not":        {slabOf(slakoth("", 0.99)), "sv2-160"},
		"only the label":    {slabOf(unreadable), ""},
		"contradicts":       {slabOf(slakoth("33/151", 0.99)), ""},
		"without its label": {slakoth("160/193", 0.99), "sv2-160"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := New(cards(), &script{err: errors.New("not to be asked")})
			found, reading, err := provider.Read(t.Context(), with(&page{lines: c.lines}, photo(t)))
			if err != nil || len(found) == 0 || found[0].CatalogID != "sv2-160" {
				t.Fatalf("Read: got %v, %v, want sv2-160", found, err)
			}
			if accepted := found[0].Confidence >= 0.85; accepted != (c.want != "") {
				t.Errorf("confidence: got %.2f", found[0].Confidence)
			}
			if slab := name != "without its label"; (reading.Grade != nil) != slab {
				t.Errorf("grade: got %+v, want one: %v", reading.Grade, slab)
			}
		})
	}
}

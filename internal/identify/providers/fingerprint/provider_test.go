package fingerprint

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"testing"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// found answers every search with the same matches.
type found []catalog.FingerprintMatch

func (f found) ByFingerprint(context.Context, [64]byte, int) ([]catalog.FingerprintMatch, error) {
	return f, nil
}

// foot answers with fixed lines.
type foot []string

func (f foot) Foot(context.Context, *image.RGBA) ([]string, error) { return f, nil }

func hit(name, number string, total, distance int) catalog.FingerprintMatch {
	card := catalog.Card{ID: name + "-" + number, Name: name, Number: number, PrintedTotal: total}
	return catalog.FingerprintMatch{Card: card, Distance: distance}
}

func ask(t *testing.T, catalogue Catalogue, reader FootReader) ([]identify.Candidate, error) {
	t.Helper()
	marked := image.NewGray(image.Rect(0, 0, 630, 880))
	marked.Pix[0] = 255
	return New(catalogue, reader).Identify(t.Context(), photo(t, marked))
}

func photo(t *testing.T, picture image.Image) identify.Photo {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return identify.Photo{Bytes: b.Bytes()}
}

func TestIdentify_RanksAndDecides(t *testing.T) {
	t.Parallel()
	reprints := found{hit("Pikachu", "62", 193, 41), hit("Pikachu", "18", 198, 46), hit("Raichu", "1", 99, 155)}
	tests := []struct {
		name    string
		matches found
		foot    []string
		want    string
		low     float64
		high    float64
	}{
		{"near and alone", found{hit("Slakoth", "160", 193, 30), hit("Yungoos", "1", 99, 146)}, nil, "Slakoth-160", 0.95, 1},
		{"fairly near, clear lead", found{hit("Woobat", "73", 185, 133), hit("Zubat", "1", 99, 189)}, nil, "Woobat-73", 0.85, 0.95},
		{"chance", found{hit("Tentacool", "72", 165, 151), hit("Abra", "1", 99, 155)}, nil, "Tentacool-72", 0, 0.6},
		{"far", found{hit("Ralts", "59", 198, 201), hit("Abra", "1", 99, 300)}, nil, "Ralts-59", 0, 0.5},
		{"reprints undecided", reprints, nil, "Pikachu-62", 0, 0.7},
		{"reprints, nothing legible", reprints, []string{"~ ="}, "Pikachu-62", 0, 0.7},
		{"reprints settled for the nearest", reprints, []string{"x 062/193"}, "Pikachu-62", 0.9, 1},
		{"reprints settled for the other", reprints, []string{"018/198 @"}, "Pikachu-18", 0.9, 1},
		{"same name, not quite as near", found{hit("Charizard", "4", 130, 100), hit("Charizard", "4", 102, 138)}, nil, "Charizard-4", 0, 0.84},
	}
	for _, test := range tests {
		best := decide(rank(test.matches), test.foot)[0]
		if best.card.ID != test.want || best.confidence < test.low || best.confidence > test.high {
			t.Errorf("%s: got %s with %.2f, want %s with %.2f to %.2f",
				test.name, best.card.ID, best.confidence, test.want, test.low, test.high)
		}
	}
}

func TestIdentify_DecidesBetweenReprintsByNumber(t *testing.T) {
	t.Parallel()
	got, err := ask(t, found{hit("Pikachu", "62", 193, 41), hit("Pikachu", "18", 198, 46)}, foot{"018/198 @"})
	if err != nil || len(got) != 2 || got[0].Title != "Pikachu" || got[0].Number != "18/198" || got[0].Confidence < 0.85 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestIdentify_SkipsPlainImage(t *testing.T) {
	t.Parallel()
	p := New(found{hit("Pikachu", "62", 193, 41)}, nil)
	if got, err := p.Identify(t.Context(), photo(t, image.NewGray(image.Rect(0, 0, 630, 880)))); err != nil || len(got) != 0 {
		t.Errorf("a picture of one shade: got %+v, %v", got, err)
	}
}

func TestIdentify_WithoutFingerprints(t *testing.T) {
	t.Parallel()
	if got, err := ask(t, found{}, foot{}); err != nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestIdentify_RefusesInvalidImage(t *testing.T) {
	t.Parallel()
	p := New(found{}, nil)
	if _, err := p.Identify(t.Context(), identify.Photo{Bytes: []byte("GIF89a")}); !errors.Is(err, vision.ErrNotAPicture) {
		t.Errorf("got %v", err)
	}
}

func TestNearness_Decreases(t *testing.T) {
	t.Parallel()
	for d := 1; d <= 512; d++ {
		if nearness(d) > nearness(d-1) {
			t.Errorf("%d bits are surer than %d", d, d-1)
		}
	}
	if nearness(149) < 0.85 || nearness(151) >= 0.85 {
		t.Error("the limit of acceptance is not at 150 bits")
	}
}

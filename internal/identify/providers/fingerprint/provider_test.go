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

// found is a catalogue that returns the same matches for every search.
type found []catalog.FingerprintMatch

func (f found) ByFingerprint(context.Context, catalog.Hints, [64]byte, int) ([]catalog.FingerprintMatch, error) {
	return f, nil
}

// foot is a FootReader that returns fixed lines.
type foot []string

func (f foot) Foot(context.Context, *image.RGBA) ([]string, error) { return f, nil }

func hit(name, number string, total, distance int) catalog.FingerprintMatch {
	card := catalog.Card{ID: name + "-" + number, Name: name, Number: number, PrintedTotal: total}
	return catalog.FingerprintMatch{Card: card, Distance: distance}
}

func ask(t *testing.T, catalogue Catalogue, reader FootReader) ([]identify.Candidate, error) {
	t.Helper()
	return New(catalogue, reader).Identify(t.Context(), photo(t, markedImage()))
}

// markedImage returns an image that is not plain.
func markedImage() image.Image {
	marked := image.NewGray(image.Rect(0, 0, 630, 880))
	marked.Pix[0] = 255
	return marked
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
		{"near", found{hit("Slakoth", "160", 193, 30), hit("Yungoos", "1", 99, 146)},
			nil, "Slakoth-160", 0.95, 1},
		{"fairly near, clear lead", found{hit("Woobat", "73", 185, 133), hit("Zubat", "1", 99, 189)},
			nil, "Woobat-73", 0.85, 0.95},
		{"coincidence", found{hit("Tentacool", "72", 165, 151), hit("Abra", "1", 99, 155)},
			nil, "Tentacool-72", 0, 0.6},
		{"far", found{hit("Ralts", "59", 198, 201), hit("Abra", "1", 99, 300)},
			nil, "Ralts-59", 0, 0.5},
		{"reprints without number", reprints, nil, "Pikachu-62", 0, 0.7},
		{"reprints without legible number", reprints, []string{"~ ="}, "Pikachu-62", 0, 0.7},
		{"reprints, number of the nearest", reprints, []string{"x 062/193"}, "Pikachu-62", 0.9, 1},
		{"reprints, number of the other", reprints, []string{"018/198 @"}, "Pikachu-18", 0.9, 1},
		{"same name, small lead", found{hit("Charizard", "4", 130, 100), hit("Charizard", "4", 102, 138)},
			nil, "Charizard-4", 0, 0.84},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ranked, _ := decide(rank(test.matches), test.foot)
			best := ranked[0]
			if best.card.ID != test.want || best.confidence < test.low || best.confidence > test.high {
				t.Errorf("got %s with confidence %.2f, want %s with %.2f to %.2f",
					best.card.ID, best.confidence, test.want, test.low, test.high)
			}
		})
	}
}

func TestIdentify_DecidesBetweenReprintsByNumber(t *testing.T) {
	t.Parallel()
	got, err := ask(t, found{hit("Pikachu", "62", 193, 41), hit("Pikachu", "18", 198, 46)}, foot{"018/198 @"})
	if err != nil || len(got) != 2 {
		t.Fatalf("Identify: got %+v, %v, want both cards", got, err)
	}
	if got[0].Title != "Pikachu" || got[0].Number != "18/198" || got[0].Confidence < 0.85 {
		t.Errorf("best candidate: got %+v, want 18/198 with a confidence of at least 0.85", got[0])
	}
}

// of returns a match of a card in a set and a language.
func of(set, language string, m catalog.FingerprintMatch) catalog.FingerprintMatch {
	m.Card.Set, m.Card.Language = set, language
	return m
}

func TestIdentify_Hints(t *testing.T) {
	t.Parallel()
	reprints := found{
		of("First Light", "en", hit("Pikachu", "62", 193, 41)), of("Second Dawn", "en", hit("Pikachu", "18", 198, 46)),
		of("Second Dawn", "ja", hit("Pikachu", "19", 198, 90)), of("Third Age", "en", hit("Raichu", "1", 99, 155)),
	}
	coincidence := found{
		of("First Light", "en", hit("Tentacool", "72", 165, 146)), of("Second Dawn", "en", hit("Abra", "1", 99, 149)),
	}
	tests := []struct {
		name    string
		matches found
		hints   catalog.Hints
		foot    foot
		want    string
		low     float64
		high    float64
	}{
		{"none", reprints, catalog.Hints{}, nil, "Pikachu-62", 0, 0.7},
		{"set", reprints, catalog.Hints{Set: "second dawn", Language: "en"}, nil, "Pikachu-18", 0.9, 1},
		{"set of the nearest", reprints, catalog.Hints{Set: "first light"}, nil, "Pikachu-62", 0.9, 1},
		{"language of several", reprints, catalog.Hints{Language: "en"}, nil, "Pikachu-62", 0, 0.7},
		{"set of no match", reprints, catalog.Hints{Set: "none"}, nil, "Pikachu-62", 0, 0.7},
		{"set of another name", reprints, catalog.Hints{Set: "third age"}, nil, "Pikachu-62", 0, 0.7},
		{"set, language of a far card", reprints, catalog.Hints{Language: "ja"}, nil, "Pikachu-62", 0, 0.7},
		{"number against set", reprints, catalog.Hints{Set: "first light"}, foot{"018/198 @"}, "Pikachu-18", 0.9, 1},
		{"illegible number", reprints, catalog.Hints{Set: "second dawn", Language: "en"}, foot{"~ ="},
			"Pikachu-18", 0.9, 1},
		{"coincidence", coincidence, catalog.Hints{Set: "second dawn"}, nil, "Tentacool-72", 0, 0.6},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			asked := photo(t, markedImage())
			asked.Hints = test.hints
			got, err := New(test.matches, readerOf(test.foot)).Identify(t.Context(), asked)
			if err != nil || len(got) != len(test.matches) {
				t.Fatalf("Identify: got %+v, %v, want all matches", got, err)
			}
			if got[0].CatalogID != test.want || got[0].Confidence < test.low || got[0].Confidence > test.high {
				t.Errorf("got %s with confidence %.2f, want %s with %.2f to %.2f",
					got[0].CatalogID, got[0].Confidence, test.want, test.low, test.high)
			}
			for i := 1; i < len(got); i++ {
				if got[i].Confidence > got[i-1].Confidence {
					t.Errorf("candidate %d has more confidence than the one before: %+v", i, got)
				}
			}
		})
	}
}

// readerOf returns a reader of the lines, or nil if there are none.
func readerOf(lines foot) FootReader {
	if lines == nil {
		return nil
	}
	return lines
}

func TestIdentify_SkipsPlainImage(t *testing.T) {
	t.Parallel()
	p := New(found{hit("Pikachu", "62", 193, 41)}, nil)
	got, err := p.Identify(t.Context(), photo(t, image.NewGray(image.Rect(0, 0, 630, 880))))
	if err != nil || len(got) != 0 {
		t.Errorf("Identify: got %+v, %v, want no candidates for an image of one colour", got, err)
	}
}

func TestIdentify_WithoutFingerprints(t *testing.T) {
	t.Parallel()
	if got, err := ask(t, found{}, foot{}); err != nil || len(got) != 0 {
		t.Errorf("Identify: got %v, %v, want no candidates", got, err)
	}
}

func TestIdentify_InvalidImage(t *testing.T) {
	t.Parallel()
	_, err := New(found{}, nil).Identify(t.Context(), identify.Photo{Bytes: []byte("GIF89a")})
	if !errors.Is(err, vision.ErrNotAPicture) {
		t.Errorf("Identify: got %v, want ErrNotAPicture", err)
	}
}

func TestNearness_Decreases(t *testing.T) {
	t.Parallel()
	for d := 1; d <= 512; d++ {
		if nearness(d) > nearness(d-1) {
			t.Errorf("nearness(%d): got %v, more than for %d", d, nearness(d), d-1)
		}
	}
	if nearness(149) < 0.85 || nearness(151) >= 0.85 {
		t.Errorf("nearness(149) and nearness(151): got %v and %v, want 0.85 between", nearness(149), nearness(151))
	}
}

package fingerprint

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// found is a catalogue that returns the same matches for every search of a fingerprint, and all cards of a name.
type found []catalog.FingerprintMatch

func (f found) ByFingerprint(context.Context, catalog.Hints, [64]byte, int) ([]catalog.FingerprintMatch, error) {
	return f, nil
}

func (f found) Printings(_ context.Context, _ catalog.Hints, name string, _ int) (cards []catalog.Card, err error) {
	for _, m := range f {
		if m.Card.Name == name {
			cards = append(cards, m.Card)
		}
	}
	return cards, nil
}

func (f found) Distances(context.Context, [64]byte, []string) (map[string]int, error) {
	distances := map[string]int{}
	for _, m := range f {
		distances[m.Card.ID] = m.Distance
	}
	return distances, nil
}

// page is a Reader of fixed lines: those of the head, the body and the foot.
type page struct{ head, body, foot []string }

// ReadCard implements Reader.
func (p page) ReadCard(_ context.Context, photo identify.Photo, _ func() (*image.RGBA, error)) error {
	lines := slices.Concat(p.head, p.body, p.foot)
	photo.View.Text = cardtext.Text{
		Head: p.head, Foot: p.foot, Printed: p.foot, Lines: lines, Body: catalog.Words(strings.Join(lines, " ")),
	}
	return nil
}

const (
	nuzzle   = "Nuzzle. Flip a coin. If heads, your opponent's Active Pokémon is now Paralyzed."
	japanese = "コインを1回投げオモテなら、相手のバトルポケモンをマヒにする。"
)

func hit(name, number string, total, distance int) catalog.FingerprintMatch {
	card := catalog.Card{
		ID: name + "-" + number, Name: name, Number: number, PrintedTotal: total, Language: "en", Text: nuzzle,
	}
	return catalog.FingerprintMatch{Card: card, Distance: distance}
}

func ask(t *testing.T, catalogue Catalogue, reader Reader) ([]identify.Candidate, error) {
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

func TestIdentify(t *testing.T) {
	t.Parallel()
	reprints := found{hit("Pikachu", "62", 193, 41), hit("Pikachu", "18", 198, 46), hit("Raichu", "1", 99, 155)}
	english, head := []string{nuzzle}, []string{"Pikachu HP 60"}
	tests := []struct {
		name      string
		matches   found
		reader    Reader
		want      string
		accepted  bool
		objection string // a part of it
	}{
		{"number of the nearest", reprints, page{head, english, []string{"x 062/193"}}, "Pikachu-62", true, ""},
		{"number of the other", reprints, page{head, english, []string{"018/198 @"}}, "Pikachu-18", true, ""},
		{"no legible number", reprints, page{head, english, []string{"~ ="}}, "Pikachu-62", false, "Several printings"},
		{"number of another card", reprints[:1], page{head, english, []string{"020/198"}}, "Pikachu-62", false,
			"The number on the photo is not 62/193"},
		{"Japanese card with the same picture", reprints[:1],
			page{[]string{"ピカチュウ HP60"}, []string{japanese}, []string{"062/193"}}, "Pikachu-62", false,
			"The photo shows a Japanese card; the nearest card of the catalogue is the English printing."},
		{"German card with the same picture and number", reprints[:1],
			page{[]string{"Pikachu KP 60"},
				[]string{"Wirf 1 Münze. Bei Kopf ist das Aktive Pokémon deines Gegners jetzt paralysiert."},
				[]string{"062/193"}}, "Pikachu-62", false, "The photo shows a German card"},
		{"nothing legible", reprints[:1], page{}, "Pikachu-62", false, "Only one"},
		{"no reader", reprints[:1], nil, "Pikachu-62", false, "Only one"},
		{"coincidence", found{hit("Tentacool", "72", 165, 161), hit("Abra", "1", 99, 165)},
			page{head, []string{"Some text that is legible"}, nil}, "Tentacool-72", false, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(t, test.matches, test.reader)
			if err != nil || len(got) == 0 {
				t.Fatalf("Identify: got %+v, %v, want candidates", got, err)
			}
			best := got[0]
			if best.CatalogID != test.want || (best.Confidence >= 0.85 && best.Objection == "") != test.accepted {
				t.Errorf("best candidate: got %+v, want %s, accepted: %v", best, test.want, test.accepted)
			}
			if !strings.Contains(best.Objection, test.objection) {
				t.Errorf("objection: got %q, want %q", best.Objection, test.objection)
			}
		})
	}
}

// The candidate for a Japanese card of which the catalogue has only the English printing is in Japanese.
func TestIdentify_OffersLanguageOfPhoto(t *testing.T) {
	t.Parallel()
	got, err := ask(t, found{hit("Pikachu", "62", 193, 41)}, page{head: []string{"ピカチュウ"}, body: []string{japanese}})
	if err != nil || len(got) != 1 || got[0].Language == nil || *got[0].Language != "ja" {
		t.Errorf("Identify: got %+v, %v, want a candidate in Japanese", got, err)
	}
}

// of returns a match of a card in a set and a language.
func of(set, language string, m catalog.FingerprintMatch) catalog.FingerprintMatch {
	m.Card.Set, m.Card.Language = set, language
	return m
}

// Hints distinguish reprints whose number is not legible, and no others.
func TestIdentify_Hints(t *testing.T) {
	t.Parallel()
	reprints := found{
		of("First Light", "en", hit("Pikachu", "62", 193, 41)), of("Second Dawn", "en", hit("Pikachu", "18", 198, 46)),
		of("Third Age", "en", hit("Raichu", "1", 99, 155)),
	}
	read := page{[]string{"Pikachu HP 60"}, []string{nuzzle}, []string{"~ ="}}
	numbered := page{read.head, read.body, []string{"018/198 @"}}
	tests := []struct {
		name     string
		hints    catalog.Hints
		reader   Reader
		want     string
		accepted bool
	}{
		{"none", catalog.Hints{}, read, "Pikachu-62", false},
		{"set", catalog.Hints{Set: "second dawn", Language: "en"}, read, "Pikachu-18", true},
		{"set of the nearest", catalog.Hints{Set: "first light"}, read, "Pikachu-62", true},
		{"language of several", catalog.Hints{Language: "en"}, read, "Pikachu-62", false},
		{"set of no match", catalog.Hints{Set: "none"}, read, "Pikachu-62", false},
		{"set of another name", catalog.Hints{Set: "third age"}, read, "Pikachu-62", false},
		{"number against set", catalog.Hints{Set: "first light"}, numbered, "Pikachu-18", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			asked := photo(t, markedImage())
			asked.Hints = test.hints
			got, err := New(reprints, test.reader).Identify(t.Context(), asked)
			if err != nil || len(got) != len(reprints) {
				t.Fatalf("Identify: got %+v, %v, want all matches", got, err)
			}
			accepted := got[0].Confidence >= 0.85 && got[0].Objection == ""
			if got[0].CatalogID != test.want || accepted != test.accepted {
				t.Errorf("got %+v, want %s, accepted: %v", got[0], test.want, test.accepted)
			}
			for i := 1; i < len(got); i++ {
				if got[i].Confidence > got[i-1].Confidence {
					t.Errorf("candidate %d has more confidence than the one before: %+v", i, got)
				}
			}
		})
	}
}

// Of a picture that resembles no card, no text is read.
func TestIdentify_FarPicture(t *testing.T) {
	t.Parallel()
	got, err := ask(t, found{hit("Ralts", "59", 198, 201)}, nil)
	if err != nil || len(got) != 0 {
		t.Errorf("Identify: got %+v, %v, want no candidates", got, err)
	}
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
	if got, err := ask(t, found{}, page{}); err != nil || len(got) != 0 {
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

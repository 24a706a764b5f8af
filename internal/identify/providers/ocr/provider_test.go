package ocr

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// shelf is a catalogue of a few cards. It matches numbers and names exactly, and every text matches all cards.
type shelf []catalog.Card

func (s shelf) ByNumber(
	_ context.Context, h catalog.Hints, number string, total, _ int,
) (found []catalog.Card, err error) {
	for _, c := range s {
		if c.Number == number && c.PrintedTotal == total && h.Allows(c.Game) {
			found = append(found, c)
		}
	}
	return found, nil
}

func (s shelf) ByName(_ context.Context, h catalog.Hints, name string, _ int) (found []catalog.Match, err error) {
	for _, c := range s {
		if strings.EqualFold(c.Name, name) && h.Allows(c.Game) {
			found = append(found, catalog.Match{Card: c, Score: 1})
		}
	}
	return found, nil
}

func (s shelf) Printings(_ context.Context, h catalog.Hints, name string, _ int) (found []catalog.Card, err error) {
	for _, c := range s {
		if c.Name == name && h.Allows(c.Game) {
			found = append(found, c)
		}
	}
	return found, nil
}

func (s shelf) ByText(_ context.Context, h catalog.Hints, _ []string, _ int) (found []catalog.Match, err error) {
	for _, c := range s {
		if h.Allows(c.Game) {
			found = append(found, catalog.Match{Card: c, Score: 0.1})
		}
	}
	return found, nil
}

func (s shelf) Distances(context.Context, [64]byte, []string) (map[string]int, error) {
	return nil, nil
}

// script is a Reader that returns fixed words for strips and whole faces.
type script struct {
	strips, face []tesseract.Word
	err          error
	footErr      error // of every second strip
	faceErr      error
	reads        int
}

func (s *script) Read(_ context.Context, _ *image.Gray, mode tesseract.Mode) ([]tesseract.Word, error) {
	s.reads++
	if mode == tesseract.Block && s.footErr != nil && s.reads%2 == 0 {
		return nil, s.footErr
	}
	if mode == tesseract.Block {
		return s.strips, s.err
	}
	return s.face, errors.Join(s.err, s.faceErr)
}

// line returns the words of a line. y is its position in pixels.
func line(number, y int, texts ...string) []tesseract.Word {
	var words []tesseract.Word
	for i, t := range texts {
		box := image.Rect(50*i, y, 50*i+40, y+20)
		words = append(words, tesseract.Word{Text: t, Confidence: 90, Line: number, Box: box})
	}
	return words
}

const yawn = "Yawn Your opponent's Active Pokémon is now Asleep. " +
	"It sleeps for twenty hours every day, making drowsy those that see it."

// english are words on cards that tell the language.
var english = line(2, 1400, "weakness", "resistance", "retreat")

func cards() shelf {
	return shelf{
		{
			ID: "sv2-160", Game: "pokemon", Name: "Slakoth", Set: "Paldea Evolved", Number: "160", PrintedTotal: 193,
			SetCode: "PAL", HP: 70, Year: 2023, Text: yawn, Illustrator: "Shigenori Negishi",
		},
		{ID: "old-7", Game: "pokemon", Name: "Slakoth", Set: "Older", Number: "7", PrintedTotal: 150, Text: yawn},
		{
			ID: "sv2-125", Game: "pokemon", Name: "Glimmet", Set: "Paldea Evolved", Number: "125", PrintedTotal: 193,
			Text: "Rock Throw",
		},
	}
}

// photo returns an image that is not plain. The script determines its text.
func photo(t *testing.T) identify.Photo {
	t.Helper()
	return photoOf(t, 630, 880)
}

// photoOf is photo with a size.
func photoOf(t *testing.T, width, height int) identify.Photo {
	t.Helper()
	picture := image.NewGray(image.Rect(0, 0, width, height))
	picture.Pix[0] = 255
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return identify.Photo{Bytes: b.Bytes(), ContentType: "image/png"}
}

func ask(t *testing.T, reader *script) ([]identify.Candidate, error) {
	t.Helper()
	return New(cards(), reader).Identify(t.Context(), photo(t))
}

func TestIdentify(t *testing.T) {
	t.Parallel()
	head := line(0, 40, "BASIC", "Slakoth", "HP", "70")
	foot := line(1, 1350, "Illus.", "Shigenori", "Negishi", "160/193", "PAL")
	body := line(2, 700, strings.Fields(yawn)...)
	tests := []struct {
		name   string
		reader script
		want   string
		low    float64
		high   float64
	}{
		{"name and number", script{strips: append(head, foot...)}, "sv2-160", 0.85, 1},
		{"name, number and text", script{strips: append(head, foot...), face: body}, "sv2-160", 0.85, 1},
		{"name and text of reprints", script{strips: head, face: body}, "", 0, 0.8},
		{"only a number", script{strips: foot[3:4]}, "sv2-160", 0, 0.7},
		{"timeout of the face", script{strips: append(head, foot...), faceErr: tesseract.ErrTimeout},
			"sv2-160", 0.85, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			found, err := ask(t, &test.reader)
			if err != nil || len(found) == 0 {
				t.Fatalf("Identify: got %v, %v, want candidates", found, err)
			}
			best := found[0]
			if test.want != "" && best.CatalogID != test.want {
				t.Errorf("best candidate: got %+v, want %s", best, test.want)
			}
			if best.Confidence < test.low || best.Confidence > test.high {
				t.Errorf("confidence: got %.2f, want %.2f to %.2f", best.Confidence, test.low, test.high)
			}
		})
	}
}

// Of reprints whose number is not legible, the one of the set or in the language comes first. A number that was read
// counts more than a hint, and a hint that no card agrees with changes nothing.
func TestIdentify_Hints(t *testing.T) {
	t.Parallel()
	head, foot := line(0, 40, "BASIC", "Slakoth", "HP", "70"), line(1, 1350, "160/193")
	body := line(2, 700, strings.Fields(yawn)...)
	stock := append(cards(), catalog.Card{
		ID: "z-160", Game: "magic", Name: "Slakoth", Set: "Older", Number: "160", PrintedTotal: 193, Text: yawn,
		SetCode: "PAL", HP: 70, Language: "de",
	})
	tests := []struct {
		name   string
		hints  catalog.Hints
		reader script
		want   string
	}{
		{"set", catalog.Hints{Game: "pokemon", Set: "older"}, script{strips: head, face: body}, "old-7"},
		{"other set", catalog.Hints{Game: "pokemon", Set: "paldea evolved"}, script{strips: head, face: body},
			"sv2-160"},
		{"language", catalog.Hints{Language: "de"}, script{strips: line(0, 40, "BASIC", "Slakoth")}, "z-160"},
		{"number against set", catalog.Hints{Game: "pokemon", Set: "older"}, script{strips: append(head, foot...)},
			"sv2-160"},
		{"unknown set", catalog.Hints{Game: "pokemon", Set: "none"}, script{strips: append(head, foot...)}, "sv2-160"},
		{"game", catalog.Hints{Game: "magic"}, script{strips: append(head, foot...)}, "z-160"},
		{"game without such cards", catalog.Hints{Game: "yugioh"}, script{strips: append(head, foot...)}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			asked := photo(t)
			asked.Hints = test.hints
			found, err := New(stock, &test.reader).Identify(t.Context(), asked)
			if err != nil || len(found) == 0 != (test.want == "") {
				t.Fatalf("Identify: got %+v, %v, want %q first", found, err, test.want)
			}
			if len(found) > 0 && found[0].CatalogID != test.want {
				t.Errorf("best candidate: got %+v, want %s", found[0], test.want)
			}
		})
	}
}

func TestIdentify_FillsCandidate(t *testing.T) {
	t.Parallel()
	found, err := ask(t, &script{strips: append(line(0, 40, "Slakoth", "160/193"), english...)})
	if err != nil {
		t.Fatal(err)
	}
	year := 2023
	want := identify.Candidate{
		CatalogID: "sv2-160", Title: "Slakoth", Set: "Paldea Evolved", Number: "160/193", Game: "pokemon", Year: &year,
		Confidence: found[0].Confidence,
		Signals:    []identify.Signal{{Kind: identify.NameSignal, Score: 1}, {Kind: identify.NumberSignal, Score: 1}},
	}
	if diff := cmp.Diff(want, found[0]); diff != "" {
		t.Errorf("best candidate (-want +got):\n%s", diff)
	}
}

func TestIdentify_StopsWhenDecided(t *testing.T) {
	t.Parallel()
	head := line(0, 40, "Slakoth", "HP", "70", "160/193", "PAL", "Shigenori", "Negishi")
	for name, c := range map[string]struct {
		strips []tesseract.Word
		reads  int
	}{
		"by the strips":                 {append(head, english...), 2},
		"but its language is not clear": {head, 4},
	} {
		reader := &script{strips: c.strips}
		if _, err := ask(t, reader); err != nil || reader.reads != c.reads {
			t.Errorf("decided %s: got %d reads, %v, want %d", name, reader.reads, err, c.reads)
		}
	}
}

// If the foot takes too long, the head is kept.
func TestIdentify_FootTimesOut(t *testing.T) {
	t.Parallel()
	reader := &script{strips: append(line(0, 40, "Slakoth"), english...), footErr: tesseract.ErrTimeout}
	found, err := ask(t, reader)
	if err != nil || len(found) == 0 || found[0].Title != "Slakoth" {
		t.Errorf("Identify: got %+v, %v, want Slakoth", found, err)
	}
}

func TestIdentify_FindsNothing(t *testing.T) {
	t.Parallel()
	if found, err := ask(t, &script{}); err != nil || len(found) != 0 {
		t.Errorf("Identify: got %v, %v, want no candidates", found, err)
	}
}

// For an image of one colour, Tesseract does not run.
func TestIdentify_SkipsPlainImage(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 400, 500))); err != nil {
		t.Fatal(err)
	}
	p := New(cards(), &script{err: errors.New("Read was called")})
	if found, err := p.Identify(t.Context(), identify.Photo{Bytes: b.Bytes()}); err != nil || len(found) != 0 {
		t.Errorf("Identify: got %v, %v, want no candidates", found, err)
	}
}

func TestIdentify_ReturnsErrors(t *testing.T) {
	t.Parallel()
	if _, err := ask(t, &script{err: tesseract.ErrMissing}); !errors.Is(err, tesseract.ErrMissing) {
		t.Errorf("without Tesseract: got %v, want ErrMissing", err)
	}
	_, err := New(cards(), &script{}).Identify(t.Context(), identify.Photo{Bytes: []byte("no picture")})
	if !errors.Is(err, vision.ErrNotAPicture) {
		t.Errorf("not a picture: got %v, want ErrNotAPicture", err)
	}
}

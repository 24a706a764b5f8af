package cardtext

import (
	"image"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// at returns a line at a height of the page.
func at(y int, confidence float64, text string) ppocr.Line {
	return ppocr.Line{Text: text, IsRead: true, Confidence: confidence, Box: image.Rect(-100, y, 100, y+20)}
}

func slakoth(number string, certainty float64) []ppocr.Line {
	return []ppocr.Line{
		at(-500, 1, "BASIC"), at(-498, 1, "Slakoth"), at(-497, 1, "70"), at(-480, 1, "HP"),
		at(0, 1, "Your opponent's Active Pokémon is now Asleep."),
		at(480, 1, "Illus. Shigenori Negishi"), at(490, certainty, number),
	}
}

func TestFromLines(t *testing.T) {
	t.Parallel()
	lines := append(slakoth("160/193", 0.9), at(-470, 0.99, "Evolves from Vigoroth 20"), at(470, 0.6, "unsure"))
	slices.SortStableFunc(lines, func(a, b ppocr.Line) int { return a.Box.Min.Y - b.Box.Min.Y })
	got := FromLines(lines)
	if diff := cmp.Diff([]string{"BASIC", "Slakoth", "HP 70", "HP"}, got.Head); diff != "" {
		t.Errorf("head (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"unsure", "Illus. Shigenori Negishi", "160/193"}, got.Foot); diff != "" {
		t.Errorf("foot (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Illus. Shigenori Negishi", "160/193"}, got.Printed); diff != "" {
		t.Errorf("printed (-want +got):\n%s", diff)
	}
	if !slices.Contains(got.Body, "asleep") {
		t.Errorf("body: got %v, want the words of all lines", got.Body)
	}
	if diff := cmp.Diff(Text{}, FromLines(nil)); diff != "" {
		t.Errorf("no lines (-want +got):\n%s", diff)
	}
}

func TestText_With(t *testing.T) {
	t.Parallel()
	first := Text{Head: []string{"a"}, Body: []string{"air", "sea"}}
	got := first.With(Text{Foot: []string{"b"}, Body: []string{"air", "ink"}})
	want := Text{Head: []string{"a"}, Foot: []string{"b"}, Body: []string{"air", "ink", "sea"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("With (-want +got):\n%s", diff)
	}
}

// Two readings are whole if one of them is, unless it found nothing.
func TestText_WithPartial(t *testing.T) {
	t.Parallel()
	whole, part, nothing := Text{Lines: []string{"a"}}, Text{Lines: []string{"a"}, Partial: true}, Text{}
	for name, c := range map[string]struct {
		first, second Text
		want          bool
	}{
		"whole and part":    {whole, part, false},
		"part and whole":    {part, whole, false},
		"part and part":     {part, part, true},
		"part and nothing":  {part, nothing, true},
		"nothing and part":  {nothing, part, true},
		"nothing and whole": {nothing, whole, false},
	} {
		if got := c.first.With(c.second).Partial; got != c.want {
			t.Errorf("%s: got partial %v, want %v", name, got, c.want)
		}
	}
}

// The number of a promotional card often is a line of its own beside the code of the set.
func TestFromLines_NumberBesideSet(t *testing.T) {
	t.Parallel()
	beside := func(x, y int, confidence float64, text string) ppocr.Line {
		return ppocr.Line{Text: text, IsRead: true, Confidence: confidence, Box: image.Rect(x, y, x+40, y+20)}
	}
	set := beside(-200, 492, 0.91, "SVPEN")
	for name, c := range map[string]struct {
		number ppocr.Line
		want   string
	}{
		"beside":    {beside(-150, 490, 1, "159"), "SVPEN 159"},
		"far":       {beside(100, 490, 1, "159"), "SVPEN"},
		"below":     {beside(-150, 510, 1, "159"), "SVPEN"},
		"no number": {beside(-150, 490, 1, "Illus"), "SVPEN"},
	} {
		got := FromLines(append(slakoth("", 1), beside(-100, 470, 1, "les."), set, c.number))
		if !slices.Contains(got.Printed, c.want) {
			t.Errorf("%s: got %q, want %q", name, got.Printed, c.want)
		}
	}
}

// Other text that runs in another direction does not move the head and the foot of a card.
func TestFromLines_BeforeBooks(t *testing.T) {
	t.Parallel()
	lines := slakoth("160/193", 1)
	for _, y := range []int{-3000, 0, 3000} {
		book := at(y, 1, "SAPKOWSKI")
		book.Place.Angle = math.Pi / 2
		lines = append(lines, book)
	}
	alone, among := FromLines(slakoth("160/193", 1)), FromLines(lines)
	if diff := cmp.Diff(alone.Head, among.Head[:len(alone.Head)]); diff != "" {
		t.Errorf("head (-alone +before books):\n%s", diff)
	}
	if diff := cmp.Diff(alone.Foot, among.Foot[:len(alone.Foot)]); diff != "" {
		t.Errorf("foot (-alone +before books):\n%s", diff)
	}
}

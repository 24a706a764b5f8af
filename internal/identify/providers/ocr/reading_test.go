package ocr

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
)

func TestReadingOf(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text cardtext.Text
		want identify.Reading
	}{
		"all": {
			cardtext.Text{Head: []string{"BASIC Umbreon VMAX HP 310"}, Foot: []string{"Illus. Aya Kusube 095/203"}},
			identify.Reading{Name: "Umbreon VMAX", HP: "310", Number: "95/203"},
		},
		"nothing":      {cardtext.Text{}, identify.Reading{}},
		"only texture": {cardtext.Text{Head: []string{"~~ 7 ,, |"}, Foot: []string{"..", "/"}}, identify.Reading{}},
		"most readings agree": {
			cardtext.Text{
				Head: []string{"Unbreom the long misread 31 HP", "Umbreon 310HP", "Umbreon HP310"},
				Foot: []string{"95/208", "95/203", "95/203"},
			},
			identify.Reading{Name: "Umbreon", HP: "310", Number: "95/203"},
		},
		"longest of different readings": {
			cardtext.Text{Head: []string{"Dark", "Dark Raichu"}}, identify.Reading{Name: "Dark Raichu"},
		},
		"a promo": {cardtext.Text{Foot: []string{"SWSH179"}}, identify.Reading{Number: "SWSH179"}},
		"accents and marks": {
			cardtext.Text{Head: []string{"Flabébé's \x00\uFFFDfriend"}}, identify.Reading{Name: "Flabébé's friend"},
		},
		"number without letters": {cardtext.Text{Foot: []string{"4/102 ★"}}, identify.Reading{Number: "4/102"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, readingOf(tc.text)); diff != "" {
				t.Errorf("reading (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadingOfIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", identify.MaxReading+1)
	if got := readingOf(cardtext.Text{Head: []string{long}}); len([]rune(got.Name)) != identify.MaxReading {
		t.Errorf("name: got %d characters, want %d", len([]rune(got.Name)), identify.MaxReading)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	reader := script{strips: append(line(0, 40, "BASIC", "Slakoth", "HP", "70"), line(1, 1350, "160/193")...)}
	found, reading, err := New(cards(), &reader).Read(t.Context(), photo(t))
	if err != nil || len(found) == 0 {
		t.Fatalf("Read: got %v, %v, want candidates", found, err)
	}
	want := identify.Reading{Name: "Slakoth", HP: "70", Number: "160/193"}
	if diff := cmp.Diff(want, reading); diff != "" {
		t.Errorf("reading (-want +got):\n%s", diff)
	}
}

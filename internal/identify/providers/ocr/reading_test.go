package ocr

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/identify"
)

func TestText_Reading(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text text
		want identify.Reading
	}{
		"all": {
			text{head: []string{"BASIC Umbreon VMAX HP 310"}, foot: []string{"Illus. Aya Kusube 095/203"}},
			identify.Reading{Name: "Umbreon VMAX", HP: "310", Number: "95/203"},
		},
		"nothing":      {text{}, identify.Reading{}},
		"only texture": {text{head: []string{"~~ 7 ,, |"}, foot: []string{"..", "/"}}, identify.Reading{}},
		"most readings agree": {
			text{
				head: []string{"Unbreom the long misread 31 HP", "Umbreon 310HP", "Umbreon HP310"},
				foot: []string{"95/208", "95/203", "95/203"},
			},
			identify.Reading{Name: "Umbreon", HP: "310", Number: "95/203"},
		},
		"longest of different readings": {
			text{head: []string{"Dark", "Dark Raichu"}}, identify.Reading{Name: "Dark Raichu"},
		},
		"a promo": {text{foot: []string{"SWSH179"}}, identify.Reading{Number: "SWSH179"}},
		"accents and marks": {
			text{head: []string{"Flabébé's \x00\uFFFDfriend"}}, identify.Reading{Name: "Flabébé's friend"},
		},
		"number without letters": {text{foot: []string{"4/102 ★"}}, identify.Reading{Number: "4/102"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, tc.text.reading()); diff != "" {
				t.Errorf("reading (-want +got):\n%s", diff)
			}
		})
	}
}

func TestText_ReadingIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", identify.MaxReading+1)
	if got := (text{head: []string{long}}).reading(); len([]rune(got.Name)) != identify.MaxReading {
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

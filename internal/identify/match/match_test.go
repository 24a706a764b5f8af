package match

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNumber(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		number string
		total  int
		foot   []string
		low    float64
		high   float64
	}{
		{"as printed", "160", 193, []string{"(6) G 160/193 @"}, 1, 1},
		{"zero-padded", "8", 193, []string{"008/193"}, 1, 1},
		{"not padded", "4", 102, []string{"4/102"}, 1, 1},
		{"usual confusions", "160", 193, []string{"l6O/I93"}, 1, 1},
		{"split by a space", "160", 193, []string{"160 /193"}, 1, 1},
		{"slash not read", "4", 102, []string{"4102"}, 0.8, 0.9},
		{"digits of another number", "4", 102, []string{"14102 04102"}, 0, 0.4},
		{"a year", "19", 99, []string{"1999"}, 0, 0.4},
		{"one wrong character", "160", 193, []string{"160/198"}, 0.5, 0.7},
		{"part of a longer number", "28", 193, []string{"128/193"}, 0, 0.7},
		{"another number", "160", 193, []string{"054/167"}, 0, 0},
		{"promo", "SWSH179", 0, []string{"ens) SWSHI79 x"}, 1, 1},
		{"gallery", "GG10", 70, []string{"GG10/GG70"}, 1, 1},
		{"above the total", "230", 182, []string{"230/182"}, 1, 1},
		{"bare number is weak", "159", 0, []string{"SVP EN 159"}, 0.2, 0.4},
		{"bare number inside another", "15", 0, []string{"159"}, 0, 0},
		{"set code", "LOB-EN045", 0, []string{"LOB-EN045"}, 1, 1},
		{"set code with confusions and a dash", "LOB-EN045", 0, []string{"L0B–ENO45"}, 1, 1},
		{"another set code", "LOB-EN045", 0, []string{"PSV-EN101"}, 0, 0.3},
		{"full-width characters", "160", 193, []string{"１６０／１９３"}, 1, 1},
		{"Lorcana", "1", 204, []string{"1/204 · EN · 7"}, 1, 1},
		{"nothing read", "160", 193, nil, 0, 0},
		{"no number known", "", 193, []string{"160/193"}, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Number(test.number, test.total, test.foot); got < test.low || got > test.high {
				t.Errorf("Number: got %.2f, want %.2f to %.2f", got, test.low, test.high)
			}
		})
	}
}

func TestCollectors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		line string
		want []Collector
	}{
		{"(6) QW) 160/193 @", []Collector{{"160", 193}}},
		{"008/193", []Collector{{"8", 193}}},
		{"171/274 C  171/274 C", []Collector{{"171", 274}}},
		{"O54/27Z", []Collector{{"54", 272}}},
		{"SWSH179", []Collector{{"SWSH179", 0}, {"179", 0}}},
		{"SVP EN 159", []Collector{{"SVP159", 0}, {"159", 0}}},
		{"SVP EN l59", []Collector{{"SVP159", 0}, {"159", 0}}},
		{"H SVI EN", nil},
		{"TSR • EN HOWARD LYON", nil},
		{"HOLO TIM HILDEBRANDT", nil},
		{"©2023 Pokémon", nil},
		{"1/204 EN 7", []Collector{{"1", 204}}},
		{"l/2O4 • EN • 7", []Collector{{"1", 204}}},
		{"１６０／１９３", []Collector{{"160", 193}}},
		{"LOB-045", []Collector{{"LOB-045", 0}}},
		{"LOB-EN045", []Collector{{"LOB-EN045", 0}}},
		{"L0B-ENO4S", []Collector{{"L0B-EN045", 0}, {"LOB-EN045", 0}}},
		{"LOB - E0I4", []Collector{{"LOB-E014", 0}}},
		{"SGX4-ENA20", []Collector{{"SGX4-ENA20", 0}}},
		{"CSOC-ENSP1", []Collector{{"CSOC-ENSP1", 0}}},
		{"5D52-EN037", []Collector{{"5D52-EN037", 0}, {"SDSZ-EN037", 0}}},
		{"OP01-001", []Collector{{"OP01-001", 0}, {"OPOI-001", 0}}},
		{"0PO1-OO1 L", []Collector{{"OP01-001", 0}, {"0PO1-001", 0}}},
		{"ST01-012", []Collector{{"ST01-012", 0}, {"STOI-012", 0}}},
		{"5T0I—O12", []Collector{{"ST01-012", 0}, {"5T0I-012", 0}}},
		{"P-001", []Collector{{"P-001", 0}}},
		{"1996-1999 Wizards", nil},
		{"TAG TEAM-GX", nil},
		{"", nil},
	}
	for _, test := range tests {
		t.Run(test.line, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, Collectors([]string{test.line})); diff != "" {
				t.Errorf("Collectors (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSimilarity_CountsLetters(t *testing.T) {
	t.Parallel()
	// All kana begin with the same byte or two.
	if got := Similarity("ピカチュウ", "リザードン"); got != 0 {
		t.Errorf("Similarity of names without a common letter: got %.2f, want 0", got)
	}
	if got := Similarity("ピカチュウ", "ピカテュウ"); got != 0.8 {
		t.Errorf("Similarity of names with one of five letters different: got %.2f, want 0.8", got)
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		head []string
		low  float64
		high float64
	}{
		{"Slakoth", []string{"P= Slakoth 70%"}, 1, 1},
		{"Umbreon VMAX", []string{"Umbreon"}, 1, 1},
		{"Gideon's Reproach", []string{"Gideons Reproach"}, 1, 1},
		{"Flabébé", []string{"Flabebe"}, 1, 1},
		{"Broodhunter Wurm", []string{"Broodhu nter Wurm"}, 1, 1},
		{"Arrokuda", []string{"Arrokoda"}, 0.6, 0.9},
		{"Bea", []string{"Beast Within"}, 0, 0.5},
		{"Mew", []string{"Homework"}, 0, 0},
		{"Slakoth", nil, 0, 0},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s in %q", test.name, test.head), func(t *testing.T) {
			t.Parallel()
			if got := Name(test.name, test.head); got < test.low || got > test.high {
				t.Errorf("Name: got %.2f, want %.2f to %.2f", got, test.low, test.high)
			}
		})
	}
}

func TestWithoutOrigin(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"Umbreon Evolves from Eevee":   "Umbreon",
		"Evolves trom Eevee Werane":    "",
		"20) Cvetves from Cherammipan": "20)",
		"Scour from Existence":         "Scour from Existence",
		"Return from the Grave":        "Return from the Grave",
		"Charizard":                    "Charizard",
	}
	for line, want := range tests {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			if got := WithoutOrigin(line); got != want {
				t.Errorf("WithoutOrigin: got %q, want %q", got, want)
			}
		})
	}
}

func TestNameQueries(t *testing.T) {
	t.Parallel()
	head := []string{"BASIC Slakoth HP 70", "Slakoth", "a x |", "STAGE 1 Trainer", "Galarian Perrserker 120"}
	if diff := cmp.Diff([]string{"galarian perrserker", "slakoth"}, NameQueries(head, 2)); diff != "" {
		t.Errorf("NameQueries (-want +got):\n%s", diff)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	read := []string{"active", "asleep", "opponents", "pokemom", "リザドン"}
	for word, want := range map[string]float64{"asleep": 1, "pokemon": 0.7, "coin": 0, "acti": 0, "リザードン": 0.7} {
		if got := Read(word, read); got != want {
			t.Errorf("Read(%q): got %v, want %v", word, got, want)
		}
	}
}

func TestBody(t *testing.T) {
	t.Parallel()
	even := func(string) float64 { return 1 }
	all := func(string) float64 { return 1 }
	none := func(string) float64 { return 0 }
	long := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}
	if short, full := Body(long[:2], all, even), Body(long, all, even); short >= full {
		t.Errorf("Body: got %.2f for two words and %.2f for nine, want less for two", short, full)
	}
	if got := Body(long, none, even) + Body(nil, all, even); got != 0 {
		t.Errorf("Body of no read words, plus that of no printed ones: got %.2f, want 0", got)
	}
}

func TestPhrase(t *testing.T) {
	t.Parallel()
	foot := []string{"lllus. Shigenori Negishl", "160/193"}
	if got := Phrase("Shigenori Negishi", foot); got < 0.9 {
		t.Errorf("Phrase of the illustrator: got %.2f, want at least 0.9", got)
	}
	if got := Phrase("Yukiko Baba", foot); got != 0 {
		t.Errorf("Phrase of another illustrator: got %.2f, want 0", got)
	}
}

func TestDistance_IsMetric(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-d]{0,7}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		if Distance(a, a) != 0 || Distance(a, b) != Distance(b, a) || Distance(a, c) > Distance(a, b)+Distance(b, c) {
			t.Errorf("Distance is not a metric for %q, %q and %q", a, b, c)
		}
		if got := within(a, b+a+c, 0); got != 0 {
			t.Errorf("within(%q, %q): got %d, want 0", a, b+a+c, got)
		}
		if got, most := within(a, b, len(a)), Distance(a, b); got > most {
			t.Errorf("within(%q, %q): got %d, want at most the distance %d", a, b, got, most)
		}
	})
}

// A limit changes only what is beyond it.
func TestWithin_Limit(t *testing.T) {
	t.Parallel()
	text := rapid.StringMatching(`[0-2a-c/]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		pattern, line, most := text.Draw(t, "pattern"), text.Draw(t, "line"), rapid.IntRange(0, 12).Draw(t, "most")
		want, got := within(pattern, line, len(pattern)), within(pattern, line, most)
		if got != want && (want <= most || got <= most) {
			t.Errorf("within(%q, %q, %d): got %d, want %d", pattern, line, most, got, want)
		}
	})
}

func TestIsTypo_IsDistanceOne(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[ab火炎é]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := isTypo(a, b), Distance(a, b) == 1; got != want {
			t.Errorf("isTypo(%q, %q) = %v, want %v", a, b, got, want)
		}
	})
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  float64
	}{
		"alone":         {[]string{"SAPKOWSKI", "Stone Haven Medic"}, 1},
		"joined":        {[]string{"StoneHaven Medic"}, 1},
		"in a sentence": {[]string{"Tap Stone Haven Medic to gain 1 life."}, 0},
		"nothing":       {nil, 0},
	} {
		if got := Title("Stone Haven Medic", c.lines); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	if got := Title("Stone Haven Medic", []string{"Stone Haven Nedic"}); got < 0.8 || got >= 1 {
		t.Errorf("a wrong letter: got %v, want a little less than 1", got)
	}
	for _, short := range []string{"Forest", "ミュウ"} {
		if got := Title(short, []string{short}); got != 0 {
			t.Errorf("%s: got %v, want 0, because a short name may be a word of the text", short, got)
		}
	}
}

package listings

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/marketplaces"
)

func described(title, number, set, variant, condition string, grade *cards.Grade) cards.Description {
	return cards.Description{
		Title: optional(title), Number: optional(number), Set: optional(set), Variant: optional(variant),
		Condition: optional(condition), Grade: grade,
	}
}

func withYear(d cards.Description, year int32) cards.Description {
	d.Year = &year
	return d
}

func TestTitle(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Ember ", 20)
	psa9, psa95 := &cards.Grade{Company: "PSA", Value: "9"}, &cards.Grade{Company: "PSA", Value: "9.5"}
	for name, tc := range map[string]struct {
		d    cards.Description
		want string
	}{
		"usual": {
			described("Ember Fox", "54/167", "Dawn of Cinders", "", "NM", nil),
			"Dawn of Cinders Ember Fox 54/167 NM",
		},
		"all parts": {
			withYear(described("Ember Fox", "54/167", "Dawn of Cinders", "Reverse Holo", "NM", psa95), 2024),
			"2024 Dawn of Cinders Ember Fox 54/167 Reverse Holo PSA 9.5",
		},
		"year in the set": {
			withYear(described("Ada Byron", "7", "1993 Legends", "", "", nil), 1993), "1993 Legends Ada Byron 7",
		},
		"only title": {described("Ember Fox", "", "", "", "", nil), "Ember Fox"},
		"variant and spaces": {
			described("Ember  Fox ", "54/167", "Dawn of Cinders", "Reverse Holo", "LP", nil),
			"Dawn of Cinders Ember Fox 54/167 Reverse Holo LP",
		},
		"graded": {described("Ember Fox", "54/167", "", "", "NM", psa95), "Ember Fox 54/167 PSA 9.5"},
		"80 characters": {
			withYear(described(strings.Repeat("n", 33), "54/167", strings.Repeat("s", 26), "Holo", "NM", nil), 2024),
			"2024 " + strings.Repeat("s", 26) + " " + strings.Repeat("n", 33) + " 54/167 Holo NM",
		},
		"81 characters, without the year": {
			withYear(described(strings.Repeat("n", 34), "54/167", strings.Repeat("s", 26), "Holo", "NM", nil), 2024),
			strings.Repeat("s", 26) + " " + strings.Repeat("n", 34) + " 54/167 Holo NM",
		},
		"words of the set give way": {
			withYear(described("Ember Fox with a name that is rather long for a single card", "54/167",
				"Dawn of Cinders Expansion", "", "NM", nil), 2024),
			"Dawn of Ember Fox with a name that is rather long for a single card 54/167 NM",
		},
		"set, variant and number give way": {
			described(strings.TrimSpace(strings.Repeat("Ember ", 13)), "54/167", "Dawn of Cinders", "Holo", "", nil),
			strings.TrimSpace(strings.Repeat("Ember ", 13)),
		},
		"graded, too long": {
			described(long, "1/1", "Set", "", "", psa9),
			strings.TrimSpace(strings.Repeat("Ember ", 12)) + " PSA 9",
		},
		"too long": {described(long, "", "", "", "", nil), strings.TrimSpace(strings.Repeat("Ember ", 13))},
		"one long word": {
			described(strings.Repeat("é", 200), "", "", "", "NM", nil), strings.Repeat("é", 77) + " NM",
		},
		"one word of the maximum length": {
			described(strings.Repeat("a", 77), "54/167", "", "", "NM", nil), strings.Repeat("a", 77) + " NM",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := title(tc.d); got != tc.want {
				t.Errorf("title: got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestDescribe_ForMarketplacesWithProducts(t *testing.T) {
	t.Parallel()
	catalogID := "ember-54"
	for variant, want := range map[string]string{
		"": "", "1st Edition": "", "Holofoil": marketplaces.FinishHolo, "1st Edition Holo": marketplaces.FinishHolo,
		"Reverse Holofoil": marketplaces.FinishReverseHolo, "foil": marketplaces.FinishFoil,
		"Etched Foil": marketplaces.FinishEtched, "nonfoil": "", "Non-Holo": "", "Cannon foil": marketplaces.FinishFoil,
	} {
		d := described("Ember Fox", "54/167", "Dawn of Cinders", variant, "NM", nil)
		d.CatalogID = &catalogID
		got := Describe(d)
		if got.Finish != want || got.Variant != variant || got.CatalogID != catalogID {
			t.Errorf("variant %q: got %+v, want the finish %q and the catalogue's identifier", variant, got, want)
		}
	}
}

func TestTitle_FitsMarketplaceLimit(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.SampledFrom([]rune("aé漢 9/")), 0, 200, -1)
	rapid.Check(t, func(t *rapid.T) {
		grades := []*cards.Grade{nil, {Company: "PSA", Value: text.Draw(t, "grade")}}
		d := withYear(described(
			"x"+text.Draw(t, "title"), text.Draw(t, "number"), text.Draw(t, "set"), text.Draw(t, "variant"),
			text.Draw(t, "condition"), rapid.SampledFrom(grades).Draw(t, "graded")), 1999)
		got := title(d)
		if n := utf8.RuneCountInString(got); n < 1 || n > marketplaces.MaxTitle {
			t.Fatalf("length of %q: got %d, want 1 to %d", got, n, marketplaces.MaxTitle)
		}
		if got != strings.TrimSpace(got) || strings.Contains(got, "  ") {
			t.Fatalf("title: got %q, want single spaces between words", got)
		}
	})
}

// No word of a title is cut, however long its parts are.
func TestTitle_KeepsWordsWhole(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-zé漢]{1,15}`)
	phrase := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 1, 12).Draw(t, "words"), " ")
	})
	rapid.Check(t, func(t *rapid.T) {
		d := withYear(described(phrase.Draw(t, "name"), word.Draw(t, "number"), phrase.Draw(t, "set"),
			phrase.Draw(t, "variant"), "NM", nil), 1999)
		whole := map[string]bool{}
		for _, w := range strings.Fields(words(d.Title, d.Number, d.Set, d.Variant) + " NM 1999") {
			whole[w] = true
		}
		for _, w := range strings.Fields(title(d)) {
			if !whole[w] {
				t.Fatalf("title %q of %q, %q, %q: %q is a part of a word", title(d), *d.Title, *d.Set, *d.Variant, w)
			}
		}
	})
}

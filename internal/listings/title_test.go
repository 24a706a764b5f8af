package listings

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
)

func described(title, number, set, variant, condition string, grade *cards.Grade) cards.Description {
	return cards.Description{
		Title: optional(title), Number: optional(number), Set: optional(set), Variant: optional(variant),
		Condition: optional(condition), Grade: grade,
	}
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
			"Ember Fox 54/167 Dawn of Cinders NM",
		},
		"only title": {described("Ember Fox", "", "", "", "", nil), "Ember Fox"},
		"variant and spaces": {
			described("Ember  Fox ", "54/167", "Dawn of Cinders", "Reverse Holo", "LP", nil),
			"Ember Fox 54/167 Dawn of Cinders Reverse Holo LP",
		},
		"graded": {described("Ember Fox", "54/167", "", "", "NM", psa95), "Ember Fox 54/167 PSA 9.5"},
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

func TestTitle_FitsMarketplaceLimit(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.SampledFrom([]rune("aé漢 9/")), 0, 200, -1)
	rapid.Check(t, func(t *rapid.T) {
		grades := []*cards.Grade{nil, {Company: "PSA", Value: text.Draw(t, "grade")}}
		got := title(described(
			"x"+text.Draw(t, "title"), text.Draw(t, "number"), text.Draw(t, "set"), text.Draw(t, "variant"),
			text.Draw(t, "condition"), rapid.SampledFrom(grades).Draw(t, "graded")))
		if n := utf8.RuneCountInString(got); n < 1 || n > marketplaces.MaxTitle {
			t.Fatalf("length of %q: got %d, want 1 to %d", got, n, marketplaces.MaxTitle)
		}
		if got != strings.TrimSpace(got) || strings.Contains(got, "  ") {
			t.Fatalf("title: got %q, want single spaces between words", got)
		}
	})
}

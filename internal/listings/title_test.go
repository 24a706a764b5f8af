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
	return cards.Description{Title: optional(title), Number: optional(number), Set: optional(set), Variant: optional(variant),
		Condition: optional(condition), Grade: grade}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Ember ", 20)
	for want, d := range map[string]cards.Description{
		"Ember Fox 54/167 Dawn of Cinders NM":                      described("Ember Fox", "54/167", "Dawn of Cinders", "", "NM", nil),
		"Ember Fox":                                                described("Ember Fox", "", "", "", "", nil),
		"Ember Fox 54/167 Dawn of Cinders Reverse Holo LP":         described("Ember  Fox ", "54/167", "Dawn of Cinders", "Reverse Holo", "LP", nil),
		"Ember Fox 54/167 PSA 9.5":                                 described("Ember Fox", "54/167", "", "", "NM", &cards.Grade{Company: "PSA", Value: "9.5"}),
		strings.TrimSpace(strings.Repeat("Ember ", 12)) + " PSA 9": described(long, "1/1", "Set", "", "", &cards.Grade{Company: "PSA", Value: "9"}),
		strings.TrimSpace(strings.Repeat("Ember ", 13)):            described(long, "", "", "", "", nil),
		strings.Repeat("é", 77) + " NM":                            described(strings.Repeat("é", 200), "", "", "", "NM", nil),
		strings.Repeat("a", 77) + " NM":                            described(strings.Repeat("a", 77), "54/167", "", "", "NM", nil),
	} {
		if got := title(d); got != want {
			t.Errorf("title = %q, want %q", got, want)
		}
	}
}

func TestTitle_FitsMarketplaceLimit(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.SampledFrom([]rune("aé漢 9/")), 0, 200, -1)
	rapid.Check(t, func(t *rapid.T) {
		d := described("x"+text.Draw(t, "title"), text.Draw(t, "number"), text.Draw(t, "set"), text.Draw(t, "variant"), text.Draw(t, "condition"),
			rapid.SampledFrom([]*cards.Grade{nil, {Company: "PSA", Value: text.Draw(t, "grade")}}).Draw(t, "graded"))
		got := title(d)
		if n := utf8.RuneCountInString(got); n < 1 || n > marketplaces.MaxTitle || got != strings.TrimSpace(got) || strings.Contains(got, "  ") {
			t.Fatalf("%q has %d characters", got, n)
		}
	})
}

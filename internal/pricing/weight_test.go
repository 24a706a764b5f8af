package pricing

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/cards"
)

// traits parses what a weight depends on from "condition|language|variant|grade".
func traits(text string) cards.Description {
	parts := append(strings.Split(text, "|"), make([]string, 4)...)
	field := func(i int) *string {
		if parts[i] == "" {
			return nil
		}
		return &parts[i]
	}
	d := cards.Description{Condition: field(0), Language: field(1), Variant: field(2)}
	if company, value, ok := strings.Cut(parts[3], " "); ok {
		d.Grade = &cards.Grade{Company: company, Value: value}
	}
	return d
}

func TestWeigh(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wanted, sold string
		days         int
		want         Weight
	}{
		"equal":                           {"NM|en|foil|PSA 9", "NM|en|foil|PSA 9", 0, 1000},
		"nothing known":                   {"", "", 0, 1000},
		"nothing asked":                   {"", "LP|ja||", 0, 1000},
		"one condition worse":             {"NM", "LP", 0, 300},
		"one condition better":            {"LP", "NM", 0, 300},
		"worst condition":                 {"NM", "DMG", 0, 20},
		"unknown condition":               {"NM", "", 0, 500},
		"language in other letters":       {"|pt-BR", "|pt-br", 0, 1000},
		"other language":                  {"|en", "|ja", 0, 100},
		"unknown language":                {"|en", "", 0, 500},
		"other variant":                   {"||foil", "||etched foil", 0, 100},
		"variant of one":                  {"", "||foil", 0, 300},
		"variant of the other":            {"||foil", "", 0, 300},
		"other company":                   {"|||PSA 9", "|||CGC 9", 0, 500},
		"half a grade apart":              {"|||BGS 9.5", "|||BGS 9", 0, 250},
		"half a grade and other company":  {"|||BGS 9.5", "|||PSA 10", 0, 120},
		"same grade in other words":       {"|||PSA 10", "|||PSA 10.0", 0, 1000},
		"a grade apart":                   {"|||PSA 9", "|||PSA 10", 0, 0},
		"grade in words":                  {"|||PSA Authentic", "|||PSA authentic", 0, 1000},
		"grade in words and number":       {"|||PSA Authentic", "|||PSA 9", 0, 0},
		"graded and ungraded":             {"|||PSA 9", "", 0, 0},
		"ungraded and graded":             {"", "|||PSA 9", 0, 0},
		"30 days":                         {"", "", 30, 1000},
		"31 days":                         {"", "", 31, 800},
		"91 days":                         {"", "", 91, 600},
		"181 days":                        {"", "", 181, 400},
		"two years":                       {"", "", 730, 400},
		"product":                         {"NM|en", "LP|ja", 100, 18},
		"different in all, but no grade":  {"NM|en|foil", "DMG|ja|etched", 365, 1},
		"different in all, with company":  {"NM|en|foil|PSA 9.5", "DMG|ja|etched|CGC 9", 365, 1},
		"different in all, another grade": {"NM|en|foil|PSA 9.5", "DMG|ja|etched|CGC 8", 365, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wanted, sold := traits(c.wanted), traits(c.sold)
			if got := weigh(&wanted, &sold, c.days); got != c.want {
				t.Errorf("weigh: got %d, want %d", got, c.want)
			}
		})
	}
}

// The weight does not increase with the difference in condition or with the age, and no weight is above that of an
// equal card.
func TestWeigh_DecreasesWithDifference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) cards.Description {
			return traits(rapid.SampledFrom(cards.Conditions).Draw(t, name+" condition") + "|" +
				rapid.SampledFrom([]string{"", "en", "ja"}).Draw(t, name+" language") + "|" +
				rapid.SampledFrom([]string{"", "foil", "etched"}).Draw(t, name+" variant") + "|" +
				rapid.SampledFrom([]string{"", "PSA 9", "PSA 10", "CGC 9.5"}).Draw(t, name+" grade"))
		}
		wanted, sold := draw("wanted"), draw("sold")
		days := rapid.IntRange(0, 400).Draw(t, "days")
		weight := weigh(&wanted, &sold, days)
		if later := weigh(&wanted, &sold, days+rapid.IntRange(0, 400).Draw(t, "later")); later > weight {
			t.Errorf("weight of an older price: got %d, want at most %d", later, weight)
		}
		if equal := weigh(&wanted, &wanted, days); weight > equal {
			t.Errorf("weight: got %d, want at most that of an equal card, %d", weight, equal)
		}
		near := sold
		near.Condition = wanted.Condition
		if weigh(&wanted, &near, days) < weight {
			t.Errorf("weight in the same condition: got less than %d of another", weight)
		}
	})
}

func TestDaysBetween(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]int{
		-time.Hour: 0, 0: 0, 24*time.Hour - 1: 0, 24 * time.Hour: 1, 49 * time.Hour: 2,
	} {
		if got := daysBetween(now.Add(-ago), now); got != want {
			t.Errorf("days since %v ago: got %d, want %d", ago, got, want)
		}
	}
}

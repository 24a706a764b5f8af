package judge

import (
	"testing"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
)

func TestFacts_OtherNumber(t *testing.T) {
	t.Parallel()
	card := catalog.Card{Number: "4", PrintedTotal: 102}
	for name, c := range map[string]struct {
		printed []string
		card    catalog.Card
		want    bool
	}{
		"nothing printed":        {nil, card, false},
		"the same":               {[]string{"4/102"}, card, false},
		"with zeros":             {[]string{"004/102"}, card, false},
		"another number":         {[]string{"5/102"}, card, true},
		"another total":          {[]string{"4/130"}, card, true},
		"one of two":             {[]string{"5/102", "4/102"}, card, false},
		"power and toughness":    {[]string{"10/10"}, card, false},
		"no total known":         {[]string{"4/130"}, catalog.Card{Number: "4"}, false},
		"another without total":  {[]string{"5/130"}, catalog.Card{Number: "4"}, true},
		"another promo":          {[]string{"SWSH179"}, catalog.Card{Number: "SWSH149", PrintedTotal: 307}, true},
		"a promo":                {[]string{"SVP EN 159"}, catalog.Card{Number: "159", PrintedTotal: 225}, false},
		"of a gallery":           {[]string{"GG10/GG70"}, catalog.Card{Number: "GG10", PrintedTotal: 159}, false},
		"gallery with its count": {[]string{"GG10/GG70"}, catalog.Card{Number: "GG10", PrintedTotal: 70}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := factsOf(cardtext.Text{Printed: c.printed, Foot: c.printed}).otherNumber(c.card); got != c.want {
				t.Errorf("otherNumber: got %v, want %v", got, c.want)
			}
		})
	}
}

// A number that was read without certainty contradicts a card only if it does not resemble the card's.
func TestFacts_OtherNumberUnsure(t *testing.T) {
	t.Parallel()
	card := catalog.Card{Number: "160", PrintedTotal: 193}
	for line, want := range map[string]bool{"33/151": true, "161/193": false, "160/198": false, "no number": false} {
		if got := factsOf(cardtext.Text{Foot: []string{line}}).otherNumber(card); got != want {
			t.Errorf("%s: got %v, want %v", line, got, want)
		}
	}
}

// Promotional cards have no total: the code of their set distinguishes their numbers from those of other sets.
func TestFacts_BesideSet(t *testing.T) {
	t.Parallel()
	promo := catalog.Card{Number: "159", SetCode: "PR-SV"}
	for name, c := range map[string]struct {
		foot            string
		isCertain       bool
		card            catalog.Card
		agrees, differs bool
	}{
		"the same":               {"SVP EN 159", true, promo, true, false},
		"the same, unsure":       {"SVPan 159", false, promo, true, false},
		"another number":         {"SVP EN 153", true, promo, false, true},
		"another number, unsure": {"SVPan 153", false, promo, false, false},
		"a card of a set":        {"SVP EN 159", true, catalog.Card{Number: "159", SetCode: "SSP"}, false, false},
		"no number":              {"SVP EN", true, promo, false, false},
		"neither number":         {"SVP EN", true, catalog.Card{SetCode: "PR-SV"}, false, false},
		"with a total":           {"PAL EN 159/193", true, catalog.Card{Number: "7", SetCode: "PAL"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := cardtext.Text{Foot: []string{c.foot}}
			if c.isCertain {
				text.Printed = text.Foot
			}
			agrees, differs := factsOf(text).besideSet(c.card)
			if agrees != c.agrees || differs != c.differs {
				t.Errorf("besideSet: got %v, %v, want %v, %v", agrees, differs, c.agrees, c.differs)
			}
		})
	}
}

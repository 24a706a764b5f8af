package catalog

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/money"
)

// pokemonCard is an entry of cards/en/<set>.json, as far as the catalogue uses it.
type pokemonCard struct {
	ID          string      `json:"id"`
	Name        string      `json:"name"`
	Number      string      `json:"number"`
	HP          looseInt    `json:"hp"`
	Artist      string      `json:"artist"`
	Rarity      string      `json:"rarity"`
	EvolvesFrom string      `json:"evolvesFrom"`
	Ancient     *namedText  `json:"ancientTrait"`
	Abilities   []namedText `json:"abilities"`
	Attacks     []namedText `json:"attacks"`
	Rules       []string    `json:"rules"`
	Flavor      string      `json:"flavorText"`
	TCGPlayer   *struct {
		UpdatedAt string                        `json:"updatedAt"`
		Prices    map[string]map[string]float64 `json:"prices"`
	} `json:"tcgplayer"`
	Cardmarket *struct {
		UpdatedAt string             `json:"updatedAt"`
		Prices    map[string]float64 `json:"prices"`
	} `json:"cardmarket"`
}

type namedText struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func (p pokemonCard) card(set pokemonSet, printedTotal int) Card {
	code := set.Code
	if code == "" {
		code = strings.ToUpper(set.ID)
	}
	c := Card{ID: p.ID, Game: "pokemon", Name: p.Name, Set: set.Name, SetCode: code, Number: p.Number,
		PrintedTotal: printedTotal, Year: yearOf(set.ReleaseDate), Illustrator: p.Artist, HP: int(p.HP),
		Language: "en", Rarity: p.Rarity, Text: p.text()}
	c.Price, c.PriceAsOf = p.price()
	return c
}

// text joins what the card's body says, in the order it is printed.
func (p pokemonCard) text() string {
	var parts []string
	if p.EvolvesFrom != "" {
		parts = append(parts, "Evolves from "+p.EvolvesFrom)
	}
	named := append(p.Abilities, p.Attacks...)
	if p.Ancient != nil {
		named = append([]namedText{*p.Ancient}, named...)
	}
	for _, n := range named {
		parts = append(parts, strings.TrimSpace(n.Name+" "+n.Text))
	}
	parts = append(append(parts, p.Rules...), p.Flavor)
	return strings.Join(parts, "\n")
}

// plainest are TCGplayer's finishes in the order in which one stands for the card; others come after.
var plainest = []string{"normal", "unlimited", "holofoil", "unlimitedHolofoil", "reverseHolofoil"}

// price returns TCGplayer's market price of the plainest finish that has one, else Cardmarket's trend.
func (p pokemonCard) price() (*money.Money, *time.Time) {
	if t := p.TCGPlayer; t != nil {
		day, known := dateOf(t.UpdatedAt)
		for _, finish := range append(slices.Clone(plainest), slices.Sorted(maps.Keys(t.Prices))...) {
			if price := priceOf(t.Prices[finish]["market"], "USD"); price != nil && known {
				return price, &day
			}
		}
	}
	if m := p.Cardmarket; m != nil {
		day, known := dateOf(m.UpdatedAt)
		if price := priceOf(m.Prices["trendPrice"], "EUR"); price != nil && known {
			return price, &day
		}
	}
	return nil, nil
}

// printedTotals returns which total the cards of a set print behind their number, by number:
//   - promos print none;
//   - numbers that go far past the set's cards are those of other sets (a collection of reprints), so
//     the set's total is not behind them;
//   - numbers with letters in front print none, but for galleries, which are counted on their own;
//   - all others print the set's own total. A number above it is no mistake: secret rares are 230/182.
//
// One mistake is known and put right: a record made before the set was out. No secret rare is common or
// uncommon, so if the first card past the total is, the total is the last such card's number.
func printedTotals(set pokemonSet, list []pokemonCard) func(number string) int {
	highest, ordinary := 0, 0
	galleries := map[string]int{}
	pastIsOrdinary := false
	for _, card := range list {
		value, plain := numberValue(card.Number)
		if !plain {
			prefix := numberPrefix(card.Number)
			part, _ := numberValue(strings.TrimPrefix(strings.ToUpper(card.Number), prefix))
			galleries[prefix] = max(galleries[prefix], part)
			continue
		}
		highest = max(highest, value)
		if card.Rarity == "Common" || card.Rarity == "Uncommon" {
			ordinary = max(ordinary, value)
			pastIsOrdinary = pastIsOrdinary || value == set.PrintedTotal+1
		}
	}
	total := set.PrintedTotal
	if pastIsOrdinary {
		total = ordinary
	}
	if strings.Contains(set.Name, "Promo") || highest > max(set.Total, len(list)) {
		total = 0
	}
	return func(number string) int {
		prefix := numberPrefix(number)
		switch {
		case total == 0, prefix == "" && len([]rune(number)) > 1 && !isDigit(rune(number[0])):
			return 0 // the second is ONE, TWO of the Alph Lithographs: words, not numbers
		case prefix == "":
			return total
		case galleryPrefixes[prefix]:
			return galleries[prefix]
		}
		return 0
	}
}

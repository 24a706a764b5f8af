package catalog

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/money"
)

// pokemonCard is an entry of cards/en/<set>.json with the fields that the catalogue uses.
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
	c := Card{
		ID: p.ID, Game: "pokemon", Name: p.Name, Set: set.Name, SetCode: code, Number: p.Number,
		PrintedTotal: printedTotal, Year: yearOf(set.ReleaseDate), Illustrator: p.Artist, HP: int(p.HP),
		Language: "en", Rarity: p.Rarity, Text: p.text(),
	}
	c.Price, c.PriceAsOf = p.price()
	return c
}

// text joins the parts of the card's body text in the printed order.
func (p pokemonCard) text() string {
	var parts []string
	if p.EvolvesFrom != "" {
		parts = append(parts, "Evolves from "+p.EvolvesFrom)
	}
	attacks := append(p.Abilities, p.Attacks...)
	if p.Ancient != nil {
		attacks = append([]namedText{*p.Ancient}, attacks...)
	}
	for _, n := range attacks {
		parts = append(parts, strings.TrimSpace(n.Name+" "+n.Text))
	}
	parts = append(append(parts, p.Rules...), p.Flavor)
	return strings.Join(parts, "\n")
}

// finishes are TCGplayer's finishes. The price of the first finish that has one is the card's price. Other finishes
// come last.
var finishes = []string{"normal", "unlimited", "holofoil", "unlimitedHolofoil", "reverseHolofoil"}

// price returns TCGplayer's market price of the first finish that has one, or else Cardmarket's trend price.
func (p pokemonCard) price() (*money.Money, *time.Time) {
	if t := p.TCGPlayer; t != nil {
		day, known := dateOf(t.UpdatedAt)
		for _, finish := range append(slices.Clone(finishes), slices.Sorted(maps.Keys(t.Prices))...) {
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

// printedTotals returns a function that returns the printed total of a card by its number, or 0 if the card has none:
//   - Promos have no printed total.
//   - If numbers exceed the number of cards by far, the set is a collection of reprints with the numbers of other sets,
//     and has no printed total.
//   - Numbers with a prefix have no printed total, except in galleries, which have totals of their own.
//   - All other cards print the total of the set. Numbers of secret rares exceed it, such as 230/182.
//
// It corrects the total of a set that was recorded before the release. Secret rares are never common or uncommon. So if
// the first card above the total is common or uncommon, the true total is the number of the last such card.
func printedTotals(set pokemonSet, list []pokemonCard) func(number string) int {
	highest, ordinary := 0, 0
	numbers := make([]string, 0, len(list))
	pastIsOrdinary := false
	for _, card := range list {
		numbers = append(numbers, card.Number)
		value, plain := numberValue(card.Number)
		if !plain {
			continue
		}
		highest = max(highest, value)
		if card.Rarity == "Common" || card.Rarity == "Uncommon" {
			ordinary = max(ordinary, value)
			pastIsOrdinary = pastIsOrdinary || value == set.PrintedTotal+1
		}
	}
	galleries, total := galleryTotals(numbers), set.PrintedTotal
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
			return 0 // the second case is the Alph Lithographs, whose numbers are words: ONE, TWO
		case prefix == "":
			return total
		case galleryPrefixes[prefix]:
			return galleries[prefix]
		}
		return 0
	}
}

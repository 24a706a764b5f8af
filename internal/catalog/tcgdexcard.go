package catalog

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/money"
)

// tcgdexCard is a card of TCGdex (https://tcgdex.dev/reference/card) with the fields that the catalogue uses, or a set
// with its cards. The texts are in one language, or in several in a file with the names in all languages.
type tcgdexCard struct {
	ID          string       `json:"id"`
	LocalID     looseText    `json:"localId"`
	Name        byLanguage   `json:"name"`
	Language    string       `json:"language"`
	Illustrator looseText    `json:"illustrator"`
	HP          looseInt     `json:"hp"`
	Rarity      looseText    `json:"rarity"`
	Set         tcgdexSet    `json:"set"`
	Text        []string     `json:"text"`
	EvolveFrom  byLanguage   `json:"evolveFrom"`
	Description byLanguage   `json:"description"`
	Effect      byLanguage   `json:"effect"`
	Abilities   []tcgdexPart `json:"abilities"`
	Attacks     []tcgdexPart `json:"attacks"`
	Item        tcgdexPart   `json:"item"`
	Pricing     struct {
		TCGplayer  tcgdexPrices `json:"tcgplayer"`
		Cardmarket tcgdexPrices `json:"cardmarket"`
	} `json:"pricing"`

	// The fields of a set.
	Cards        []tcgdexCard `json:"cards"`
	CardCount    tcgdexCount  `json:"cardCount"`
	Released     string       `json:"releaseDate"`
	Abbreviation tcgdexCode   `json:"abbreviation"`
}

// tcgdexSet is the set of a card.
type tcgdexSet struct {
	ID           string      `json:"id"`
	Code         string      `json:"code"` // the identifier in the first version of the API
	Name         byLanguage  `json:"name"`
	CardCount    tcgdexCount `json:"cardCount"`
	Released     string      `json:"releaseDate"`
	Abbreviation tcgdexCode  `json:"abbreviation"`
}

// tcgdexCount has the printed total.
type tcgdexCount struct {
	Official looseInt `json:"official"`
}

// tcgdexCode has the printed code of a set.
type tcgdexCode struct {
	Official string `json:"official"`
}

// tcgdexPart is an ability, an attack or an item.
type tcgdexPart struct {
	Name   byLanguage `json:"name"`
	Effect byLanguage `json:"effect"`
	Text   byLanguage `json:"text"` // the effect in the first version of the API
}

// tcgdexPrices are a card's prices at a marketplace: the trend at Cardmarket, and the market price by finish at
// TCGplayer.
type tcgdexPrices struct {
	Updated  string       `json:"updated"`
	Trend    looseNumber  `json:"trend"`
	Normal   tcgdexFinish `json:"normal"`
	Holofoil tcgdexFinish `json:"holofoil"`
	Reverse  tcgdexFinish `json:"reverse-holofoil"`
}

type tcgdexFinish struct {
	Market looseNumber `json:"marketPrice"`
}

// asSet returns the set whose cards these are.
func (t tcgdexCard) asSet() tcgdexSet {
	return tcgdexSet{ID: t.ID, Name: t.Name, CardCount: t.CardCount, Released: t.Released, Abbreviation: t.Abbreviation}
}

// setID returns the identifier of the set. In lists of cards, only the identifier of the card has it.
func (t tcgdexCard) setID() string {
	return either(either(t.Set.ID, t.Set.Code), strings.TrimSuffix(t.ID, "-"+string(t.LocalID)))
}

// languages returns the languages of the card, as TCGdex names them. It takes them from the card's names, or else from
// the card, or else from its file.
func (t tcgdexCard) languages(file string) []string {
	if _, one := t.Name[""]; !one && len(t.Name) > 0 {
		return slices.Sorted(maps.Keys(t.Name))
	}
	if language := either(t.Language, file); language != "" {
		return []string{language}
	}
	return nil
}

// card returns the printing in a language. Its identifier has the language, because all languages of a set have the
// same in TCGdex, and a prefix, because pokemon-tcg-data has the same for many English cards.
func (t tcgdexCard) card(language string, galleries map[string]int) Card {
	tag := languageOf(language)
	id := either(t.ID, t.setID()+"-"+string(t.LocalID))
	c := Card{
		ID: "tcgdex:" + tag + ":" + id, Game: "pokemon", Name: t.Name.in(language), Set: t.Set.Name.in(language),
		SetCode: either(t.Set.Abbreviation.Official, t.setID()), Number: string(t.LocalID),
		Year: yearOf(t.Set.Released), Illustrator: string(t.Illustrator), HP: int(t.HP), Language: tag,
		Rarity: string(t.Rarity), Text: t.text(language),
	}
	if c.Rarity == "None" {
		c.Rarity = ""
	}
	prefix := numberPrefix(c.Number)
	if _, plain := numberValue(c.Number); plain {
		c.PrintedTotal = int(t.Set.CardCount.Official)
	} else if galleryPrefixes[prefix] {
		c.PrintedTotal = galleries[prefix]
	}
	c.Price, c.PriceAsOf = t.price()
	return c
}

// text joins the parts of the card's body text in a language.
func (t tcgdexCard) text(language string) string {
	parts := []string{t.EvolveFrom.in(language)}
	for _, part := range slices.Concat(t.Abilities, t.Attacks, []tcgdexPart{t.Item}) {
		effect := either(part.Effect.in(language), part.Text.in(language))
		parts = append(parts, strings.TrimSpace(part.Name.in(language)+" "+effect))
	}
	parts = append(parts, t.Effect.in(language), t.Description.in(language))
	parts = append(parts, t.Text...)
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n")
}

// price returns TCGplayer's market price of the first finish that has one, or else Cardmarket's trend price.
func (t tcgdexCard) price() (*money.Money, *time.Time) {
	player, market := t.Pricing.TCGplayer, t.Pricing.Cardmarket
	for _, p := range []struct {
		amount   looseNumber
		currency string
		updated  string
	}{
		{player.Normal.Market, "USD", player.Updated}, {player.Holofoil.Market, "USD", player.Updated},
		{player.Reverse.Market, "USD", player.Updated}, {market.Trend, "EUR", market.Updated},
	} {
		day, known := dateOf(p.updated[:min(len(p.updated), len("2006-01-02"))])
		if price := priceOf(float64(p.amount), p.currency); price != nil && known {
			return price, &day
		}
	}
	return nil, nil
}

// galleryTotals returns the highest number of each gallery of a set, by prefix.
func galleryTotals(numbers []string) map[string]int {
	totals := map[string]int{}
	for _, number := range numbers {
		prefix := numberPrefix(number)
		value, _ := numberValue(strings.TrimPrefix(strings.ToUpper(number), prefix))
		totals[prefix] = max(totals[prefix], value)
	}
	return totals
}

package catalog

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/money"
)

// Maximum lengths of a card's fields, in characters. The contract limits id, name and set to the same lengths, as a
// card's catalog_id, title and set. A number of maxNumber characters with its total has at most 20, the contract's
// limit.
const (
	maxID     = 64
	maxName   = 200
	maxSet    = 120
	maxNumber = 12
	maxShort  = 100
	// maxText is the length to which the body text is cut. Only searches use it. Existing texts have up to 1,500
	// characters.
	maxText = 8_000
)

// clean returns text without control characters except line breaks, without invalid UTF-8, and without surrounding
// space.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
	return strings.TrimSpace(text)
}

// check returns the card with clean texts, or an error that names the first invalid field.
func check(c Card) (Card, error) {
	fields := []struct {
		name     string
		value    *string
		max      int
		required bool
	}{
		{"id", &c.ID, maxID, true}, {"name", &c.Name, maxName, true}, {"set", &c.Set, maxSet, false},
		{"set_code", &c.SetCode, maxShort, false}, {"number", &c.Number, maxNumber, false},
		{"illustrator", &c.Illustrator, maxShort, false}, {"language", &c.Language, maxShort, false},
		{"rarity", &c.Rarity, maxShort, false}, {"variant", &c.Variant, maxShort, false},
	}
	for _, f := range fields {
		*f.value = clean(*f.value)
		if f.required && *f.value == "" {
			return c, errors.New(f.name + " is missing")
		}
		if n := utf8.RuneCountInString(*f.value); n > f.max {
			return c, fmt.Errorf("%s has %d characters, at most %d are allowed", f.name, n, f.max)
		}
	}
	if c.Text = clean(c.Text); utf8.RuneCountInString(c.Text) > maxText {
		c.Text = string([]rune(c.Text)[:maxText])
	}
	return c, checkNumbers(c)
}

func checkNumbers(c Card) error {
	if c.PrintedTotal < 0 || c.PrintedTotal > maxPrintedTotal {
		return fmt.Errorf("printed_total %d is not between 0 and %d", c.PrintedTotal, maxPrintedTotal)
	}
	if c.Year != 0 && (c.Year < 1850 || c.Year > 2200) {
		return fmt.Errorf("year %d is not between 1850 and 2200", c.Year)
	}
	if c.HP < 0 || c.HP > 100_000 {
		return fmt.Errorf("hp %d is not between 0 and 100000", c.HP)
	}
	if c.Price == nil {
		return nil
	}
	return checkPrice(*c.Price)
}

func checkPrice(price money.Money) error {
	if err := price.Check("price"); err != nil {
		return fmt.Errorf("price %d %s is not an amount of money in an ISO 4217 currency", price.Amount, price.Currency)
	}
	return nil
}

// The games of the formats for one game that the contract does not name.
const (
	lorcanaGame  = "other"
	onePieceGame = "other"
)

// games maps the names that catalogues use, as keys of textKey, to the contract's games.
var games = map[string]string{
	"pokemon": "pokemon", "pokemon tcg": "pokemon", "pokemon japan": "pokemon", "ptcg": "pokemon",
	"magic": "magic", "mtg": "magic", "magic the gathering": "magic",
	"yugioh": "yugioh", "yu gi oh": "yugioh", "ygo": "yugioh",
	"sports": "sports", "sport": "sports", "baseball": "sports", "basketball": "sports", "football": "sports",
	"hockey": "sports", "soccer": "sports",
}

// GameOf returns the contract's game for a catalogue's name of it, or "other".
func GameOf(name string) string {
	if game, ok := games[textKey(name)]; ok {
		return game
	}
	return "other"
}

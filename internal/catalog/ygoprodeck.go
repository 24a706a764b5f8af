package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ygoCard is an entry of "data" in the answer of YGOPRODeck's cardinfo.php (https://ygoprodeck.com/api-guide/).
type ygoCard struct {
	ID   looseText `json:"id"` // the passcode
	Name string    `json:"name"`
	// EnglishName is set in an answer in another language; Name is then in that language.
	EnglishName string            `json:"name_en"`
	Names       map[string]string `json:"names"` // by language, in files with several
	Type        string            `json:"type"`
	Text        string            `json:"desc"`
	Sets        []ygoPrinting     `json:"card_sets"`
}

// ygoPrinting is a printing of a card.
type ygoPrinting struct {
	Set    string      `json:"set_name"`
	Code   string      `json:"set_code"`
	Rarity string      `json:"set_rarity"`
	Price  looseNumber `json:"set_price"` // in US dollars; 0 if unknown
}

// ygoNumber matches a set code such as LOB-045, LOB-EN045 and LOB-E045: the set, the letters of the language, and the
// number, which may begin with letters.
var ygoNumber = regexp.MustCompile(`^([A-Z0-9]+)-(EN|DE|FR|IT|PT|SP|JP|KR|AE|SC|TC|[AEGFIPSJK](?:[0-9]))?`)

// ygoLanguages maps the letters of languages in set codes to BCP 47 tags. Older codes have one letter.
var ygoLanguages = map[string]string{
	"": "en", "EN": "en", "AE": "en", "E": "en", "A": "en", "DE": "de", "G": "de", "FR": "fr", "F": "fr",
	"IT": "it", "I": "it", "PT": "pt", "P": "pt", "SP": "es", "S": "es", "JP": "ja", "J": "ja", "KR": "ko", "K": "ko",
	"SC": "zh-Hans", "TC": "zh-Hant",
}

// ygoInfixes are the letters of the languages in which the printings of an English code exist.
var ygoInfixes = map[string]string{"de": "DE", "fr": "FR", "it": "IT", "pt": "PT", "es": "SP"}

// parseYGOPRODeck parses the answer of YGOPRODeck: a card for each printing, or those in out.language.
func parseYGOPRODeck(f *file, out *sink) error {
	base, _, _ := strings.Cut(strings.ToLower(out.language), "-")
	printings := 0
	card := func(line int, element json.RawMessage) error {
		var card ygoCard
		if err := json.Unmarshal(element, &card); err != nil {
			return out.skip("", line, "not a card: "+err.Error())
		}
		for _, printing := range card.Sets {
			c, ok := card.printing(printing, base)
			if printings++; !ok {
				out.others++
				continue
			}
			if c.Price != nil {
				c.PriceAsOf = &f.asOf
			}
			if err := out.card("", line, c); err != nil {
				return err
			}
		}
		return nil
	}
	err := eachMemberExcept(&f.source, "data", card, func(int, string, json.RawMessage) error { return nil })
	if err == nil && printings == 0 {
		err = errors.New(`"data" has no card with card_sets`)
	}
	return err
}

// printing returns a printing as a card. If language is not English and the code belongs to the English printing, it
// returns the printing in language. That printing has the same code with the letters of the language. ok is false if it
// does not exist: the card has no name in the language, or the set was only printed in English.
func (y ygoCard) printing(p ygoPrinting, language string) (c Card, ok bool) {
	code := strings.ToUpper(clean(p.Code))
	match := ygoNumber.FindStringSubmatch(code)
	if match == nil {
		match = []string{"", code, ""}
	}
	infix := strings.TrimRight(match[2], "0123456789")
	printedLanguage := ygoLanguages[infix]
	if other, known := ygoInfixes[language]; known && infix == "EN" {
		code, printedLanguage = match[1]+"-"+other+strings.TrimPrefix(code, match[1]+"-EN"), language
	}
	name := y.name(printedLanguage)
	if derived := printedLanguage == language && infix == "EN" && language != "en"; !derived {
		name = either(name, y.Name)
	}
	if name == "" || language != "" && !sameLanguage(language, printedLanguage) {
		return c, false
	}
	c = Card{
		ID: ygoID(code, string(y.ID), p.Set, p.Rarity), Game: "yugioh", Name: name, Set: p.Set, SetCode: match[1],
		Number: code, Language: printedLanguage, Rarity: p.Rarity,
	}
	if isEnglish := y.EnglishName == ""; isEnglish == (printedLanguage == "en") {
		c.Text = strings.TrimSpace(y.Type + "\n" + y.Text)
	}
	if strings.Contains(code, "?") { // a printing that is announced, whose number is not known yet
		c.Number = ""
	}
	if printedLanguage == "en" {
		c.Price = priceOf(float64(p.Price), "USD")
	}
	return c, true
}

// name returns the card's name in a language, or "" if the file does not have it.
func (y ygoCard) name(language string) string {
	switch name := y.Names[language]; {
	case name != "":
		return name
	case y.EnglishName == "" && language != "en":
		return ""
	case language == "en":
		return either(y.EnglishName, y.Name)
	}
	return y.Name
}

// ygoID returns the identifier of a printing. The code alone is not unique: a card may have several rarities under one
// code, and a later edition of a set repeats the codes of the first.
func ygoID(code, passcode, set, rarity string) string {
	return fmt.Sprintf("ygo:%s:%s:%s", code, passcode, shortHash(set+"\n"+rarity))
}

package catalog

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/money"
)

// scryfallCard is a card object of Scryfall's bulk data (https://scryfall.com/docs/api/cards) with the fields that the
// catalogue uses.
type scryfallCard struct {
	Object      string            `json:"object"`
	ID          string            `json:"id"`
	Lang        string            `json:"lang"`
	Released    string            `json:"released_at"`
	Set         string            `json:"set"`
	SetName     string            `json:"set_name"`
	Number      string            `json:"collector_number"`
	Rarity      string            `json:"rarity"`
	Digital     bool              `json:"digital"`
	Finishes    []string          `json:"finishes"`
	Prices      map[string]string `json:"prices"`
	PrintedSize int               `json:"printed_size"`
	scryfallFace
	Faces []scryfallFace `json:"card_faces"`
}

// scryfallFace is one face of a card. The card object itself contains the face of a card that has only one.
type scryfallFace struct {
	Name        string `json:"name"`
	PrintedName string `json:"printed_name"`
	Type        string `json:"type_line"`
	PrintedType string `json:"printed_type_line"`
	Text        string `json:"oracle_text"`
	PrintedText string `json:"printed_text"`
	Flavor      string `json:"flavor_text"`
	Artist      string `json:"artist"`
}

// parseScryfall parses Scryfall's bulk data. It ignores cards that exist only online.
func parseScryfall(f *file, out *sink) error {
	return eachElement(&f.source, func(line int, element json.RawMessage) error {
		var card scryfallCard
		if err := json.Unmarshal(element, &card); err != nil {
			return out.skip("", line, "not a card: "+err.Error())
		}
		if card.Object != "card" {
			return out.skip("", line, `not a card: "object" is `+strconv.Quote(card.Object))
		}
		if card.Digital {
			return nil
		}
		c := card.card()
		if c.Price != nil {
			c.PriceAsOf = &f.asOf
		}
		return out.card("", line, c)
	})
}

func (s scryfallCard) card() Card {
	c := Card{
		ID: s.ID, Game: "magic", Name: s.name(), Set: s.SetName,
		SetCode: strings.ToUpper(s.Set), Number: s.Number, Year: yearOf(s.Released), Illustrator: s.Artist,
		Language: languageOf(s.Lang), Rarity: s.Rarity, Text: s.text(),
	}
	if len(s.Finishes) == 1 && s.Finishes[0] != "nonfoil" {
		c.Variant = s.Finishes[0] // the printing exists only in this finish
	}
	c.Price = s.price()
	return c
}

// name returns the printed name of a card in another language than English: the names of its faces, joined as in
// English.
func (s scryfallCard) name() string {
	names := make([]string, len(s.Faces))
	for i, face := range s.Faces {
		if face.PrintedName == "" {
			return either(s.PrintedName, s.Name)
		}
		names[i] = face.PrintedName
	}
	return either(either(s.PrintedName, strings.Join(names, " // ")), s.Name)
}

// text joins the types and texts of the faces and, if there are several, their names.
func (s scryfallCard) text() string {
	faces := s.Faces
	if len(faces) == 0 {
		faces = []scryfallFace{s.scryfallFace}
	}
	var parts []string
	for _, face := range faces {
		if len(faces) > 1 {
			parts = append(parts, either(face.PrintedName, face.Name))
		}
		parts = append(parts,
			either(face.PrintedType, face.Type), either(face.PrintedText, face.Text), face.Flavor)
	}
	return strings.Join(parts, "\n")
}

// price returns the price in US dollars of the first finish that has one.
func (s scryfallCard) price() *money.Money {
	for _, finish := range []string{"usd", "usd_foil", "usd_etched"} {
		if major, err := strconv.ParseFloat(s.Prices[finish], 64); err == nil {
			return priceOf(major, "USD")
		}
	}
	return nil
}

func either(first, second string) string {
	if first != "" {
		return first
	}
	return second
}

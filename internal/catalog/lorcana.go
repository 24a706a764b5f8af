package catalog

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// lorcanaCard is an entry of "cards" in a file of LorcanaJSON (https://lorcanajson.org).
type lorcanaCard struct {
	ID         looseText `json:"id"` // the same in all languages
	FullName   string    `json:"fullName"`
	Name       string    `json:"name"`
	Identifier string    `json:"fullIdentifier"` // as printed: "1/204 • EN • 7"
	Number     looseText `json:"number"`
	Variant    string    `json:"variant"` // the letter after the number of one of several pictures
	SetCode    looseText `json:"setCode"`
	Rarity     string    `json:"rarity"`
	Artists    string    `json:"artistsText"`
	Text       string    `json:"fullText"`
	Flavor     string    `json:"flavorText"`
	Type       string    `json:"type"`
}

// lorcanaSet is a set of LorcanaJSON.
type lorcanaSet struct {
	Name     string `json:"name"`
	Released string `json:"releaseDate"`
}

// lorcanaParser parses a file of LorcanaJSON. The metadata and the sets stand before the cards.
type lorcanaParser struct {
	out      *sink
	language string
	sets     map[string]lorcanaSet // by code
	set      lorcanaSet            // of a file with one set
}

// parseLorcana parses allCards.json, or the file of a set.
func parseLorcana(f *file, out *sink) error {
	p := lorcanaParser{out: out}
	return eachMemberExcept(&f.source, "cards", p.card, func(_ int, key string, value json.RawMessage) error {
		var err error
		switch key {
		case "metadata":
			var metadata struct {
				Language string `json:"language"`
			}
			err = json.Unmarshal(value, &metadata)
			p.language = metadata.Language
		case "sets":
			err = json.Unmarshal(value, &p.sets)
		case "name":
			err = json.Unmarshal(value, &p.set.Name)
		case "releaseDate":
			err = json.Unmarshal(value, &p.set.Released)
		}
		return err
	})
}

// lorcanaIdentifier matches the number, the printed total, or the letters and number of a group of promotional cards,
// and the language.
var lorcanaIdentifier = regexp.MustCompile(`^(\d+)[A-Za-z]?/([A-Z]*\d+)\W+([A-Z]{2})\b`)

// card passes an element of "cards" on.
func (p *lorcanaParser) card(line int, element json.RawMessage) error {
	var l lorcanaCard
	if err := json.Unmarshal(element, &l); err != nil {
		return p.out.skip("", line, "not a card: "+err.Error())
	}
	set, known := p.sets[string(l.SetCode)]
	if !known {
		set = p.set
	}
	c := Card{
		Game: lorcanaGame, Name: either(l.FullName, l.Name), Set: set.Name, SetCode: string(l.SetCode),
		Number: string(l.Number) + l.Variant, Year: yearOf(set.Released), Illustrator: l.Artists,
		Language: p.language, Rarity: l.Rarity,
	}
	if match := lorcanaIdentifier.FindStringSubmatch(l.Identifier); match != nil {
		c.Language = strings.ToLower(match[3])
		if total, err := strconv.Atoi(match[2]); err == nil {
			c.PrintedTotal = total
		} else {
			c.Variant = "promo " + match[2] // the number is printed as 12/P1
		}
	}
	texts := slices.DeleteFunc([]string{l.Type, l.Text, l.Flavor}, func(s string) bool { return s == "" })
	c.Text = strings.Join(texts, "\n")
	if l.ID != "" {
		c.ID = "lorcana:" + c.Language + ":" + string(l.ID)
	}
	return p.out.card("", line, c)
}

package ebayapi

import (
	"html"
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// maxAspect is the largest number of characters of an aspect's value.
const maxAspect = 50

// gameNames are the values of the aspect Game. They are the same on all sites.
var gameNames = map[string]string{
	"pokemon": "Pokémon TCG", "magic": "Magic: The Gathering", "yugioh": "Yu-Gi-Oh! TCG",
}

// languageNames are the values of the aspect Language on English sites, by the first part of the BCP 47 tag.
var languageNames = map[string]string{
	"de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian", "ja": "Japanese", "ko": "Korean",
	"nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian", "zh": "Chinese",
}

// wording is how the sites of a language name aspects and describe a card. An aspect without a name is not sent.
type wording struct {
	game, set, name, number, year, language string // aspects

	// The labels of the description, and the names of conditions.
	cardLabel, setLabel, numberLabel, yearLabel, variantLabel string
	conditionLabel, gradeLabel, certificateLabel              string
	conditions                                                map[string]string
}

var english = wording{
	game: "Game", set: "Set", name: "Card Name", number: "Card Number", year: "Year Manufactured", language: "Language",
	cardLabel: "Card", setLabel: "Set", numberLabel: "Number", yearLabel: "Year", variantLabel: "Variant",
	conditionLabel: "Condition", gradeLabel: "Grade", certificateLabel: "Certification number",
	conditions: map[string]string{
		"NM": "near mint", "LP": "lightly played", "MP": "moderately played", "HP": "heavily played", "DMG": "damaged",
	},
}

// german has no names of the aspects for the year and the language, and no values of the language, because eBay
// publishes none.
var german = wording{
	game: "Spiel", set: "Set", name: "Kartenname", number: "Kartennummer",
	cardLabel: "Karte", setLabel: "Set", numberLabel: "Nummer", yearLabel: "Jahr", variantLabel: "Variante",
	conditionLabel: "Zustand", gradeLabel: "Bewertung", certificateLabel: "Zertifikatsnummer",
	conditions: map[string]string{
		"NM": "near mint", "LP": "leicht bespielt", "MP": "bespielt", "HP": "stark bespielt", "DMG": "beschädigt",
	},
}

// wordingOf returns the wording of a site by its language: "de-DE".
func wordingOf(language string) wording {
	if strings.HasPrefix(language, "de") {
		return german
	}
	return english
}

// AspectNames returns the names of the aspects on sites of the language.
func AspectNames(language string) []string {
	w := wordingOf(language)
	names := []string{w.game, w.set, w.name, w.number, w.year, w.language}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// Aspects returns the item specifics that buyers filter by, on sites of the language.
func Aspects(o marketplaces.Offer, language string) map[string][]string {
	w, found := wordingOf(language), map[string][]string{}
	primary, _, _ := strings.Cut(o.Language, "-")
	for name, value := range map[string]string{
		w.game: gameNames[o.Game], w.set: o.Set, w.number: o.Number, w.year: o.Year,
		w.language: languageNames[strings.ToLower(primary)],
	} {
		if name != "" && value != "" {
			found[name] = []string{aspectValue(value)}
		}
	}
	if category(o.Game) == wire.CategoryCCG && o.Name != "" {
		found[w.name] = []string{aspectValue(o.Name)}
	}
	return found
}

// aspectValue shortens a value at the end of a word, if it has one within the limit.
func aspectValue(value string) string {
	runes := []rune(value)
	if len(runes) <= maxAspect {
		return value
	}
	short := string(runes[:maxAspect])
	if space := strings.LastIndexByte(short, ' '); space > 0 && runes[maxAspect] != ' ' {
		short = short[:space]
	}
	return strings.TrimSpace(short)
}

// Description returns the text of the listing as HTML in one line: the offer's text, or lines that describe the card in
// the language of the site. It does not contain the price, so that a new price does not change it.
func Description(o marketplaces.Offer, language string) string {
	text := blank.Trim(o.Description)
	if text == "" {
		text = wordingOf(language).describe(o)
	}
	return strings.Join(blank.Lines(html.EscapeString(text)), "<br>")
}

// describe returns a line for each property of the card that is known, below the title.
func (w wording) describe(o marketplaces.Offer) string {
	lines := []string{blank.Trim(o.Title)}
	add := func(label, value string) {
		if value != "" {
			lines = append(lines, label+": "+value)
		}
	}
	add(w.cardLabel, o.Name)
	add(w.setLabel, o.Set)
	add(w.numberLabel, o.Number)
	add(w.yearLabel, o.Year)
	add(w.variantLabel, o.Variant)
	if o.Grade == nil {
		add(w.conditionLabel, w.conditions[o.Condition])
	} else {
		add(w.gradeLabel, o.Grade.Company+" "+o.Grade.Value)
		add(w.certificateLabel, o.Grade.CertNumber)
	}
	return strings.Join(lines, "\n")
}

package listings

import (
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/marketplaces"
)

// Describe returns an offer with the description and the default title of a card, without a price and photos.
func Describe(d cards.Description) marketplaces.Offer {
	offer := marketplaces.Offer{
		Title: title(d), CatalogID: text(d.CatalogID), Name: text(d.Title), Game: text(d.Game), Set: text(d.Set),
		Number: text(d.Number), Variant: text(d.Variant), Finish: finish(text(d.Variant)), Language: text(d.Language),
		Condition: text(d.Condition),
	}
	if d.Year != nil {
		offer.Year = strconv.Itoa(int(*d.Year))
	}
	if g := d.Grade; g != nil {
		offer.Grade = &marketplaces.Grade{Company: g.Company, Value: g.Value, CertNumber: text(g.CertNumber)}
	}
	return offer
}

// finishes are the words of a variant that name its finish. If a variant has several of these words, the first in this
// list counts.
var finishes = []struct{ word, finish string }{
	{"reverse", marketplaces.FinishReverseHolo},
	{"etched", marketplaces.FinishEtched},
	{"holo", marketplaces.FinishHolo}, // and "holofoil"
	{"foil", marketplaces.FinishFoil},
}

// finish returns the finish that a variant names, or "".
func finish(variant string) string {
	variant = " " + strings.ToLower(variant)
	for _, f := range finishes {
		before, _, found := strings.Cut(variant, f.word)
		if found && !strings.HasSuffix(strings.TrimRight(before, "- "), " non") { // "non-holo", "nonfoil"
			return f.finish
		}
	}
	return ""
}

// The parts of a default title, in their order.
const (
	titleYear = iota
	titleSet
	titleName
	titleNumber
	titleVariant
	titleQuality
	titleParts
)

// shortened are the parts that give way if the title is too long, the least important first.
var shortened = []int{titleYear, titleSet, titleVariant, titleNumber, titleName}

// title returns the default title of a card's listing, in at most marketplaces.MaxTitle characters: year, set, name,
// number, variant, and the grade or else the condition, which stays because the price depends on it. No part is cut
// within a word, except a word that is itself longer than the title.
func title(d cards.Description) string {
	var parts [titleParts]string
	parts[titleSet], parts[titleName] = words(d.Set), words(d.Title)
	parts[titleNumber], parts[titleVariant] = words(d.Number), words(d.Variant)
	switch {
	case d.Grade != nil:
		parts[titleQuality] = words(&d.Grade.Company, &d.Grade.Value)
	case d.Condition != nil:
		parts[titleQuality] = words(d.Condition)
	}
	parts[titleQuality] = cut(parts[titleQuality], marketplaces.MaxTitle/2)
	if d.Year != nil {
		parts[titleYear] = strconv.Itoa(int(*d.Year))
	}
	if contains(parts[titleSet], parts[titleYear]) || contains(parts[titleName], parts[titleYear]) {
		parts[titleYear] = ""
	}
	for _, i := range shortened {
		over := length(join(parts[:])) - marketplaces.MaxTitle
		if over <= 0 {
			break
		}
		part := parts[i]
		parts[i] = cut(part, length(part)-over)
		if i != titleName && !strings.HasPrefix(part+" ", parts[i]+" ") {
			parts[i] = ""
		}
	}
	return join(parts[:])
}

// contains reports whether a word of text is word.
func contains(text, word string) bool {
	return strings.Contains(" "+text+" ", " "+word+" ")
}

func length(text string) int { return len([]rune(text)) }

// join joins the parts that are not empty with spaces.
func join(parts []string) string { return strings.Join(strings.Fields(strings.Join(parts, " ")), " ") }

// words joins the words of texts with single spaces. It skips nil texts.
func words(texts ...*string) string {
	var all []string
	for _, text := range texts {
		if text != nil {
			all = append(all, strings.Fields(*text)...)
		}
	}
	return strings.Join(all, " ")
}

// cut shortens text to at most size characters, at the end of a word unless the first one is longer.
func cut(text string, size int) string {
	runes := []rune(text)
	if len(runes) <= size {
		return text
	}
	if size <= 0 {
		return ""
	}
	short := string(runes[:size])
	if runes[size] == ' ' {
		return strings.TrimRight(short, " ")
	}
	if space := strings.LastIndexByte(short, ' '); space > 0 {
		return short[:space]
	}
	return short
}

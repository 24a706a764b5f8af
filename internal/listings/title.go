package listings

import (
	"strings"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
)

// Describe returns an offer with the description and the default title of a card, without a price and photos.
func Describe(d cards.Description) marketplaces.Offer {
	offer := marketplaces.Offer{
		Title: title(d), Game: text(d.Game), Set: text(d.Set), Number: text(d.Number), Condition: text(d.Condition),
	}
	if g := d.Grade; g != nil {
		offer.Grade = &marketplaces.Grade{Company: g.Company, Value: g.Value, CertNumber: text(g.CertNumber)}
	}
	return offer
}

// title returns the default title of a card's listing: name, number, set, variant, and the grade or else
// the condition, in at most marketplaces.MaxTitle characters. A longer title is cut at a word boundary,
// but keeps the grade or condition because the price depends on it.
func title(d cards.Description) string {
	var quality string
	switch {
	case d.Grade != nil:
		quality = words(&d.Grade.Company, &d.Grade.Value)
	case d.Condition != nil:
		quality = words(d.Condition)
	}
	name := words(d.Title, d.Number, d.Set, d.Variant)
	if quality == "" {
		return cut(name, marketplaces.MaxTitle)
	}
	quality = cut(quality, marketplaces.MaxTitle/2)
	return words(new(cut(name, marketplaces.MaxTitle-len([]rune(quality))-1)), &quality)
}

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
	short := string(runes[:size])
	if runes[size] == ' ' {
		return short
	}
	if space := strings.LastIndexByte(short, ' '); space > 0 {
		return short[:space]
	}
	return short
}

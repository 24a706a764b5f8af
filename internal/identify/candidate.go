package identify

import "github.com/cardvault/cardvault/internal/catalog"

// FromCard returns a candidate for a catalogue card.
func FromCard(card catalog.Card, confidence float64) Candidate {
	c := Candidate{
		CatalogID: card.ID, Title: card.Name, Set: card.Set, Number: card.CollectorNumber(), Game: card.Game,
		Confidence: confidence,
	}
	if card.Year != 0 {
		c.Year = &card.Year
	}
	if card.Variant != "" {
		c.Variant = &card.Variant
	}
	if card.Language != "" {
		c.Language = &card.Language
	}
	return c
}

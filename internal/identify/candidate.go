package identify

import (
	"cmp"
	"slices"

	"github.com/cardvault/cardvault/internal/catalog"
)

// FromCard returns a candidate for a catalogue card. It leaves out signals that are 0, and sorts the others.
func FromCard(card catalog.Card, confidence float64, signals ...Signal) Candidate {
	c := Candidate{
		CatalogID: card.ID, Title: card.Name, Set: card.Set, Number: card.CollectorNumber(), Game: card.Game,
		Confidence: confidence, Signals: slices.DeleteFunc(signals, func(s Signal) bool { return s.Score <= 0 }),
	}
	slices.SortStableFunc(c.Signals, func(a, b Signal) int { return cmp.Compare(b.Score, a.Score) })
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

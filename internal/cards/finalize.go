package cards

import (
	"time"

	"github.com/cardvault/cardvault/internal/events"
)

// finalize completes an update: it sets the workflow status that follows from the card's facts and returns the events
// in order and the changes that clients see. If there are any, it increments the version.
func finalize(before, after *Card, now time.Time) (happened []events.Data, changed []Change) {
	target := after.Facts().Status()
	path := Path(before.Status, target)
	if path == nil && before.Status != target { // no facts lead there; see TestPath_LeadsEverywhere
		path = []Edge{{before.Status, target}}
	}
	about := after.EventCard()
	if before.Identification.Title == nil && after.Identification.Title != nil {
		happened = append(happened, events.CardIdentified{Card: about})
	}
	if after.Pricing.AskingPrice != nil && !before.Pricing.EverPriced {
		after.Pricing.EverPriced = true
		happened = append(happened, events.CardPriced{Card: about, AskingPrice: *after.Pricing.AskingPrice})
	}
	for _, edge := range path {
		happened = append(happened, events.CardWorkflowStatusChanged{
			Card: about, PreviousStatus: string(edge.From), Status: string(edge.To),
		})
	}
	after.Status = target
	if changed = changes(before, after); len(changed) > 0 {
		after.Version++
		after.UpdatedAt = now
	}
	return happened, changed
}

// EventCard returns the card as events show it.
func (c *Card) EventCard() events.Card {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	d := &c.Identification.Description
	return events.Card{CardID: c.ID, Title: text(d.Title), Set: text(d.Set), Number: text(d.Number)}
}

// cardUpdated returns the event of the changes.
func cardUpdated(c *Card, changed []Change) events.CardUpdated {
	fields := make([]string, len(changed))
	for i, change := range changed {
		fields[i] = change.Field
	}
	return events.CardUpdated{CardID: c.ID, Version: c.Version, Changed: fields}
}

package cards

import (
	"fmt"
	"reflect"
	"time"

	"github.com/cardvault/cardvault/internal/events"
)

// finalize completes an update: it sets the workflow status that follows from the card's facts, increments
// the version and returns the events in order. If nothing changed, or only AutoIdentify, which clients do not
// see, it returns changed = false and no events.
func finalize(before Card, after *Card, now time.Time) (happened []events.Data, changed bool, err error) {
	unseen := before
	unseen.AutoIdentify = after.AutoIdentify
	if reflect.DeepEqual(unseen, *after) {
		return nil, false, nil
	}
	target := after.Facts().Status()
	path := Path(before.Status, target)
	if path == nil && before.Status != target {
		return nil, false, fmt.Errorf("cards: no way from %s to %s", before.Status, target)
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
	after.Version++
	after.UpdatedAt = now
	return happened, true, nil
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

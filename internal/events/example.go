package events

import (
	"fmt"
	"strings"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// zeros follows the prefix of identifiers in examples. No card, listing or batch has such an identifier.
var zeros = "_" + strings.Repeat("0", 26)

// Example returns an event of this kind at the stamp's time, about a card that does not exist: its
// identifiers are all zeros. The event is not recorded, so GET /events does not return it.
func Example(stamp clock.Stamp, kind Kind) (Event, error) {
	for _, data := range examples(timestamp.Of(stamp.At)) {
		if data.Kind() == kind {
			events, err := render(stamp, []Dated{{stamp.At, data}})
			if err != nil {
				return Event{}, fmt.Errorf("render example: %w", err)
			}
			return events[0], nil
		}
	}
	return Event{}, fmt.Errorf("render example: unknown kind %q", kind)
}

// examples returns one event's data for each kind.
func examples(at timestamp.Time) []Data {
	card := Card{CardID: id.Card + zeros, Title: "Test Card", Set: "Test Set", Number: "0/0"}
	price := money.Money{Amount: 100, Currency: "USD"}
	const market, external = "sandbox", "test"
	refusal := ListingRevision{"failed", &RevisionFailure{"test", "Test of a refusal."}}
	return []Data{
		CardIdentified{card},
		CardPriced{card, price},
		CardWorkflowStatusChanged{card, "imported", "identified"},
		ListingPublished{card, id.Listing + zeros, market, external, "https://market.invalid/itm/test", price},
		ListingSold{card, id.Listing + zeros, market, external, price, at},
		ListingEnded{card, id.Listing + zeros, market, external, "ended_by_seller", at},
		BatchCompleted{BatchID: id.Batch + zeros, Name: "Test Batch", CompletedAt: at},
		IdentifyFailed{card, []IdentifyAttempt{
			{Provider: "ocr", Outcome: "no_match"}, {Provider: "fingerprint", Outcome: "no_match"},
		}},
		CardUpdated{CardID: card.CardID, Version: 2, Changed: []string{"pricing.asking_price", "pricing.priced_at"}},
		CardDeleted{card},
		CardRestored{card},
		SaleCreated{card, id.Sale + zeros, nil, "in_person", price, at},
		SaleRefunded{card, id.Sale + zeros, price, price, "refunded", true},
		ListingUpdated{card, id.Listing + zeros, market, external, "Test Card", price, refusal},
		SaleVoided{card, id.Sale + zeros, "in_person", price, at, at, true},
	}
}

package events

import (
	"fmt"
	"strings"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// nothing follows the prefix of identifiers in examples: no card, listing or batch ever has it.
var nothing = "_" + strings.Repeat("0", 26)

// Example renders an event of this kind as one that happened at the stamp's time, about a card that
// nobody has: its identifiers are all zeros. It is not recorded, so nobody finds it by polling.
func Example(stamp clock.Stamp, kind Kind) (Event, error) {
	for _, data := range examples(timestamp.Of(stamp.At)) {
		if data.Kind() == kind {
			rendered, err := render(stamp, []Dated{{stamp.At, data}})
			if err != nil {
				return Event{}, fmt.Errorf("events.Example: %w", err)
			}
			return rendered[0], nil
		}
	}
	return Event{}, fmt.Errorf("events.Example: there is no kind %q", kind)
}

// examples returns one of each kind.
func examples(at timestamp.Time) []Data {
	card := Card{CardID: id.Card + nothing, Title: "Test Card", Set: "Test Set", Number: "0/0"}
	price := money.Money{Amount: 100, Currency: "USD"}
	const market, external = "sandbox", "test"
	return []Data{
		CardIdentified{card},
		CardPriced{card, price},
		CardWorkflowStatusChanged{card, "imported", "identified"},
		ListingPublished{card, id.Listing + nothing, market, external, "https://market.invalid/itm/test", price},
		ListingSold{card, id.Listing + nothing, market, external, price, at},
		ListingEnded{card, id.Listing + nothing, market, external, "ended_by_seller", at},
		BatchCompleted{BatchID: id.Batch + nothing, Name: "Test Batch", CompletedAt: at},
		IdentifyFailed{card, []IdentifyAttempt{{Provider: "ocr", Outcome: "no_match"}, {Provider: "fingerprint", Outcome: "no_match"}}},
	}
}

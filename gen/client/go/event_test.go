package cardvault

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestEvent_JSON(t *testing.T) {
	for kind, want := range map[EventKind]EventData{
		EventKindCardIdentified: CardIdentifiedData{CardID: "card_1", Title: "Ember Fox"},
		EventKindCardPriced: CardPricedData{
			CardID: "card_1", AskingPrice: Money{Amount: 450, Currency: CurrencyUSD},
		},
		EventKindCardWorkflowStatusChanged: CardWorkflowStatusChangedData{
			CardID: "card_1", PreviousStatus: WorkflowStatusPriced, Status: WorkflowStatusListed,
		},
		EventKindListingPublished: ListingPublishedData{ListingID: "lst_1", URL: "https://market.example/1"},
		EventKindListingSold: ListingSoldData{
			ListingID: "lst_1", SoldPrice: Money{Amount: 450, Currency: CurrencyUSD},
		},
		EventKindListingEnded:   ListingEndedData{ListingID: "lst_1", EndReason: "ended_by_seller"},
		EventKindBatchCompleted: BatchCompletedData{BatchID: "bat_1", CardCount: 118},
		EventKindIdentifyFailed: IdentifyFailedData{
			CardID:   "card_1",
			Attempts: []IdentifyFailedAttempt{{Provider: "ocr", Outcome: IdentifyFailedAttemptOutcomeNoMatch}},
		},
		"card.lent": UnknownData{Event: "card.lent", JSON: json.RawMessage(`{"to":"Ada"}`)},
	} {
		t.Run(string(kind), func(t *testing.T) {
			text, err := json.Marshal(Event{ID: "evt_1", Kind: kind, AccountID: "acc_1", Data: want})
			if err != nil {
				t.Fatal(err)
			}
			var got Event
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			if got.ID != "evt_1" || got.Kind != kind || got.Data.Kind() != kind || !reflect.DeepEqual(got.Data, want) {
				t.Errorf("%s is decoded as %#v, want the data %#v", text, got, want)
			}
		})
	}
}

func TestEvent_InvalidData(t *testing.T) {
	var event Event
	text := `{"event":"card.priced","data":{"asking_price":"much"}}`
	if err := json.Unmarshal([]byte(text), &event); err == nil {
		t.Errorf("got %#v, want an error", event)
	}
}

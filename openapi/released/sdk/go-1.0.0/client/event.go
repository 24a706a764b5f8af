package cardvault

import (
	"encoding/json"
	"fmt"
	"time"
)

// Event is something that happened in the account, as webhooks tell it and [Client.ListEvents] lists it. The same event
// may arrive by webhook more than once: its ID is the same then.
type Event struct {
	ID        string    `json:"id"`
	Kind      EventKind `json:"event"`
	CreatedAt time.Time `json:"created_at"`
	AccountID string    `json:"account_id"`
	Data      EventData `json:"data"`
}

// EventData is what an event of one kind carries. Tell the kinds apart by its type:
//
//	switch data := event.Data.(type) {
//	case cardvault.ListingSoldData:
//		fmt.Println(data.Title, "sold for", data.SoldPrice.Amount)
//	}
//
// It is an [UnknownData] where the kind is younger than this version of the package.
type EventData interface {
	Kind() EventKind
}

// UnknownData is the data of an event of a kind that this version of the package does not know.
type UnknownData struct {
	Event EventKind
	JSON  json.RawMessage // as it came
}

// Kind returns the kind that the event has.
func (d UnknownData) Kind() EventKind { return d.Event }

// MarshalJSON writes the data as it came.
func (d UnknownData) MarshalJSON() ([]byte, error) { return d.JSON.MarshalJSON() }

// UnmarshalJSON reads an event, its data as the kind has it.
func (e *Event) UnmarshalJSON(text []byte) error {
	type event Event
	envelope := struct {
		*event
		Data json.RawMessage `json:"data"`
	}{event: (*event)(e)}
	if err := json.Unmarshal(text, &envelope); err != nil {
		return err
	}
	data, err := decodeData(e.Kind, envelope.Data)
	if err != nil {
		return fmt.Errorf("the data of a %s event: %w", e.Kind, err)
	}
	e.Data = data
	return nil
}

func decodeAs[T EventData](text json.RawMessage) (EventData, error) {
	var data T
	err := json.Unmarshal(text, &data)
	return data, err
}

package cardvault

import (
	"encoding/json"
	"fmt"
	"time"
)

// Event is an event of the account, as sent by webhooks and returned by [Client.ListEvents]. Webhooks may deliver an
// event more than once, each time with the same ID.
type Event struct {
	ID        string    `json:"id"`
	Kind      EventKind `json:"event"`
	CreatedAt time.Time `json:"created_at"`
	AccountID string    `json:"account_id"`
	Data      EventData `json:"data"`
}

// EventData is the data of an event. Each kind of event has a type of its own:
//
//	switch data := event.Data.(type) {
//	case cardvault.ListingSoldData:
//		fmt.Println(data.Title, "sold for", data.SoldPrice.Amount)
//	}
//
// The data of a kind that this version of the package does not know is an [UnknownData].
type EventData interface {
	Kind() EventKind
}

// UnknownData is the data of an event whose kind this version of the package does not know.
type UnknownData struct {
	Event EventKind
	JSON  json.RawMessage // as received
}

// Kind returns the kind of the event.
func (d UnknownData) Kind() EventKind { return d.Event }

// MarshalJSON returns the data as received.
func (d UnknownData) MarshalJSON() ([]byte, error) { return d.JSON.MarshalJSON() }

// UnmarshalJSON decodes an event, with its data as the type of its kind.
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

package cards_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
)

// aField draws a field that is unchanged, cleared or set.
func aField[T any](t *rapid.T, name string, values *rapid.Generator[T]) cards.Field[T] {
	switch rapid.IntRange(0, 2).Draw(t, name) {
	case 0:
		return cards.Field[T]{}
	case 1:
		return cards.Clear[T]()
	}
	return cards.Set(values.Draw(t, name))
}

func TestPatch_JSON(t *testing.T) {
	t.Parallel()
	text := rapid.String()
	amounts := rapid.Custom(func(t *rapid.T) money.Money {
		return money.Money{Amount: rapid.Int64().Draw(t, "amount"), Currency: "USD"}
	})
	grades := rapid.Custom(func(t *rapid.T) cards.Grade {
		return cards.Grade{Company: "PSA", Value: "9", CertNumber: rapid.Ptr(text, true).Draw(t, "certificate")}
	})
	rapid.Check(t, func(t *rapid.T) {
		want := cards.Patch{
			Title: aField(t, "title", text), Set: aField(t, "set", text), Number: aField(t, "number", text),
			CatalogID: aField(t, "catalog id", text), Game: aField(t, "game", text),
			Year:    aField(t, "year", rapid.Int32()),
			Variant: aField(t, "variant", text), Language: aField(t, "language", text),
			Condition: aField(t, "condition", text), Grade: aField(t, "grade", grades),
			AskingPrice: aField(t, "price", amounts), Cost: aField(t, "cost", amounts),
			Location: aField(t, "location", text), SKU: aField(t, "sku", text), Notes: aField(t, "notes", text),
			ExternalID: aField(t, "external id", text), BatchID: aField(t, "batch", text),
			Metadata: aField(t, "metadata", rapid.MapOf(text, rapid.Ptr(text, true))),
			Archived: rapid.Ptr(rapid.Bool(), true).Draw(t, "archived"),
		}
		encoded, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got cards.Patch
		if err := json.Unmarshal(encoded, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v from %s, want %+v", got, encoded, want)
		}
	})
	if encoded, err := json.Marshal(cards.Patch{}); err != nil || string(encoded) != "{}" {
		t.Errorf("the empty patch: got %s, %v, want {}", encoded, err)
	}
}

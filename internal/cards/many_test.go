package cards_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// twins are two cards with the same values in two accounts: one is updated alone, the other with many.
type twins struct{ one, many cards.Card }

// TestService_UpdateManyEqualsUpdate applies random patches with both methods and compares cards, errors, history,
// events and the counts of batches.
func TestService_UpdateManyEqualsUpdate(t *testing.T) {
	t.Parallel()
	one, many := setup(t), setup(t)
	random := rand.New(rand.NewPCG(1, 2))
	batchesOf := func(i inventory) []string {
		var ids []string
		for _, name := range []string{"first", "second", "complete"} {
			b, err := i.batches.Create(t.Context(), i.account, name, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, b.ID)
		}
		if _, err := i.batches.Complete(t.Context(), i.account, ids[2], nil); err != nil {
			t.Fatal(err)
		}
		return ids
	}
	oneBatches, manyBatches := batchesOf(one), batchesOf(many)
	var list []twins
	for range 12 {
		list = append(list, twins{one.create(t, cards.Draft{}), many.create(t, cards.Draft{})})
	}
	for range 20 {
		var items []cards.PatchItem
		var wants []error
		for _, n := range random.Perm(len(list))[:7] {
			patch, into := randomPatch(random), random.IntN(8)
			version := list[n].one.Version - int64(random.IntN(8)/7)
			move := func(ids []string) cards.Patch {
				moved := patch
				switch {
				case into < len(ids):
					moved.BatchID = cards.Set(ids[into])
				case into == len(ids):
					moved.BatchID = cards.Clear[string]()
				}
				return moved
			}
			items = append(items, cards.PatchItem{CardID: list[n].many.ID, Patch: move(manyBatches), Version: &version})
			match := func(v int64) bool { return v == version }
			_, err := one.cards.Update(t.Context(), one.account, list[n].one.ID, move(oneBatches), match)
			wants = append(wants, err)
		}
		results, err := many.cards.UpdateMany(t.Context(), many.account, items, false)
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range wants {
			if code(results[n].Err) != code(want) {
				t.Fatalf("update %d: got %v, want %v", n, results[n].Err, want)
			}
		}
		for n := range list {
			list[n] = twins{one.get(t, list[n].one.ID), many.get(t, list[n].many.ID)}
			compareTwins(t, list[n])
			if got, want := len(many.history(t, list[n].many.ID)), len(one.history(t, list[n].one.ID)); got != want {
				t.Fatalf("history has %d versions, want %d", got, want)
			}
		}
	}
	if diff := cmp.Diff(one.happened(t), many.happened(t)); diff != "" {
		t.Errorf("events (-one by one +many):\n%s", diff)
	}
	for n := range oneBatches {
		want, err := one.batches.Get(t.Context(), one.account, oneBatches[n])
		got, err2 := many.batches.Get(t.Context(), many.account, manyBatches[n])
		if errors.Join(err, err2) != nil || got.CardCount != want.CardCount {
			t.Errorf("batch %d has %d cards, want %d (%v)", n, got.CardCount, want.CardCount, errors.Join(err, err2))
		}
	}
}

func (i inventory) get(t testing.TB, cardID string) cards.Card {
	t.Helper()
	card, err := i.cards.Get(t.Context(), i.account, cardID)
	if err != nil {
		t.Fatal(err)
	}
	return card
}

func code(err error) fault.Code {
	f, ok := fault.As(err)
	if !ok {
		return ""
	}
	return f.Code
}

func compareTwins(t testing.TB, pair twins) {
	t.Helper()
	ignored := cmp.Options{
		cmpopts.IgnoreFields(cards.Card{}, "AccountID", "ID", "BatchID", "CreatedAt", "UpdatedAt"),
		cmpopts.IgnoreFields(cards.Identification{}, "IdentifiedAt"),
		cmpopts.IgnoreFields(cards.Pricing{}, "PricedAt"),
	}
	if diff := cmp.Diff(pair.one, pair.many, ignored); diff != "" {
		t.Fatalf("card (-alone +with many):\n%s", diff)
	}
}

func randomPatch(random *rand.Rand) (p cards.Patch) {
	if random.IntN(3) == 0 {
		p.Title, p.Year = cards.Set("Ember Fox"), cards.Set(int32(2020+random.IntN(4)))
	}
	switch random.IntN(4) {
	case 0:
		p.AskingPrice = cards.Set(money.Money{Amount: int64(random.IntN(3)) * 100, Currency: "USD"})
	case 1:
		p.AskingPrice = cards.Clear[money.Money]()
	}
	if random.IntN(4) == 0 {
		p.FloorPrice = cards.Set(money.Money{Amount: 100, Currency: []string{"USD", "EUR"}[random.IntN(2)]})
	}
	if random.IntN(3) == 0 {
		archived := random.IntN(2) == 0
		p.Archived = &archived
	}
	if random.IntN(3) == 0 {
		p.Notes, p.Grade = cards.Set(`"quoted" \ é`), cards.Set(cards.Grade{Company: "PSA", Value: "9"})
	}
	switch random.IntN(3) {
	case 0:
		p.ExternalID = cards.Set("shop-" + strconv.Itoa(random.IntN(4)))
	case 1:
		p.ExternalID = cards.Clear[string]()
	}
	if value := "Ada"; random.IntN(3) == 0 {
		p.Metadata = cards.Set(map[string]*string{"consignor": &value, "shelf": nil})
	}
	return p
}

func TestService_UpdateManyAtomic(t *testing.T) {
	t.Parallel()
	i := setup(t)
	first, second := i.create(t, cards.Draft{}), i.create(t, cards.Draft{})
	wrong := int64(7)
	items := []cards.PatchItem{
		{CardID: first.ID, Patch: cards.Patch{Notes: cards.Set("x")}},
		{CardID: second.ID, Patch: cards.Patch{Notes: cards.Set("x")}, Version: &wrong},
	}
	_, err := i.cards.UpdateMany(t.Context(), i.account, items, true)
	var item *cards.ItemError
	if !errors.As(err, &item) || item.Index != 1 || code(err) != fault.VersionMismatch {
		t.Errorf("got %v, want version_mismatch of card 1", err)
	}
	if got := i.get(t, first.ID); got.Version != 1 {
		t.Errorf("version %d, want 1: the request was not atomic", got.Version)
	}
	items[1] = items[0]
	_, err = i.cards.UpdateMany(t.Context(), i.account, items, false)
	if code(err) != fault.InvalidRequest {
		t.Errorf("got %v, want invalid_request for a repeated card", err)
	}
}

// An unknown catalogue identifier is the error of its update alone.
func TestService_UpdateManyFillsFromCatalogue(t *testing.T) {
	t.Parallel()
	i := setup(t)
	i.cards.UseCatalogue(emberFox{})
	known, unknown := i.create(t, cards.Draft{}), i.create(t, cards.Draft{})
	results, err := i.cards.UpdateMany(t.Context(), i.account, []cards.PatchItem{
		{CardID: unknown.ID, Patch: cards.Patch{CatalogID: cards.Set("nothing-1")}},
		{CardID: known.ID, Patch: cards.Patch{CatalogID: cards.Set("ember-54")}},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := code(results[0].Err); got != fault.InvalidRequest {
		t.Errorf("unknown identifier: %v, want invalid_request", results[0].Err)
	}
	title := results[1].Card.Identification.Description.Title
	if results[1].Err != nil || title == nil || *title != "Ember Fox" {
		t.Errorf("known identifier: %v, %v, want the title of the catalogue", results[1].Err, title)
	}
}

// emberFox is a catalogue of one card.
type emberFox struct{}

// Get implements cards.Catalogue.
func (emberFox) Get(_ context.Context, ids ...string) (found []catalog.Card, err error) {
	for _, id := range ids {
		if id == "ember-54" {
			found = append(found, catalog.Card{ID: id, Name: "Ember Fox", Game: "other"})
		}
	}
	return found, nil
}

package cards

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
)

// shelf is a catalogue of one card. It counts the queries.
type shelf struct{ queries int }

// Get implements Catalogue.
func (s *shelf) Get(_ context.Context, ids ...string) ([]catalog.Card, error) {
	s.queries++
	var found []catalog.Card
	for _, id := range ids {
		if id == "ember-54" {
			found = append(found, catalog.Card{
				ID: id, Name: "Ember Fox", Set: "Dawn", Number: "54", PrintedTotal: 167, Game: "other", Year: 2026,
				Language: "English",
			})
		}
	}
	return found, nil
}

func TestFillFromCatalogue(t *testing.T) {
	t.Parallel()
	var s Service
	catalogue := &shelf{}
	s.UseCatalogue(catalogue)
	known := Patch{CatalogID: Set("ember-54"), Condition: Set("NM")}
	own := Patch{CatalogID: Set("mine-1"), Title: Set("Frost Fox")}
	again, other := known, Patch{Notes: Set("x")}
	if err := s.FillFromCatalogue(t.Context(), []*Patch{&other, &known, &own, &again}); err != nil {
		t.Fatal(err)
	}
	var c Card
	old := "foil"
	c.Identification.Variant = &old
	if err := known.Apply(&c, c.CreatedAt); err != nil {
		t.Fatal(err)
	}
	title, set, number, game, id, condition := "Ember Fox", "Dawn", "54/167", "other", "ember-54", "NM"
	year := int32(2026)
	want := Description{
		Title: &title, Set: &set, Number: &number, Game: &game, Year: &year, CatalogID: &id, Condition: &condition,
	}
	if diff := cmp.Diff(want, c.Identification.Description); diff != "" {
		t.Errorf("filled (-want +got):\n%s", diff)
	}
	if catalogue.queries != 1 || own.Set.given || *own.Title.value != "Frost Fox" || other.Title.given {
		t.Errorf("%d queries, %+v, %+v, want one query and unchanged patches", catalogue.queries, own, other)
	}
	unknown := Patch{CatalogID: Set("none")}
	err := s.FillFromCatalogue(t.Context(), []*Patch{&known, &unknown})
	item, ok := errors.AsType[*ItemError](err)
	if !ok || item.Index != 1 || !fault.Is(item.Err, fault.InvalidRequest) {
		t.Errorf("unknown identifier: %v, want invalid_request for the second", err)
	}
}

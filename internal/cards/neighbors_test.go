package cards_test

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
)

// neighbors returns the identifiers of the neighbors of a card in a list.
func (i inventory) neighbors(t *testing.T, f cards.Filter, card cards.Card, place string) [2]string {
	t.Helper()
	before, after, err := i.cards.Neighbors(t.Context(), i.account, f, card, place)
	if err != nil {
		t.Fatal(err)
	}
	return [2]string{before.ID, after.ID}
}

// foxes creates cards with few different titles, prices and locations, of which every third is no fox.
func (i inventory) foxes(t *testing.T) {
	t.Helper()
	for n := range 12 {
		patch := cards.Patch{Title: cards.Set(fmt.Sprint("Fox ", n%4)), Location: cards.Set(fmt.Sprint("Box ", n%3))}
		if n%3 == 0 {
			patch.Title = cards.Set("Owl")
		}
		if n%2 == 0 {
			patch.AskingPrice = cards.Set(usd(int64(n % 5)))
		}
		i.create(t, cards.Draft{Patch: patch})
	}
}

// In every order, the neighbors of each card are those beside it in the list, across the ends of its pages.
func TestNeighbors_AreThoseOfTheList(t *testing.T) {
	t.Parallel()
	i := setup(t)
	i.foxes(t)
	fox := "fox"
	for name := range keys {
		for _, f := range []cards.Filter{{Sort: name}, {Sort: "-" + name}, {Sort: name, Query: &fox}, {Query: &fox}} {
			t.Run(fmt.Sprint(f.Sort, f.Query != nil), func(t *testing.T) {
				t.Parallel()
				list := append(append([]string{""}, i.sorted(t, f)...), "")
				at := 0
				for request := (paging.Request{Limit: 5}); ; {
					found, err := i.cards.ListSummed(t.Context(), i.account, f, request, "status")
					if err != nil {
						t.Fatal(err)
					}
					for n, card := range found.Data {
						want := [2]string{list[at], list[at+2]}
						got := [][2]string{i.neighbors(t, f, card, found.Places[n]), i.neighbors(t, f, card, "")}
						if diff := gocmp.Diff([][2]string{want, want}, got); diff != "" {
							t.Fatalf("neighbors of card %d by its place and without it (-want +got):\n%s", at, diff)
						}
						at++
					}
					if found.NextCursor == nil {
						return
					}
					request.Cursor = *found.NextCursor
				}
			})
		}
	}
}

// A card that moves in the list, or leaves it, still has the neighbors of the place where the reader opened it.
func TestNeighbors_OfCardThatChanged(t *testing.T) {
	t.Parallel()
	i := setup(t)
	i.foxes(t)
	fox := "fox"
	for _, f := range []cards.Filter{{Sort: "-updated_at"}, {Sort: "price"}, {Sort: "title", Query: &fox}} {
		found, err := i.cards.ListSummed(t.Context(), i.account, f, paging.Request{}, "status")
		if err != nil || len(found.Data) < 4 {
			t.Fatalf("list %d cards, %v", len(found.Data), err)
		}
		opened := found.Data[1]
		i.update(t, opened.ID, cards.Patch{Title: cards.Set("Zebra"), AskingPrice: cards.Set(usd(9999))})
		want := [2]string{found.Data[0].ID, found.Data[2].ID}
		if diff := gocmp.Diff(want, i.neighbors(t, f, i.get(t, opened.ID), found.Places[1])); diff != "" {
			t.Errorf("neighbors in the order %q (-want +got):\n%s", f.Sort, diff)
		}
		_, after, err := i.cards.Neighbors(t.Context(), i.account, f, i.get(t, opened.ID), found.Places[1])
		if err != nil {
			t.Fatal(err)
		}
		next := i.get(t, after.ID)
		if got := i.neighbors(t, f, next, after.Place); got[1] != found.Data[3].ID {
			t.Errorf("in the order %q the card after the next one is %s, want %s", f.Sort, got[1], found.Data[3].ID)
		}
	}
}

// A card that has moved ahead of its place is not its own neighbor.
func TestNeighbors_WithoutTheCardItself(t *testing.T) {
	t.Parallel()
	i := setup(t)
	i.foxes(t)
	f := cards.Filter{Sort: "-updated_at"}
	found, err := i.cards.ListSummed(t.Context(), i.account, f, paging.Request{}, "status")
	if err != nil {
		t.Fatal(err)
	}
	first := found.Data[0].ID
	i.update(t, first, cards.Patch{Title: cards.Set("Zebra")})
	want := [2]string{"", found.Data[1].ID}
	if diff := gocmp.Diff(want, i.neighbors(t, f, i.get(t, first), found.Places[0])); diff != "" {
		t.Errorf("neighbors of the first card after its change (-want +got):\n%s", diff)
	}
}

func TestNeighbors_OfOtherLists(t *testing.T) {
	t.Parallel()
	i := setup(t)
	i.foxes(t)
	f := cards.Filter{Sort: "title"}
	found, err := i.cards.ListSummed(t.Context(), i.account, f, paging.Request{}, "status")
	if err != nil {
		t.Fatal(err)
	}
	card := found.Data[3]
	reversed := cards.Filter{Sort: "-title"}
	want := [2]string{found.Data[4].ID, found.Data[2].ID}
	for _, place := range []string{found.Places[0], "x", "***"} { // of another list, and none
		if diff := gocmp.Diff(want, i.neighbors(t, reversed, card, place)); diff != "" {
			t.Errorf("neighbors from the place %q (-want +got):\n%s", place, diff)
		}
	}
	_, _, err = i.cards.Neighbors(t.Context(), i.account, cards.Filter{Sort: "colour"}, card, "")
	if !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("an order that does not exist: got %v, want invalid_request", err)
	}
	other := onMachine(t, i.db, clock.System, "")
	if got := other.neighbors(t, f, card, found.Places[3]); got != [2]string{} {
		t.Errorf("in the list of another account: got %v, want none", got)
	}
}

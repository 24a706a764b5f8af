//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// importCards imports cards that have only a title.
func importCards(t *testing.T, client *cardvault.Client, number int) []cardvault.Card {
	t.Helper()
	card := cardvault.CardInput{Identification: cardvault.IdentificationInput{Title: "Ember Fox"}}
	made, err := client.CreateCards(t.Context(), cardvault.CardsInput{
		Cards: slices.Repeat([]cardvault.CardInput{card}, number),
	})
	if err != nil {
		t.Fatal(err)
	}
	return made.Data
}

// The first card stands in the list twice, so there are two requests. One update fails.
func TestBulkUpdate(t *testing.T) {
	client := newClient(t)
	cards := importCards(t, client, 3)
	cards = append(cards, cards[0])
	var updates []cardvault.CardUpdate
	for _, card := range cards {
		updates = append(updates, cardvault.CardUpdate{ID: card.ID, Location: cardvault.Set("Room B")})
	}
	updates[1].Version = 7
	i := 0
	for result, err := range client.BulkUpdate(t.Context(), updates) {
		if failed := errors.Is(err, cardvault.CodeVersionMismatch); result.ID != cards[i].ID || failed != (i == 1) {
			t.Errorf("result %d is %s, %v", i, result.ID, err)
		}
		i++
	}
	if i != len(updates) {
		t.Errorf("got %d results, want %d", i, len(updates))
	}
}

func TestBulk_Errors(t *testing.T) {
	client := newClient(t)
	card := importCards(t, client, 1)[0].ID
	for result, err := range client.BulkPublish(t.Context(), []string{card}, cardvault.MarketplaceSandbox) {
		var failed *cardvault.ItemError
		if !errors.As(err, &failed) || result.ID != card || int(failed.Status) != int(result.Status) {
			t.Errorf("got %+v, %v, want an error: the card has no price", result, err)
		}
	}
	for result, err := range client.BulkEnd(t.Context(), []string{"lst_00000000000000000000000000"}) {
		if !errors.Is(err, cardvault.CodeListingNotFound) {
			t.Errorf("got %+v, %v, want %s", result, err, cardvault.CodeListingNotFound)
		}
	}
}

func TestIfNoneMatch_Version(t *testing.T) {
	client := newClient(t)
	card := importCards(t, client, 1)[0]
	_, err := client.GetCard(t.Context(), card.ID, cardvault.IfNoneMatch(card.Version))
	if !errors.Is(err, cardvault.ErrNotModified) {
		t.Errorf("got %v, want ErrNotModified", err)
	}
}

// The second pass of each feed yields no item of the first one again.
func TestFeeds(t *testing.T) {
	client, start := newClient(t), time.Now().Add(-time.Hour)
	twoPasses(t, client.ListingChanges(start, nil), func(l cardvault.Listing) string {
		return fmt.Sprint(l.ID, l.UpdatedAt)
	})
	twoPasses(t, client.SaleChanges(start, nil), func(s cardvault.Sale) string { return fmt.Sprint(s.ID, s.Version) })
	twoPasses(t, client.EventChanges(start, nil), func(e cardvault.Event) string { return e.ID })
	card := importCards(t, client, 1)[0].ID
	if err := client.DeleteCard(t.Context(), card); err != nil {
		t.Fatal(err)
	}
	deleted := twoPasses(t, client.DeletionChanges(start, nil), func(d cardvault.Deletion) string { return d.CardID })
	if !slices.Contains(deleted, card) {
		t.Errorf("the deletions are %v, want %s too", deleted, card)
	}
}

// twoPasses returns the states that two passes yield.
func twoPasses[T any](t *testing.T, feed *cardvault.Feed[T], state func(T) string) []string {
	t.Helper()
	var states []string
	for range 2 {
		for item, err := range feed.Once(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(states, state(item)) {
				t.Errorf("%s is yielded twice", state(item))
			}
			states = append(states, state(item))
		}
	}
	return states
}

// An amount of the service has the decimals of its currency.
func TestMoney(t *testing.T) {
	client := newClient(t)
	yen, err := cardvault.ParseMoney("1250", cardvault.CurrencyJPY)
	if err != nil {
		t.Fatal(err)
	}
	card, err := client.UpdateCard(t.Context(), importCards(t, client, 1)[0].ID, cardvault.CardPatch{
		Pricing: cardvault.PricingPatch{AskingPrice: cardvault.Set(yen)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := card.Pricing.AskingPrice.Decimal(); got != "1250" {
		t.Errorf("the card costs %s JPY, want 1250", got)
	}
}

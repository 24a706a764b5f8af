//go:build e2e

package e2e

import (
	"crypto/rand"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// The service returns the first response again for the same key and body.
func TestIdempotencyKey(t *testing.T) {
	client, key := newClient(t), cardvault.WithIdempotencyKey(rand.Text())
	input := cardvault.BatchInput{Name: "Spring fair"}
	var first, second cardvault.Response
	one, err := client.CreateBatch(t.Context(), input, key, cardvault.WithResponse(&first))
	if err != nil {
		t.Fatal(err)
	}
	two, err := client.CreateBatch(t.Context(), input, key, cardvault.WithResponse(&second))
	if err != nil {
		t.Fatal(err)
	}
	if one.ID != two.ID || first.Replayed || !second.Replayed {
		t.Errorf("got %s (replayed: %t) and %s (replayed: %t)", one.ID, first.Replayed, two.ID, second.Replayed)
	}
	_, err = client.CreateBatch(t.Context(), cardvault.BatchInput{Name: "Autumn fair"}, key)
	if !errors.Is(err, cardvault.CodeIdempotencyKeyReused) {
		t.Errorf("another body: got %v, want %s", err, cardvault.CodeIdempotencyKeyReused)
	}
}

func TestAPIError_Details(t *testing.T) {
	_, err := newClient(t).ListCards(t.Context(), &cardvault.ListCardsParams{Limit: 201})
	var apiErr *cardvault.APIError
	if !errors.As(err, &apiErr) {
		t.Fatalf("got %v, want an APIError", err)
	}
	if apiErr.Code != cardvault.CodeInvalidRequest || apiErr.Status != 400 || apiErr.RequestID == "" ||
		apiErr.RateLimit.Limit == 0 || len(apiErr.Details) != 1 || apiErr.Details[0].Field != "limit" {
		t.Errorf("got %+v", apiErr)
	}
}

func TestAPIError_InvalidToken(t *testing.T) {
	client, err := cardvault.New(os.Getenv("API"), "cv_test_wrong")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.ListCards(t.Context(), nil); !errors.Is(err, cardvault.CodeInvalidToken) {
		t.Errorf("got %v, want %s", err, cardvault.CodeInvalidToken)
	}
}

// The iterator yields every card once: pages of three cards have the same cards as one large page.
func TestIterators_EveryCardOnce(t *testing.T) {
	client := newClient(t)
	filter := &cardvault.ListCardsParams{Set: "Emberfall", Limit: 200}
	page, err := client.ListCards(t.Context(), filter)
	if err != nil {
		t.Fatal(err)
	}
	var whole, paged []string
	for _, card := range page.Data {
		whole = append(whole, card.ID)
	}
	filter.Limit = 3
	for card, err := range client.Cards(t.Context(), filter) {
		if err != nil {
			t.Fatal(err)
		}
		paged = append(paged, card.ID)
	}
	if len(whole) < 4 || !slices.Equal(paged, whole) {
		t.Errorf("the iterator yields %v, want %v", paged, whole)
	}
}

// Changes yields the cards of a batch, one of them again after it changes during the pass.
func TestChanges(t *testing.T) {
	client := newClient(t)
	batch, err := client.CreateBatch(t.Context(), cardvault.BatchInput{Name: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	card := cardvault.CardInput{BatchID: batch.ID, Identification: cardvault.IdentificationInput{Title: "Ember Fox"}}
	input := cardvault.CardsInput{Cards: []cardvault.CardInput{card, card, card}}
	made, err := client.CreateCards(t.Context(), input)
	if err != nil {
		t.Fatal(err)
	}
	filter := cardvault.ListCardsParams{Batch: batch.ID, Limit: 1}
	changes := client.Changes(time.Time{}, &cardvault.ChangesParams{Filter: filter})
	first := made.Data[0].ID
	seen := 0
	for card, err := range changes.Once(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if seen++; card.ID != first || card.Version != 1 {
			continue
		}
		patch := cardvault.CardPatch{Notes: cardvault.Set("seen")}
		if _, err := client.UpdateCard(t.Context(), first, patch); err != nil {
			t.Fatal(err)
		}
	}
	if seen != 4 {
		t.Errorf("the pass yields %d changes, want 4: three new cards, one of them changed", seen)
	}
	for card := range changes.Once(t.Context()) {
		t.Errorf("the next pass yields %s, want nothing", card.ID)
	}
}

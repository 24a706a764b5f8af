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

// TestKeyIsAnsweredOnce: the same key and body have the first answer again.
func TestKeyIsAnsweredOnce(t *testing.T) {
	client, key := newClient(t), cardvault.WithIdempotencyKey(rand.Text())
	var first, second cardvault.Response
	one, err := client.CreateBatch(t.Context(), cardvault.BatchInput{Name: "Spring fair"}, key, cardvault.WithResponse(&first))
	if err != nil {
		t.Fatal(err)
	}
	two, err := client.CreateBatch(t.Context(), cardvault.BatchInput{Name: "Spring fair"}, key, cardvault.WithResponse(&second))
	if err != nil {
		t.Fatal(err)
	}
	if one.ID != two.ID || first.Replayed || !second.Replayed {
		t.Errorf("got %s (replayed: %t) and %s (replayed: %t)", one.ID, first.Replayed, two.ID, second.Replayed)
	}
	_, err = client.CreateBatch(t.Context(), cardvault.BatchInput{Name: "Autumn fair"}, key)
	if !errors.Is(err, cardvault.CodeIdempotencyKeyReused) {
		t.Errorf("another body gives %v", err)
	}
}

func TestErrorsSayWhatIsWrong(t *testing.T) {
	_, err := newClient(t).ListCards(t.Context(), &cardvault.ListCardsParams{Limit: 201})
	var apiErr *cardvault.APIError
	if !errors.As(err, &apiErr) || apiErr.Code != cardvault.CodeInvalidRequest || apiErr.Status != 400 || apiErr.RequestID == "" ||
		apiErr.RateLimit.Limit == 0 || len(apiErr.Details) != 1 || apiErr.Details[0].Field != "limit" {
		t.Errorf("got %+v", err)
	}
}

func TestWrongTokenIsToldSo(t *testing.T) {
	client, err := cardvault.New(os.Getenv("API"), "cv_test_wrong")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.ListCards(t.Context(), nil); !errors.Is(err, cardvault.CodeInvalidToken) {
		t.Errorf("got %v", err)
	}
}

// TestIteratorSeesEveryCardOnce compares pages of three with one large page.
func TestIteratorSeesEveryCardOnce(t *testing.T) {
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
		t.Errorf("pages have %v, want %v", paged, whole)
	}
}

// TestChangesSeeWhatHappens follows a batch's cards, which change between passes and, several at once, within one.
func TestChangesSeeWhatHappens(t *testing.T) {
	client := newClient(t)
	batch, err := client.CreateBatch(t.Context(), cardvault.BatchInput{Name: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	input := cardvault.CardInput{BatchID: batch.ID, Identification: cardvault.IdentificationInput{Title: "Ember Fox"}}
	made, err := client.CreateCards(t.Context(), cardvault.CardsInput{Cards: []cardvault.CardInput{input, input, input}})
	if err != nil {
		t.Fatal(err)
	}
	changes := client.Changes(time.Time{}, &cardvault.ChangesParams{Filter: cardvault.ListCardsParams{Batch: batch.ID, Limit: 1}})
	first := made.Data[0].ID
	seen := 0
	for card, err := range changes.Once(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if seen++; card.ID != first || card.Version != 1 {
			continue
		}
		if _, err := client.UpdateCard(t.Context(), first, cardvault.CardPatch{Notes: cardvault.Set("looked at")}); err != nil {
			t.Fatal(err)
		}
	}
	if seen != 4 {
		t.Errorf("three cards, one of them changed meanwhile, were %d changes", seen)
	}
	for card := range changes.Once(t.Context()) {
		t.Errorf("%s came again", card.ID)
	}
}

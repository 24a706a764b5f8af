package cards_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/waiting"
)

// waits returns what a card waits for.
func (i inventory) waits(t *testing.T, cardID string) cards.Waits {
	t.Helper()
	w, err := i.cards.Waiting(t.Context(), i.account, cardID)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A card waits for its photo, then for its identification. A failed attempt does not change it.
func TestService_Waiting(t *testing.T) {
	t.Parallel()
	i := setup(t)
	card := i.create(t, cards.Draft{Photos: []cards.NewPhoto{{URL: "https://photos.example/a", Role: cards.RoleFront}}})
	w := i.waits(t, card.ID)
	if len(w.Photos) != 1 || w.Photos[0].PhotoID != card.Photos[0].ID || w.Photos[0].Reason != waiting.Queued {
		t.Fatalf("a new card: got %+v, want its photo queued", w)
	}
	if id := w.Identification; id == nil || id.Reason != waiting.Photo || id.NextAttemptAt != nil ||
		!id.Since.Equal(w.Photos[0].Since) {
		t.Errorf("identification: got %+v, want it to wait for the photo since %v", id, w.Photos[0].Since)
	}
	claim := i.claimFetch(t, time.Minute)
	failure := queue.Failure{Reason: waiting.PhotoSource, Err: errors.New("503 from photos.example")}
	if _, err := i.queues.PhotoFetches.Retry(t.Context(), i.db, claim, 0, failure); err != nil {
		t.Fatal(err)
	}
	if w := i.waits(t, card.ID); w.Photos[0].Reason != waiting.PhotoSource || w.Photos[0].NextAttemptAt == nil {
		t.Errorf("after a failed attempt: got %+v, want photo_unreachable", w.Photos[0])
	}
	now, err := i.cards.Get(t.Context(), i.account, card.ID)
	if err != nil || now.Version != card.Version || !now.UpdatedAt.Equal(card.UpdatedAt) {
		t.Errorf("the card is %+v, %v, want it unchanged by the attempt", now, err)
	}
	claim = i.claimFetch(t, time.Minute)
	fetched := cards.Photo{ID: claim.Key, Status: cards.PhotoReady, ContentType: "image/jpeg", Width: 400, Height: 560}
	if _, err := i.cards.PhotoFetched(t.Context(), claim, card.ID, fetched); err != nil {
		t.Fatal(err)
	}
	w = i.waits(t, card.ID)
	if len(w.Photos) > 0 || w.Identification == nil || w.Identification.Reason != waiting.Queued {
		t.Errorf("with its photo: got %+v, want the identification queued", w)
	}
	i.update(t, card.ID, cards.Patch{Title: cards.Set("Ember Fox")})
	if got := i.takeWaiting(t); got > 1 {
		t.Errorf("%d cards are claimed", got)
	}
	other := i.create(t, cards.Draft{Patch: cards.Patch{Title: cards.Set("Tide Crab")}})
	if w := i.waits(t, other.ID); w.Identification != nil || len(w.Photos) > 0 {
		t.Errorf("a card without photos: got %+v, want nothing", w)
	}
	if _, err := i.cards.Waiting(t.Context(), i.account, "card_x"); !fault.Is(err, fault.CardNotFound) {
		t.Errorf("an unknown card: got %v, want card_not_found", err)
	}
}

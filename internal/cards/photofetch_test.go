package cards_test

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/queue"
)

// claimFetch claims the one fetch that is due.
func (i inventory) claimFetch(t *testing.T, lease time.Duration) queue.Claim {
	t.Helper()
	claims, err := i.queues.PhotoFetches.Claim(t.Context(), i.db, i.account, 10, lease)
	if err != nil || len(claims) != 1 {
		t.Fatalf("claimed %v, %v", claims, err)
	}
	return claims[0]
}

// A worker that was too slow has lost its claim, and the photo is another's to fetch: what both stored, at the same
// place, is the card's picture all the same, unless the photo is gone.
func TestWhoLosesAClaimKnowsWhoseThePictureIs(t *testing.T) {
	t.Parallel()
	i := setup(t)
	card := i.create(t, cards.Draft{Photos: []cards.NewPhoto{{URL: "https://photos.example/a", Role: cards.RoleFront}}})
	slow := i.claimFetch(t, 0)
	i.claimFetch(t, time.Minute)
	outcome := cards.Photo{ID: slow.Key, Status: cards.PhotoReady, ContentType: "image/jpeg", Width: 400, Height: 560}
	fetched := func() bool {
		t.Helper()
		used, err := i.cards.PhotoFetched(t.Context(), slow, card.ID, outcome)
		if err != nil {
			t.Fatal(err)
		}
		return used
	}
	if !fetched() {
		t.Error("the picture of a photo that another worker fetches is nobody's")
	}
	if _, err := i.cards.DeletePhoto(t.Context(), i.account, card.ID, slow.Key); err != nil {
		t.Fatal(err)
	}
	if fetched() {
		t.Error("the picture of a photo that is gone is the card's")
	}
}

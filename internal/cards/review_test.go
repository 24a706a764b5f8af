package cards_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// unidentified creates a card whose identification failed, so that it needs a review.
func (i inventory) unidentified(t testing.TB, patch cards.Patch) cards.Card {
	t.Helper()
	card := i.create(t, cards.Draft{Patch: patch})
	err := i.db.InTx(t.Context(), func(tx *postgres.Tx) error {
		stamp, err := clock.System.Lock(t.Context(), tx, i.account)
		if err != nil {
			return err
		}
		card, err = i.cards.SaveUnidentified(t.Context(), tx, stamp, card.ID, nil)
		return err
	})
	if err != nil || card.Status != cards.NeedsReview {
		t.Fatalf("SaveUnidentified = %+v, %v, want a card that needs a review", card, err)
	}
	return card
}

// queue returns the identifiers of the review queue.
func (i inventory) queue(t testing.TB, after *cards.Card, limit int) []string {
	t.Helper()
	found, err := i.cards.ReviewQueue(t.Context(), i.account, after, limit)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, card := range found {
		ids = append(ids, card.ID)
	}
	return ids
}

func TestService_ReviewQueue(t *testing.T) {
	t.Parallel()
	i := setup(t)
	var waiting []cards.Card
	for n := range 4 {
		waiting = append(waiting, i.unidentified(t, cards.Patch{Notes: cards.Set(fmt.Sprint(n))}))
		i.create(t, cards.Draft{Patch: cards.Patch{Title: cards.Set("Ember Fox")}})
	}
	ids := []string{waiting[0].ID, waiting[1].ID, waiting[2].ID, waiting[3].ID}
	i.update(t, ids[1], cards.Patch{Title: cards.Set("Jade Owl")}) // reviewed
	left := []string{ids[0], ids[2], ids[3]}
	for name, tc := range map[string]struct {
		after *cards.Card
		limit int
		want  []string
	}{
		"all":                         {nil, 10, left},
		"the first":                   {nil, 1, left[:1]},
		"after the first":             {&waiting[0], 10, left[1:]},
		"after one that was reviewed": {&waiting[1], 1, left[1:2]},
		"after the last":              {&waiting[3], 1, []string{}},
	} {
		if diff := cmp.Diff(tc.want, i.queue(t, tc.after, tc.limit)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	other := onMachine(t, i.db, clock.System, "")
	if got := other.queue(t, nil, 10); len(got) != 0 {
		t.Errorf("another account's queue has %v, want none", got)
	}
	for limit, want := range map[int]int{2: 2, 3: 3, 100: 3} {
		if got, err := i.cards.ReviewsLeft(t.Context(), i.account, limit); got != want || err != nil {
			t.Errorf("ReviewsLeft with limit %d = %d, %v, want %d", limit, got, err, want)
		}
	}
	if got, err := other.cards.ReviewsLeft(t.Context(), other.account, 100); got != 0 || err != nil {
		t.Errorf("ReviewsLeft of another account = %d, %v, want 0", got, err)
	}
}

func TestService_UndoIdentification(t *testing.T) {
	t.Parallel()
	i := setup(t)
	before := i.unidentified(t, cards.Patch{AskingPrice: cards.Set(usd(500)), Condition: cards.Set("LP")})
	i.update(t, before.ID, cards.Patch{
		Title: cards.Set("Ember Fox"), Condition: cards.Set("NM"), Location: cards.Set("Box 4"),
	})
	reviewed := i.get(t, before.ID)
	undo := func(match cards.Match) (cards.Card, error) {
		return i.cards.UndoIdentification(t.Context(), i.account, before.ID, before.Reviewed(), match)
	}
	if _, err := undo(func(v int64) bool { return v == before.Version }); !fault.Is(err, fault.VersionMismatch) {
		t.Errorf("with another version: got %v, want version_mismatch", err)
	}
	got, err := undo(func(v int64) bool { return v == reviewed.Version })
	if err != nil {
		t.Fatal(err)
	}
	if got.Status != cards.NeedsReview || got.Version != reviewed.Version+1 {
		t.Errorf("status %s, version %d, want needs_review and the next version", got.Status, got.Version)
	}
	stored := i.get(t, before.ID)
	if diff := cmp.Diff(before.Reviewed(), stored.Reviewed()); diff != "" {
		t.Errorf("card after the undo (-want +got):\n%s", diff)
	}
	happened := i.happened(t)
	if want := []string{"priced>identified", "identified>needs_review"}; !contain(happened, want) {
		t.Errorf("events %v, want them to contain %v", happened, want)
	}
	if len(i.queue(t, nil, 1)) != 1 {
		t.Error("the card is not in the queue again")
	}
}

// contain reports whether a list contains the parts, one after another.
func contain(list, parts []string) bool {
	for n := range list {
		if n+len(parts) <= len(list) && slices.Equal(list[n:n+len(parts)], parts) {
			return true
		}
	}
	return false
}

// A card that had another title gets it back, also while it is listed.
func TestService_UndoIdentificationOfTitle(t *testing.T) {
	t.Parallel()
	i := setup(t)
	fox := cards.Patch{Title: cards.Set("Ember Fox"), AskingPrice: cards.Set(usd(500))}
	made := i.create(t, cards.Draft{Patch: fox})
	before := i.get(t, made.ID)
	i.publish(t, made.ID)
	i.update(t, made.ID, cards.Patch{Title: cards.Set("Jade Owl"), Number: cards.Set("7")})
	got, err := i.cards.UndoIdentification(t.Context(), i.account, made.ID, before.Reviewed(), nil)
	if diff := cmp.Diff(before.Identification, got.Identification); err != nil || diff != "" {
		t.Errorf("%v, identification (-want +got):\n%s", err, diff)
	}
}

func TestService_UndoIdentificationRefuses(t *testing.T) {
	t.Parallel()
	i := setup(t)
	before := i.unidentified(t, cards.Patch{})
	plain := i.create(t, cards.Draft{})
	if _, err := i.cards.UndoIdentification(t.Context(), i.account, plain.ID, plain.Reviewed(), nil); code(err) == "" {
		t.Errorf("of a card without a review: got %v, want a fault", err)
	}
	other := onMachine(t, i.db, clock.System, "")
	_, err := other.cards.UndoIdentification(t.Context(), other.account, before.ID, before.Reviewed(), nil)
	if !fault.Is(err, fault.CardNotFound) {
		t.Errorf("of another account's card: got %v, want card_not_found", err)
	}
	i.update(t, before.ID, cards.Patch{Title: cards.Set("Ember Fox"), AskingPrice: cards.Set(usd(500))})
	i.publish(t, before.ID)
	_, err = i.cards.UndoIdentification(t.Context(), i.account, before.ID, before.Reviewed(), nil)
	if !fault.Is(err, fault.CardListed) {
		t.Errorf("of a card that is being published: got %v, want card_listed", err)
	}
}

// publish starts a listing of a card.
func (i inventory) publish(t testing.TB, cardID string) {
	t.Helper()
	if _, _, err := i.cards.PutPhoto(t.Context(), i.account, cardID, front()); err != nil {
		t.Fatal(err)
	}
	err := i.db.InTx(t.Context(), func(tx *postgres.Tx) error {
		stamp, err := clock.System.Lock(t.Context(), tx, i.account)
		if err != nil {
			return err
		}
		listing := cards.ListingRef{ID: "lst_x", Status: cards.ListingPublishing}
		_, err = i.cards.StartListing(t.Context(), tx, stamp, cardID, listing, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

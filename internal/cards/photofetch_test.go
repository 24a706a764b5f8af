package cards_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue"
)

// claimFetch claims the only due fetch.
func (i inventory) claimFetch(t *testing.T, lease time.Duration) queue.Claim {
	t.Helper()
	claims, err := i.queues.PhotoFetches.Claim(t.Context(), i.db, i.account, 10, lease)
	if err != nil || len(claims) != 1 {
		t.Fatalf("claimed %v, %v, want one fetch", claims, err)
	}
	return claims[0]
}

// A slow worker loses its claim and another worker fetches the photo. Both store the image under the same name, so
// the card uses it unless the photo was deleted.
func TestPhotoFetched_ReportsUseAfterLostClaim(t *testing.T) {
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
		t.Error("PhotoFetched returns false, but another worker stores the image under the same name")
	}
	if _, err := i.cards.DeletePhoto(t.Context(), i.account, card.ID, slow.Key); err != nil {
		t.Fatal(err)
	}
	if fetched() {
		t.Error("PhotoFetched returns true for a photo that was deleted")
	}
}

// ahead is a clock that runs ahead of the database's.
func ahead(d time.Duration) clock.Clock {
	return clock.Clock{Now: func() time.Time { return time.Now().Add(d) }}
}

// Leases and due times use the database's clock. A process whose clock is ahead respects a claim, and a fetch is
// due immediately although the account's clock is ahead.
func TestPhotoFetches_FollowDatabaseClock(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	here := onMachine(t, db, clock.System, "")
	photo := cards.Draft{Photos: []cards.NewPhoto{{URL: "https://photos.example/a", Role: cards.RoleFront}}}

	here.create(t, photo)
	here.claimFetch(t, 90*time.Second)
	fiveMinutes := onMachine(t, db, ahead(5*time.Minute), here.account)
	again, err := fiveMinutes.queues.PhotoFetches.Claim(t.Context(), db, here.account, 10, time.Minute)
	if err != nil || len(again) != 0 {
		t.Errorf("a process 5 minutes ahead claims %v, %v, want none before the lease ends", again, err)
	}

	// A write of a process whose clock is an hour ahead moves the account's clock ahead.
	onMachine(t, db, ahead(time.Hour), here.account).create(t, cards.Draft{})
	here.create(t, photo)
	due, err := here.queues.PhotoFetches.Claim(t.Context(), db, here.account, 10, time.Minute)
	if err != nil || len(due) != 1 {
		t.Errorf("claimed %v, %v, want the fetch that was just enqueued", due, err)
	}
}

func TestPhotoIDs_ReturnsAllCards(t *testing.T) {
	t.Parallel()
	i := setup(t)
	photo := func(role cards.Role) cards.NewPhoto {
		return cards.NewPhoto{URL: "https://photos.example/a", Role: role}
	}
	want := map[string]bool{}
	for n := range 5 {
		d := cards.Draft{Photos: []cards.NewPhoto{photo(cards.RoleFront), photo(cards.RoleBack)}[:n%3]}
		for _, p := range i.create(t, d).Photos {
			want[p.ID] = true
		}
	}
	other := onMachine(t, i.db, clock.System, "")
	other.create(t, cards.Draft{Photos: []cards.NewPhoto{photo(cards.RoleFront)}})
	got := map[string]bool{}
	for after := ""; ; {
		ids, last, err := i.cards.PhotoIDs(t.Context(), i.account, after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if last == "" {
			break
		}
		for _, id := range ids {
			got[id] = true
		}
		after = last
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("photos (-want +got):\n%s", diff)
	}
}

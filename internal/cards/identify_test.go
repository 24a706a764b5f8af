package cards_test

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// takeWaiting removes the cards that wait for identification from the queue and counts them.
func (i inventory) takeWaiting(t *testing.T) int {
	t.Helper()
	result, err := i.db.Exec(t.Context(), `DELETE FROM identifications WHERE account_id = $1`, i.account)
	if err != nil {
		t.Fatal(err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}

// An archived card waits for identification until it is restored.
func TestAutoIdentify_WaitsUntilCardIsRestored(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	imported, manual := cards.Draft{}, cards.Draft{Identify: &no}
	archived := cards.Draft{Patch: cards.Patch{Archived: &yes}}
	for name, tc := range map[string]struct {
		draft         cards.Draft
		before, after []bool // values of archived before the photo is added, and after
		want          int    // cards in the queue
	}{
		"archived":                        {imported, []bool{true}, nil, 0},
		"archived, photo, restored":       {imported, []bool{true}, []bool{false}, 1},
		"archived, restored, photo":       {imported, []bool{true, false}, nil, 1},
		"restored twice":                  {imported, []bool{true}, []bool{false, true, false}, 1},
		"created as archived":             {archived, nil, nil, 0},
		"created as archived, restored":   {archived, nil, []bool{false}, 1},
		"manual identification requested": {manual, []bool{true}, []bool{false}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := setup(t)
			card := i.create(t, tc.draft)
			for _, archived := range tc.before {
				i.update(t, card.ID, cards.Patch{Archived: &archived})
			}
			if _, _, err := i.cards.PutPhoto(t.Context(), i.account, card.ID, front()); err != nil {
				t.Fatal(err)
			}
			for _, archived := range tc.after {
				i.update(t, card.ID, cards.Patch{Archived: &archived})
			}
			if got := i.takeWaiting(t); got != tc.want {
				t.Errorf("%d cards are enqueued, want %d", got, tc.want)
			}
		})
	}
}

// front returns a photo of a card's front.
func front() cards.Photo {
	return cards.Photo{
		ID: id.New(id.Photo, time.Now()), Role: cards.RoleFront, Status: cards.PhotoReady, ContentType: "image/jpeg",
	}
}

func (i inventory) update(t *testing.T, cardID string, patch cards.Patch) {
	t.Helper()
	if _, err := i.cards.Update(t.Context(), i.account, cardID, patch, nil); err != nil {
		t.Fatal(err)
	}
}

// AutoIdentify is not visible to clients, so it does not increment the version. A card that can be
// identified is enqueued, which its status shows.
func TestAwaitIdentification(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for name, tc := range map[string]struct {
		archived bool
		enqueued int // by AwaitIdentification
		status   cards.IdentificationStatus
	}{
		"archived": {true, 0, cards.IdentificationNone}, "restored": {false, 1, cards.IdentificationPending},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := setup(t)
			card := i.create(t, cards.Draft{
				Stored: []cards.Photo{front()}, Patch: cards.Patch{Archived: &tc.archived}, Identify: &no,
			})
			var after cards.Card
			await := func(tx *postgres.Tx, stamp clock.Stamp) (err error) {
				after, err = i.cards.AwaitIdentification(t.Context(), tx, stamp, card.ID)
				return err
			}
			err := clock.System.Write(t.Context(), i.db, i.account, await)
			want := card.Version + int64(tc.enqueued)
			if err != nil || after.Version != want || after.Identification.Status != tc.status {
				t.Fatalf("AwaitIdentification = %+v, %v, want version %d and %s", after, err, want, tc.status)
			}
			if got := i.takeWaiting(t); got != tc.enqueued {
				t.Errorf("%d cards are enqueued, want %d", got, tc.enqueued)
			}
			i.update(t, card.ID, cards.Patch{Archived: &yes})
			i.update(t, card.ID, cards.Patch{Archived: &no})
			if got := i.takeWaiting(t); got != 1-tc.enqueued {
				t.Errorf("%d cards are enqueued after the card was restored, want %d", got, 1-tc.enqueued)
			}
		})
	}
}

// The status is pending while the card is in the queue, or waits for a photo that is being fetched. A result stays
// until the next one.
func TestIdentificationStatus(t *testing.T) {
	t.Parallel()
	no, yes := false, true
	fetched := func(role cards.Role) []cards.NewPhoto {
		return []cards.NewPhoto{{URL: "https://photos.example/a", Role: role}}
	}
	stored := []cards.Photo{front()}
	titled := cards.Patch{Title: cards.Set("Ember Fox")}
	for name, tc := range map[string]struct {
		draft cards.Draft
		want  cards.IdentificationStatus
	}{
		"nothing":          {cards.Draft{}, cards.IdentificationNone},
		"photo":            {cards.Draft{Stored: stored}, cards.IdentificationPending},
		"photo, not asked": {cards.Draft{Stored: stored, Identify: &no}, cards.IdentificationNone},
		"archived": {
			cards.Draft{Stored: stored, Patch: cards.Patch{Archived: &yes}}, cards.IdentificationNone,
		},
		"fetched":             {cards.Draft{Photos: fetched(cards.RoleFront)}, cards.IdentificationPending},
		"fetched, not asked":  {cards.Draft{Photos: fetched(cards.RoleFront), Identify: &no}, cards.IdentificationNone},
		"fetched listing":     {cards.Draft{Photos: fetched(cards.RoleListing)}, cards.IdentificationPending},
		"back alone":          {cards.Draft{Photos: fetched(cards.RoleBack)}, cards.IdentificationNone},
		"title":               {cards.Draft{Patch: titled}, cards.IdentificationDone},
		"title, photo, asked": {cards.Draft{Patch: titled, Stored: stored, Identify: &yes}, cards.IdentificationDone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := setup(t).create(t, tc.draft).Identification.Status; got != tc.want {
				t.Errorf("status %s, want %s", got, tc.want)
			}
		})
	}
}

// A card that waits for a photo waits for nothing once the photo cannot be fetched, and again with another photo.
func TestIdentificationStatus_FollowsFetch(t *testing.T) {
	t.Parallel()
	i := setup(t)
	address := cards.NewPhoto{URL: "https://photos.example/a", Role: cards.RoleFront}
	card := i.create(t, cards.Draft{Photos: []cards.NewPhoto{address}})
	claim := i.claimFetch(t, time.Minute)
	failed := cards.Photo{ID: claim.Key, Status: cards.PhotoFailed, Failure: "The address answered 404."}
	if _, err := i.cards.PhotoFetched(t.Context(), claim, card.ID, failed); err != nil {
		t.Fatal(err)
	}
	got, err := i.cards.Get(t.Context(), i.account, card.ID)
	if err != nil || got.Identification.Status != cards.IdentificationNone {
		t.Errorf("after the fetch failed: %s, %v, want none", got.Identification.Status, err)
	}
	got, _, err = i.cards.PutPhoto(t.Context(), i.account, card.ID, front())
	if err != nil || got.Identification.Status != cards.IdentificationPending || i.takeWaiting(t) != 1 {
		t.Errorf("with another photo: %s, %v, want pending and a place in the queue", got.Identification.Status, err)
	}
}

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
	imported, archived, byHand := cards.Draft{}, cards.Draft{Patch: cards.Patch{Archived: &yes}}, cards.Draft{Identify: &no}
	for name, tc := range map[string]struct {
		draft         cards.Draft
		before, after []bool // what archived is set to before its photo comes, and after
		want          int
	}{
		"archived before its photo came":        {imported, []bool{true}, nil, 0},
		"and brought back":                      {imported, []bool{true}, []bool{false}, 1},
		"brought back before its photo came":    {imported, []bool{true, false}, nil, 1},
		"brought back twice":                    {imported, []bool{true}, []bool{false, true, false}, 1},
		"imported as archived":                  {archived, nil, nil, 0},
		"imported as archived and brought back": {archived, nil, []bool{false}, 1},
		"to be identified by hand":              {byHand, []bool{true}, []bool{false}, 0},
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
				t.Errorf("%d wait to be identified, want %d", got, tc.want)
			}
		})
	}
}

// front is a photo of a card's front.
func front() cards.Photo {
	return cards.Photo{ID: id.New(id.Photo, time.Now()), Role: cards.RoleFront, Status: cards.PhotoReady, ContentType: "image/jpeg"}
}

func (i inventory) update(t *testing.T, cardID string, patch cards.Patch) {
	t.Helper()
	if _, err := i.cards.Update(t.Context(), i.account, cardID, patch, nil); err != nil {
		t.Fatal(err)
	}
}

// AutoIdentify is not visible to clients, so it does not increment the version. A card that can be
// identified is enqueued.
func TestAwaitIdentification(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for name, tc := range map[string]struct {
		archived bool
		now      int // waiting at once
	}{"archived": {true, 0}, "brought back meanwhile": {false, 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := setup(t)
			card := i.create(t, cards.Draft{Stored: []cards.Photo{front()}, Patch: cards.Patch{Archived: &tc.archived}, Identify: &no})
			var after cards.Card
			err := clock.System.Write(t.Context(), i.db, i.account, func(tx *postgres.Tx, stamp clock.Stamp) (err error) {
				after, err = i.cards.AwaitIdentification(t.Context(), tx, stamp, card.ID)
				return err
			})
			if err != nil || after.Version != card.Version || !after.UpdatedAt.Equal(card.UpdatedAt) {
				t.Fatalf("got %+v, %v", after, err)
			}
			if got := i.takeWaiting(t); got != tc.now {
				t.Errorf("%d wait, want %d", got, tc.now)
			}
			i.update(t, card.ID, cards.Patch{Archived: &yes})
			i.update(t, card.ID, cards.Patch{Archived: &no})
			if got := i.takeWaiting(t); got != 1-tc.now {
				t.Errorf("once brought back %d wait, want %d", got, 1-tc.now)
			}
		})
	}
}

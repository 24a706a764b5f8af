package cards_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/quota"
)

// limitedTo returns an inventory whose account has quotas.
func limitedTo(t *testing.T, quotas string) inventory {
	t.Helper()
	limits, err := quota.Parse(quotas)
	if err != nil {
		t.Fatal(err)
	}
	return onMachine(t, pgtest.New(t), clock.Clock{Now: clock.System.Now, Quotas: limits}, "")
}

// used returns the counters of the account.
func (i inventory) used(t *testing.T) (u quota.Usage) {
	t.Helper()
	err := i.db.Get(t.Context(), &u,
		`SELECT cards, card_bytes, photos, photo_bytes FROM account_clock WHERE account_id = $1`, i.account)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// recount counts all cards of the account again, with calls of while in between.
func (i inventory) recount(t *testing.T, sizes cards.PhotoSizes, while func()) quota.Usage {
	t.Helper()
	_, err := i.db.Exec(t.Context(), `
		UPDATE account_clock SET cards = 0, card_bytes = 0, photos = 0, photo_bytes = 0, counted_to = ''
		WHERE account_id = $1`, i.account)
	if err != nil {
		t.Fatal(err)
	}
	for counted := ""; counted != clock.CountedAll; {
		if err := i.cards.CountChunk(t.Context(), sizes, i.account); err != nil {
			t.Fatal(err)
		}
		while()
		err := i.db.Get(t.Context(), &counted, `SELECT counted_to FROM account_clock WHERE account_id = $1`, i.account)
		if err != nil {
			t.Fatal(err)
		}
	}
	return i.used(t)
}

// oldPhotos are photos of 100 bytes each.
type oldPhotos struct{}

func (oldPhotos) Size(context.Context, string, cards.Photo) (int64, error) { return 100, nil }

func photo(role cards.Role, size int64) cards.Photo {
	return cards.Photo{
		ID: id.New(id.Photo, clock.System.Time()), Role: role, Status: cards.PhotoReady,
		ContentType: "image/jpeg", Width: 600, Height: 800, Size: size,
	}
}

// Cards that are created at the same time do not exceed the quota, and the counters are exact.
func TestService_CreateWithinQuota(t *testing.T) {
	t.Parallel()
	i := limitedTo(t, "cards=10")
	var refused atomic.Int64
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			_, err := i.cards.Create(t.Context(), i.account, []cards.Draft{{}, {}}, nil)
			if fault.Is(err, fault.QuotaExceeded) {
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	if got := i.used(t); got.Cards != 10 || refused.Load() != 3 {
		t.Errorf("the account has %d cards after %d refusals, want 10 and 3", got.Cards, refused.Load())
	}
}

// Changes of cards count, whatever makes them, and a change that adds too much is refused alone.
func TestService_CountsChanges(t *testing.T) {
	t.Parallel()
	i := limitedTo(t, "card_bytes=100,photos=3,photo_bytes=1000")
	ctx := caller.WithActor(t.Context(), caller.Actor{Type: caller.UserActor, ID: "user_x"})
	first := i.create(t, cards.Draft{Patch: cards.Patch{Title: cards.Set("Ember Fox"), Notes: cards.Set("ten bytes!")}})
	second := i.create(t, cards.Draft{Stored: []cards.Photo{photo(cards.RoleFront, 400)}})
	check := func(step string, want quota.Usage) {
		t.Helper()
		if diff := cmp.Diff(want, i.used(t)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step, diff)
		}
	}
	check("created", quota.Usage{Cards: 2, CardBytes: 19, Photos: 1, PhotoBytes: 400})
	refuse := func(step string, err error) {
		t.Helper()
		if !fault.Is(err, fault.QuotaExceeded) {
			t.Errorf("%s: got %v, want quota_exceeded", step, err)
		}
	}
	_, err := i.cards.Update(ctx, i.account, first.ID, cards.Patch{Notes: cards.Set(strings.Repeat("x", 92))}, nil)
	refuse("long notes", err)
	_, err = i.cards.Update(ctx, i.account, first.ID, cards.Patch{Notes: cards.Set(strings.Repeat("x", 91))}, nil)
	if err != nil {
		t.Error(err)
	}
	_, _, err = i.cards.PutPhoto(ctx, i.account, second.ID, photo(cards.RoleBack, 601))
	refuse("a large photo", err)
	_, replaced, err := i.cards.PutPhoto(ctx, i.account, second.ID, photo(cards.RoleFront, 1000))
	if err != nil || replaced == nil {
		t.Errorf("replace a photo: %v", err)
	}
	check("changed", quota.Usage{Cards: 2, CardBytes: 100, Photos: 1, PhotoBytes: 1000})
	results, err := i.cards.UpdateMany(ctx, i.account, []cards.PatchItem{
		{CardID: first.ID, Patch: cards.Patch{Notes: cards.Set("x")}},
		{CardID: second.ID, Patch: cards.Patch{Notes: cards.Set(strings.Repeat("y", 90))}},
	}, false)
	if err != nil || results[0].Err != nil || results[1].Err != nil {
		t.Errorf("a change that adds no more than the one before removes: %v, %+v", err, results)
	}
	check("changed many", quota.Usage{Cards: 2, CardBytes: 100, Photos: 1, PhotoBytes: 1000})
	if _, err := i.cards.Delete(ctx, i.account, second.ID, nil); err != nil {
		t.Fatal(err)
	}
	check("deleted", quota.Usage{Cards: 1, CardBytes: 10})
	if diff := cmp.Diff(i.used(t), i.recount(t, oldPhotos{}, func() {})); diff != "" {
		t.Errorf("counted again (-kept +counted):\n%s", diff)
	}
}

// A change that a quota refuses changes nothing: the card keeps its external id, and another card cannot have it.
func TestService_QuotaRefusesWholeUpdate(t *testing.T) {
	t.Parallel()
	i := limitedTo(t, "card_bytes=100")
	ctx := caller.WithActor(t.Context(), caller.Actor{Type: caller.UserActor, ID: "user_x"})
	first := i.create(t, cards.Draft{Patch: cards.Patch{ExternalID: cards.Set("shop-1")}})
	second := i.create(t, cards.Draft{})
	long := cards.Patch{ExternalID: cards.Set("shop-2"), Notes: cards.Set(strings.Repeat("x", 99))}
	results, err := i.cards.UpdateMany(ctx, i.account, []cards.PatchItem{
		{CardID: first.ID, Patch: long},
		{CardID: second.ID, Patch: cards.Patch{ExternalID: cards.Set("shop-1")}},
	}, false)
	if err != nil || code(results[0].Err) != fault.QuotaExceeded || code(results[1].Err) != fault.ExternalIDTaken {
		t.Fatalf("UpdateMany = %+v, %v, want quota_exceeded and external_id_taken", results, err)
	}
	if got := i.get(t, first.ID).ExternalID; got == nil || *got != "shop-1" {
		t.Errorf("external id %v, want that of before", got)
	}
}

// An account above its quota keeps what it has, may have less, and may add nothing.
func TestService_AboveQuota(t *testing.T) {
	t.Parallel()
	i := limitedTo(t, "")
	for range 3 {
		i.create(t, cards.Draft{})
	}
	small := onMachine(t, i.db, clock.Clock{Now: clock.System.Now, Quotas: mustParse(t, "cards=2")}, i.account)
	_, err := small.cards.Create(t.Context(), i.account, []cards.Draft{{}}, nil)
	if !fault.Is(err, fault.QuotaExceeded) {
		t.Errorf("got %v, want quota_exceeded", err)
	}
	last := i.create(t, cards.Draft{})
	_, err = small.cards.Update(t.Context(), i.account, last.ID, cards.Patch{Notes: cards.Set("x")}, nil)
	if err != nil {
		t.Errorf("a change that adds no card: %v", err)
	}
	if _, err := small.cards.Delete(t.Context(), i.account, last.ID, nil); err != nil {
		t.Error(err)
	}
}

func mustParse(t *testing.T, text string) quota.Limits {
	t.Helper()
	l, err := quota.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The cards of an existing account are counted while others are created, changed and deleted, with the sizes of photos
// that were stored without.
func TestService_CountsExistingCards(t *testing.T) {
	t.Parallel()
	i := limitedTo(t, "")
	var made []cards.Card
	for range 5 {
		drafts := make([]cards.Draft, 100)
		for n := range drafts {
			drafts[n].Stored = []cards.Photo{photo(cards.RoleFront, 0)}
			drafts[n].Notes = cards.Set("old")
		}
		list, err := i.cards.Create(t.Context(), i.account, drafts, nil)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, list...)
	}
	step := 0
	change := func() { // before and after the last card that is counted
		for _, at := range []int{step, len(made) - 1 - step} {
			_, err := i.cards.Update(t.Context(), i.account, made[at].ID, cards.Patch{Notes: cards.Set("changed")}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := i.cards.Delete(t.Context(), i.account, made[at+1-at%2*2].ID, nil); err != nil {
				t.Fatal(err)
			}
		}
		back := []cards.Photo{photo(cards.RoleBack, 7)}
		i.create(t, cards.Draft{Patch: cards.Patch{Notes: cards.Set("new")}, Stored: back})
		step += 10
	}
	got := i.recount(t, oldPhotos{}, change)
	if diff := cmp.Diff(i.recount(t, oldPhotos{}, func() {}), got); diff != "" {
		t.Errorf("counted while the cards changed (-quiet +changing):\n%s", diff)
	}
	steps := int64(step / 10)
	want := quota.Usage{Cards: 500 - steps, Photos: 500 - steps, PhotoBytes: 100*(500-2*steps) + 7*steps}
	if got.CardBytes = 0; got != want {
		t.Errorf("got %+v after %d steps, want %+v", got, steps, want)
	}
}

// anotherAccount creates another account and returns its identifier.
func (i inventory) anotherAccount(t *testing.T) string {
	t.Helper()
	account, err := accounts.New(i.db, clock.System).Create(t.Context(), "Another", false)
	if err != nil {
		t.Fatal(err)
	}
	return account.ID
}

// spoil changes cards as a process of a version does that counts nothing.
func (i inventory) spoil(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := i.db.Exec(t.Context(), statement, append([]any{i.account}, args...)...); err != nil {
		t.Fatal(err)
	}
}

// A recount corrects the counters after changes that were not counted, whatever changes meanwhile, and only once.
func TestService_Recount(t *testing.T) {
	t.Parallel()
	i := limitedTo(t, "")
	var made []cards.Card
	for range 12 {
		made = append(made, i.create(t, cards.Draft{
			Patch: cards.Patch{Notes: cards.Set("ten bytes!")}, Stored: []cards.Photo{photo(cards.RoleFront, 400)},
		}))
	}
	exact := i.used(t)
	if missing, err := i.cards.Recount(t.Context(), oldPhotos{}, i.account); err != nil || missing != (quota.Usage{}) {
		t.Fatalf("a recount of exact counters: %+v, %v, want nothing added", missing, err)
	}
	i.spoil(t, `UPDATE cards SET notes = 'six by' WHERE account_id = $1 AND id = $2`, made[0].ID)
	i.spoil(t, `DELETE FROM cards WHERE account_id = $1 AND id = $2`, made[1].ID)
	i.spoil(t, `UPDATE cards SET photos = '[]' WHERE account_id = $1 AND id = $2`, made[2].ID)
	want := quota.Usage{Cards: -1, CardBytes: -14, Photos: -2, PhotoBytes: -800}
	added := make([]quota.Usage, 4)
	var running sync.WaitGroup
	running.Go(func() { // changes that are counted
		for _, card := range made[3:] {
			if _, err := i.cards.Delete(t.Context(), i.account, card.ID, nil); err != nil {
				t.Error(err)
			}
			exact = exact.Minus(quota.Usage{Cards: 1, CardBytes: 10, Photos: 1, PhotoBytes: 400})
		}
	})
	for n := range added { // as several processes at once
		running.Go(func() {
			var err error
			if added[n], err = i.cards.Recount(t.Context(), oldPhotos{}, i.account); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	var sum quota.Usage
	for _, one := range added {
		sum = sum.Plus(one)
	}
	if sum != want {
		t.Errorf("the recounts added %+v, want %+v", sum, want)
	}
	if diff := cmp.Diff(exact.Plus(want), i.used(t)); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(i.used(t), i.recount(t, oldPhotos{}, func() {})); diff != "" {
		t.Errorf("counted from the start (-recounted +counted):\n%s", diff)
	}
}

// The loop recounts each account once a day, deleted cards that can come back included, and leaves accounts alone whose
// cards are still being counted.
func TestService_RecountNext(t *testing.T) {
	t.Parallel()
	i := limitedTo(t, "")
	i.create(t, cards.Draft{})
	other, counting := i.anotherAccount(t), i.anotherAccount(t)
	i.spoil(t, `UPDATE account_clock SET cards = 7 WHERE account_id = $1 OR account_id = $2`, other)
	i.spoil(t, `UPDATE account_clock SET counted_to = '', cards = 7 WHERE account_id <> $1 AND account_id = $2`,
		counting)
	visit := func() (visited []string) {
		for after := ""; ; {
			next, err := i.cards.RecountNext(t.Context(), oldPhotos{}, after)
			if err != nil {
				t.Fatal(err)
			}
			if after = next; after == "" {
				return visited
			}
			visited = append(visited, next)
		}
	}
	if got := visit(); len(got) != 2 {
		t.Errorf("recounted %v, want the two accounts whose cards are counted", got)
	}
	counted := map[string]int64{}
	for _, account := range []string{i.account, other, counting} {
		var n int64
		err := i.db.Get(t.Context(), &n, `SELECT cards FROM account_clock WHERE account_id = $1`, account)
		if err != nil {
			t.Fatal(err)
		}
		counted[account] = n
	}
	if diff := cmp.Diff(map[string]int64{i.account: 1, other: 0, counting: 7}, counted); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
	if got := visit(); len(got) != 0 {
		t.Errorf("recounted %v again on the same day, want none", got)
	}
	i.spoil(t, `UPDATE account_clock SET recounted_at = now() - interval '25 hours' WHERE account_id = $1`)
	if got := visit(); len(got) != 1 || got[0] != i.account {
		t.Errorf("recounted %v a day later, want %s", got, i.account)
	}
}

// A photo that a process of an earlier version stored without its size gets the size, and counts.
func TestService_RecountSizesPhotos(t *testing.T) {
	t.Parallel()
	i := limitedTo(t, "")
	card := i.create(t, cards.Draft{Stored: []cards.Photo{photo(cards.RoleFront, 0), photo(cards.RoleBack, 7)}})
	for step := range 2 {
		if _, err := i.cards.Recount(t.Context(), oldPhotos{}, i.account); err != nil {
			t.Fatal(err)
		}
		now, err := i.cards.Get(t.Context(), i.account, card.ID)
		if err != nil || now.Photos[0].Size != 100 || now.Version != card.Version {
			t.Errorf("recount %d: got %+v, %v, want the size stored and the version kept", step, now, err)
		}
		if got := i.used(t); got.PhotoBytes != 107 || got.Photos != 2 {
			t.Errorf("recount %d: counted %+v, want 107 bytes of 2 photos", step, got)
		}
	}
}

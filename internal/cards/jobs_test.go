package cards_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

const unknownCard = "card_01k5w0q2m7t9c3r5v8x0z1b4d6"

// codesOf returns the code of each result, "" for one that succeeded.
func codesOf(results []cards.ItemResult) (codes []fault.Code) {
	for _, r := range results {
		f, ok := fault.As(r.Err)
		if !ok {
			f = &fault.Error{}
		}
		codes = append(codes, f.Code)
	}
	return codes
}

// write runs fn in a transaction that holds the account's clock.
func (i inventory) write(
	t testing.TB, fn func(tx *postgres.Tx, stamp clock.Stamp) ([]cards.ItemResult, error),
) (results []cards.ItemResult) {
	t.Helper()
	err := clock.System.Write(t.Context(), i.db, i.account, func(tx *postgres.Tx, stamp clock.Stamp) (err error) {
		results, err = fn(tx, stamp)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestService_DeleteManyIn(t *testing.T) {
	t.Parallel()
	i := setup(t)
	open, err := i.batches.Create(t.Context(), i.account, "Open", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	closed, err := i.batches.Create(t.Context(), i.account, "Complete", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, batchID := range []string{open.ID, open.ID, closed.ID, open.ID, ""} {
		d := cards.Draft{Patch: cards.Patch{Title: cards.Set("x")}}
		if batchID != "" {
			d.BatchID = cards.Set(batchID)
		}
		ids = append(ids, i.create(t, d).ID)
	}
	if _, err := i.batches.Complete(t.Context(), i.account, closed.ID, nil); err != nil {
		t.Fatal(err)
	}
	ids = append(ids[:3:3], strings.ToUpper(ids[4]), unknownCard)
	results := i.write(t, func(tx *postgres.Tx, stamp clock.Stamp) ([]cards.ItemResult, error) {
		return i.cards.DeleteManyIn(t.Context(), tx, stamp, "job_1", ids)
	})
	want := []fault.Code{"", "", fault.BatchComplete, "", fault.CardNotFound}
	if diff := cmp.Diff(want, codesOf(results)); diff != "" {
		t.Fatalf("results (-want +got):\n%s", diff)
	}
	batch, err := i.batches.Get(t.Context(), i.account, open.ID)
	if err != nil || batch.CardCount != 1 {
		t.Errorf("batch: got %+v, %v, want one card left", batch, err)
	}
	deleted, err := i.cards.Deletions(t.Context(), i.account, nil, paging.Request{})
	if err != nil || len(deleted.Data) != 3 {
		t.Fatalf("deletions: got %+v, %v, want 3", deleted.Data, err)
	}
	if deleted.Data[0].DeletedAt.Equal(deleted.Data[1].DeletedAt) {
		t.Error("two deletions have the same time")
	}
	for n, cardID := range ids[:4] {
		if _, err := i.cards.Get(t.Context(), i.account, cardID); (err == nil) != (n == 2) {
			t.Errorf("card %d: got %v after the deletion", n, err)
		}
	}
}

func TestService_EnqueueIdentifications(t *testing.T) {
	t.Parallel()
	i := setup(t)
	titled := cards.Draft{Patch: cards.Patch{Title: cards.Set("x")}}
	ready, bare, archived := i.create(t, titled).ID, i.create(t, titled).ID, i.create(t, titled).ID
	photo := cards.Photo{
		ID: "pho_1", Role: cards.RoleFront, Status: cards.PhotoReady, ContentType: "image/jpeg",
		Width: 600, Height: 800,
	}
	if _, _, err := i.cards.PutPhoto(t.Context(), i.account, ready, photo); err != nil {
		t.Fatal(err)
	}
	yes := true
	if _, err := i.cards.Update(t.Context(), i.account, archived, cards.Patch{Archived: &yes}, nil); err != nil {
		t.Fatal(err)
	}
	results := i.write(t, func(tx *postgres.Tx, stamp clock.Stamp) ([]cards.ItemResult, error) {
		all := []string{ready, bare, archived, unknownCard}
		return i.cards.EnqueueIdentifications(t.Context(), tx, stamp, all, &catalog.Hints{Game: "magic"})
	})
	want := []fault.Code{"", fault.CardHasNoPhoto, fault.CardArchived, fault.CardNotFound}
	if diff := cmp.Diff(want, codesOf(results)); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	var queued []string
	if err := i.db.Select(t.Context(), &queued, `SELECT card_id FROM identifications`); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{ready}, queued); diff != "" {
		t.Errorf("queued cards (-want +got):\n%s", diff)
	}
	for card, want := range map[string]catalog.Hints{ready: {Game: "magic"}, bare: {}} {
		if got, err := i.cards.Hints(t.Context(), i.account, card); err != nil || !cmp.Equal(got, want) {
			t.Errorf("hints of %s: got %+v, %v, want %+v", card, got, err, want)
		}
	}
}

func TestService_Walk(t *testing.T) {
	t.Parallel()
	i := setup(t)
	drafts := make([]cards.Draft, 450)
	for n := range drafts {
		drafts[n].Title, drafts[n].Set = cards.Set("x"), cards.Set([]string{"Dawn", "Dusk"}[n%2])
	}
	made, err := i.cards.Create(t.Context(), i.account, drafts, nil)
	if err != nil {
		t.Fatal(err)
	}
	until := made[len(made)-1].CreatedAt
	late := i.create(t, drafts[0])
	dawn, byTitle, sold := "Dawn", cards.Filter{Sort: "title"}, cards.Filter{Statuses: []cards.Status{cards.Sold}}
	for name, tc := range map[string]struct {
		filter cards.Filter
		count  int
	}{
		"all":       {cards.Filter{}, 450},
		"one set":   {cards.Filter{Set: &dawn}, 225},
		"any order": {byTitle, 450},
		"none":      {sold, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var ids []string
			for at := cards.Until(until); ; {
				found, next, err := i.cards.Walk(t.Context(), i.account, tc.filter, at)
				if err != nil {
					t.Fatal(err)
				}
				if ids = append(ids, found...); next == nil {
					break
				}
				at = *next
			}
			if !slices.IsSortedFunc(ids, func(a, b string) int { return strings.Compare(b, a) }) ||
				len(slices.Compact(ids)) != tc.count || slices.Contains(ids, late.ID) {
				t.Errorf("got %d cards, want %d, newest first, without the latest", len(ids), tc.count)
			}
		})
	}
	before := cards.Until(until.Add(-time.Hour))
	if ids, _, err := i.cards.Walk(t.Context(), i.account, cards.Filter{}, before); ids != nil {
		t.Errorf("got %d cards, %v, want none before the first", len(ids), err)
	}
}

package cards_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
)

func TestService_CountByBatch(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	first, err := i.batches.Create(ctx, i.account, "First", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := i.batches.Create(ctx, i.account, "Second", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	in, fox := cards.Set(first.ID), cards.Set("Ember Fox")
	for _, p := range []cards.Patch{
		{BatchID: in}, {BatchID: in, Title: fox}, {BatchID: in, Title: fox}, {BatchID: cards.Set(second.ID)}, {},
	} {
		i.create(t, cards.Draft{Patch: p})
	}
	count := func(account string, ids ...string) map[string]map[cards.Status]int64 {
		t.Helper()
		counts, err := i.cards.CountByBatch(ctx, account, ids)
		if err != nil {
			t.Fatal(err)
		}
		return counts
	}
	want := map[string]map[cards.Status]int64{
		first.ID: {cards.Imported: 1, cards.Identified: 2}, second.ID: {cards.Imported: 1},
	}
	if diff := gocmp.Diff(want, count(i.account, second.ID, first.ID)); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	i.create(t, cards.Draft{Patch: cards.Patch{BatchID: in}})
	// The numbers of both batches may be kept for a while, if counting took long.
	if got := count(i.account, first.ID)[first.ID][cards.Imported]; got != 2 {
		t.Errorf("imported cards after another one: got %d, want 2", got)
	}
	other := onMachine(t, i.db, clock.System, "")
	if got, err := other.cards.CountByBatch(ctx, other.account, []string{first.ID}); err != nil || len(got) != 0 {
		t.Errorf("counts of another account: got %v, %v, want none", got, err)
	}
}

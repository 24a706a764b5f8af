package cards_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
)

// So many updates run concurrently that they share transactions. They are of several accounts, of the same card and
// of different cards. Some move the card into a batch, some fail.
func TestUpdate_ConcurrentUpdatesShareTransactions(t *testing.T) {
	t.Parallel()
	first := setup(t)
	sellers := []inventory{first, onMachine(t, first.db, clock.System, ""), onMachine(t, first.db, clock.System, "")}
	const each, rounds = 6, 5
	var all sync.WaitGroup
	results := make([][]cards.Card, len(sellers))
	for s, i := range sellers {
		batch, err := i.batches.Create(t.Context(), i.account, "Fair", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		results[s] = make([]cards.Card, each)
		for n := range each {
			card := i.create(t, cards.Draft{})
			for round := range rounds {
				all.Go(func() {
					price := int64(100*n + round + 1)
					patch := cards.Patch{AskingPrice: cards.Set(usd(price)), Title: cards.Set(fmt.Sprint("Card ", n))}
					if round == 0 {
						patch.BatchID = cards.Set(batch.ID)
					}
					changed, err := first.cards.Update(t.Context(), i.account, card.ID, patch, nil)
					if err != nil || changed.AccountID != i.account || changed.ID != card.ID ||
						changed.Pricing.AskingPrice.Amount != price {
						t.Errorf("Update = %+v, %v, want card %s at price %d", changed, err, card.ID, price)
					}
				})
			}
			all.Go(func() {
				never := func(int64) bool { return false }
				_, err := first.cards.Update(t.Context(), i.account, card.ID, cards.Patch{}, never)
				if !fault.Is(err, fault.VersionMismatch) {
					t.Errorf("Update of another version: %v, want version_mismatch", err)
				}
			})
			all.Go(func() {
				other := sellers[(s+1)%len(sellers)]
				_, err := first.cards.Update(t.Context(), other.account, card.ID, cards.Patch{}, nil)
				if !fault.Is(err, fault.CardNotFound) {
					t.Errorf("Update of another account's card: %v, want card_not_found", err)
				}
			})
		}
	}
	all.Wait()
	for _, i := range sellers {
		found, err := i.cards.List(t.Context(), i.account, cards.Filter{}, paging.Request{})
		if err != nil || len(found.Data) != each {
			t.Fatalf("%d cards, %v, want %d", len(found.Data), err, each)
		}
		for _, c := range found.Data {
			if c.Version != rounds+1 || c.BatchID == nil || c.Status != cards.Priced {
				t.Errorf("card %+v, want version %d, a batch and a price", c, rounds+1)
			}
		}
		list, err := i.batches.List(t.Context(), i.account, batches.Filter{}, paging.Request{})
		if err != nil || list.Data[0].CardCount != each {
			t.Errorf("batches %+v, %v, want one of %d cards", list.Data, err, each)
		}
		counts := map[string]int{}
		for _, kind := range i.happened(t) {
			counts[kind]++
		}
		want := map[string]int{
			"card.identified": each, "card.priced": each, "imported>identified": each, "identified>priced": each,
		}
		if diff := cmp.Diff(want, counts); diff != "" {
			t.Errorf("number of events (-want +got):\n%s", diff)
		}
	}
}

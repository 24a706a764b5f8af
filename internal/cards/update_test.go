package cards_test

import (
	"fmt"
	"maps"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/page"
)

// So many updates run at once that they share transactions: of several accounts, of the same card and of
// different ones, some into a batch, some refused.
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
					patch := cards.Patch{AskingPrice: cards.Set(usd(int64(100*n + round + 1))), Title: cards.Set(fmt.Sprint("Card ", n))}
					if round == 0 {
						patch.BatchID = cards.Set(batch.ID)
					}
					changed, err := first.cards.Update(t.Context(), i.account, card.ID, patch, nil)
					if err != nil || changed.AccountID != i.account || changed.ID != card.ID || changed.Pricing.AskingPrice.Amount != int64(100*n+round+1) {
						t.Errorf("changed %+v, %v", changed, err)
					}
				})
			}
			all.Go(func() {
				_, err := first.cards.Update(t.Context(), i.account, card.ID, cards.Patch{}, func(int64) bool { return false })
				if !fault.Is(err, fault.VersionMismatch) {
					t.Errorf("refused by %v", err)
				}
			})
			all.Go(func() {
				other := sellers[(s+1)%len(sellers)]
				if _, err := first.cards.Update(t.Context(), other.account, card.ID, cards.Patch{}, nil); !fault.Is(err, fault.CardNotFound) {
					t.Errorf("another account's card: %v", err)
				}
			})
		}
	}
	all.Wait()
	for _, i := range sellers {
		found, err := i.cards.List(t.Context(), i.account, cards.Filter{}, page.Request{})
		if err != nil || len(found.Data) != each {
			t.Fatalf("%d cards, %v", len(found.Data), err)
		}
		for _, c := range found.Data {
			if c.Version != rounds+1 || c.BatchID == nil || c.Status != cards.Priced {
				t.Errorf("a card that was changed %d times: %+v", rounds, c)
			}
		}
		list, err := i.batches.List(t.Context(), i.account, batches.Filter{}, page.Request{})
		if err != nil || list.Data[0].CardCount != each {
			t.Errorf("the batch counts %+v, %v", list.Data, err)
		}
		counts := map[string]int{}
		for _, kind := range i.happened(t) {
			counts[kind]++
		}
		if want := map[string]int{"card.identified": each, "card.priced": each, "imported>identified": each, "identified>priced": each}; !maps.Equal(counts, want) {
			t.Errorf("events %v", counts)
		}
	}
}

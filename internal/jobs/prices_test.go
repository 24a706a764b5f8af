package jobs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

func (s *shop) asking(t testing.TB, cardID string) int64 {
	t.Helper()
	card, err := s.cards.Get(t.Context(), s.account, cardID)
	if err != nil {
		t.Fatal(err)
	}
	return card.Pricing.AskingPrice.Amount
}

func TestService_PriceChangeOfEstimates(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 3)
	s.prices = map[string]money.Money{ids[0]: {Amount: 2000, Currency: "USD"}, ids[1]: {Amount: 315, Currency: "USD"}}
	change := cards.PriceChange{OfEstimate: true, Hundredths: -10_00, To99: true}
	job := s.accept(t, Request{Kind: Update, CardIDs: ids, PriceChange: &change})
	for !s.step(t, job, 2) { // in two transactions, each with estimates of its own
	}
	s.want(t, job, Done, 3, 2, 1)
	if diff := cmp.Diff(map[string]string{ids[2]: "no_price_found"}, s.refusals(t, job)); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
	for i, want := range []int64{17_99, 2_99, 5_00} {
		if got := s.asking(t, ids[i]); got != want {
			t.Errorf("card %d: the asking price is %d, want %d", i, got, want)
		}
	}
}

// TestService_EstimatesOfOtherCards looks prices up, and another worker changes these cards before the transaction.
func TestService_EstimatesOfOtherCards(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 2)
	s.prices = map[string]money.Money{ids[0]: {Amount: 2000, Currency: "USD"}, ids[1]: {Amount: 3000, Currency: "USD"}}
	job := s.accept(t, Request{Kind: Update, CardIDs: ids, PriceChange: &cards.PriceChange{OfEstimate: true}})
	p, err := find(t.Context(), s.db, s.account, job.ID)
	if err != nil {
		t.Fatal(err)
	}
	late, err := s.estimate(t.Context(), &p, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.step(t, job, 1)
	err = s.clock.Write(t.Context(), s.db, s.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
		_, err := s.change(t.Context(), tx, stamp, job.ID, 1, late)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.asking(t, ids[1]); got != 500 {
		t.Errorf("the second card costs %d, want 500: the estimate is that of the first", got)
	}
	s.finish(t, job)
	if got := s.asking(t, ids[1]); got != 3000 {
		t.Errorf("the second card costs %d, want 3000", got)
	}
	s.changedOnce(t, ids)
}

// TestPlan_PriceChange reads what jobs have stored. Processes of earlier versions read a list of price changes, and
// must not take a change of estimates for one of asking prices.
func TestPlan_PriceChange(t *testing.T) {
	t.Parallel()
	for _, want := range []cards.PriceChange{
		{Hundredths: -12_50, To99: true}, {OfEstimate: true, Hundredths: 10_00}, {OfEstimate: true},
	} {
		text, err := encodePriceChange(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&plan{Job: Job{Patch: text}}).priceChange()
		if err != nil || got == nil || *got != want {
			t.Errorf("%s: got %+v, %v, want %+v", *text, got, err, want)
		}
		if nested := (*text)[:2] == "[["; nested != want.OfEstimate {
			t.Errorf("%s: want a list within a list only for a change of estimates", *text)
		}
	}
}

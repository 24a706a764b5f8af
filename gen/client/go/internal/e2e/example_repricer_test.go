//go:build e2e

package e2e

import (
	"slices"
	"testing"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// A dry run prints the changes, and --apply makes them. No price falls below cost and 10 %.
func TestExamples_Repricer(t *testing.T) {
	s := newShop(t, "repricer")
	usd := func(amount int64) cardvault.Money { return cardvault.Money{Amount: amount, Currency: "USD"} }
	priced := func(title string, price, cost cardvault.Money) cardvault.CardInput {
		return cardvault.CardInput{
			Identification: cardvault.IdentificationInput{Title: title},
			Pricing:        cardvault.PricingInput{AskingPrice: price, Cost: cost},
		}
	}
	cards := s.addCards(
		priced("Cheap", usd(2010), usd(500)), priced("Floor", usd(1000), usd(900)),
		priced("Dear", usd(1000), usd(950)), priced("Gift", usd(1000), cardvault.Money{}),
	)
	s.list(cards...)
	before := s.prices(cards)
	s.wantLines("repricer", []string{"--apply"}, "0 prices changed")

	changes := []string{
		cards[3].ID + " Gift: keeps 10.00 USD, has no cost in USD",
		cards[1].ID + " Floor: 10.00 to 9.90 USD",
		cards[0].ID + " Cheap: 20.10 to 19.10 USD",
	}
	dry := append(slices.Clone(changes), "2 prices to change: run it again with --apply")
	s.wantLines("repricer", []string{"--days", "0"}, dry...)
	if now := s.prices(cards); !slices.Equal(now, before) {
		t.Errorf("after a dry run the prices are %v, want %v", now, before)
	}
	s.wantLines("repricer", []string{"--days", "0", "--apply"}, append(changes, "2 prices changed")...)
	if now, want := s.prices(cards), []int64{1910, 990, 1000, 1000}; !slices.Equal(now, want) {
		t.Errorf("the prices are %v, want %v", now, want)
	}
}

// prices returns the amounts of the asking prices.
func (s *shop) prices(cards []cardvault.Card) []int64 {
	s.t.Helper()
	var amounts []int64
	for _, card := range cards {
		card, err := s.GetCard(s.t.Context(), card.ID)
		if err != nil {
			s.t.Fatal(err)
		}
		amounts = append(amounts, card.Pricing.AskingPrice.Amount)
	}
	return amounts
}

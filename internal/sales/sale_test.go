package sales

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

func usd(amount int64) money.Money { return money.Money{Amount: amount, Currency: "USD"} }

// For any amounts, net = gross + shipping charged − shipping cost − fees, and tax is apart.
func TestSale_Net(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Range(0, money.Max)
		s, err := SellInput{Channel: "other", Price: usd(amount.Draw(t, "gross"))}.
			sale(&cards.Card{ID: "card_x"}, clock.Stamp{At: noon})
		if err != nil {
			t.Fatal(err)
		}
		charged, cost, tax := usd(amount.Draw(t, "charged")), usd(amount.Draw(t, "cost")), usd(amount.Draw(t, "tax"))
		fees, total := []FeeInput{}, int64(0)
		for _, fee := range rapid.SliceOfN(amount, 0, MaxFees).Draw(t, "fees") {
			fees, total = append(fees, FeeInput{"fee", usd(fee)}), total+fee
		}
		patch := Patch{Fees: &fees, ShippingCharged: &charged, ShippingCost: &cost, Tax: &tax}
		if err := patch.apply(&s, noon); err != nil {
			t.Fatal(err)
		}
		if want := s.Gross.Amount + charged.Amount - cost.Amount - total; s.Net() != want {
			t.Errorf("net %d, want %d", s.Net(), want)
		}
	})
}

func TestSale_HasOneCurrency(t *testing.T) {
	t.Parallel()
	euros := money.Money{Amount: 1, Currency: "EUR"}
	fees := []FeeInput{{"table", euros}}
	for name, patch := range map[string]Patch{
		"fees": {Fees: &fees}, "shipping_charged": {ShippingCharged: &euros},
		"shipping_cost": {ShippingCost: &euros}, "tax": {Tax: &euros},
	} {
		s := Sale{Gross: usd(100)}
		if err := patch.apply(&s, noon); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%s in another currency: %v, want invalid_request", name, err)
		}
	}
	s := Sale{Gross: usd(100)}
	if _, _, err := s.refund(RefundInput{Amount: &euros}, noon); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("refund in another currency: %v, want invalid_request", err)
	}
}

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

// For any sequence of refunds, their sum does not exceed the gross price, and the sale is refunded if and only if the
// sum is the gross price.
func TestSale_RefundsNeverExceed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := Sale{Gross: usd(rapid.Int64Range(1, 1000).Draw(t, "gross")), Status: Completed}
		for range rapid.IntRange(1, 20).Draw(t, "refunds") {
			before := s
			in := RefundInput{Restock: rapid.Bool().Draw(t, "restock")}
			if rapid.Bool().Draw(t, "part") {
				part := usd(rapid.Int64Range(0, 1200).Draw(t, "amount"))
				in.Amount = &part
			}
			amount, restocked, err := s.refund(in, noon)
			if err != nil {
				if s.RefundTotal() != before.RefundTotal() || s.RestockedAt != before.RestockedAt {
					t.Fatalf("a refused refund changed the sale: %v", err)
				}
				continue
			}
			if s.RefundTotal() != before.RefundTotal()+amount || restocked && before.RestockedAt != nil {
				t.Fatalf("refund of %d: total %d after %d", amount, s.RefundTotal(), before.RefundTotal())
			}
			if s.RefundTotal() > s.Gross.Amount || (s.Status == Refunded) != (s.RefundTotal() == s.Gross.Amount) {
				t.Fatalf("%d of %d refunded, status %s", s.RefundTotal(), s.Gross.Amount, s.Status)
			}
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

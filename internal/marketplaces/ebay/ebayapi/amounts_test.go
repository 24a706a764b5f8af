package ebayapi

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

func usd(value string) wire.Amount { return wire.Amount{Value: value, Currency: "USD"} }

func TestOrderAmounts(t *testing.T) {
	t.Parallel()
	fee, discounted := usd("1.00"), usd("5.00")
	order := wire.Order{TotalMarketplaceFee: &fee, LineItems: []wire.LineItem{
		{LineItemCost: usd("10.00"), DeliveryCost: wire.DeliveryCost{ShippingCost: usd("4.00")},
			Refunds: []wire.Refund{{RefundID: "1", Amount: usd("3.00")}, {RefundID: "2", Amount: usd("2.00")}}},
		{LineItemCost: usd("9.00"), DiscountedLineItemCost: &discounted},
	}, PaymentSummary: wire.PaymentSummary{Refunds: []wire.Refund{
		{RefundID: "1", Amount: usd("3.00"), RefundStatus: wire.Refunded},
		{RefundID: "2", Amount: usd("2.00"), RefundStatus: "FAILED"},
	}}}
	lines, err := orderAmounts(order)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]int64
	for _, l := range lines {
		got = append(got, []int64{l.price.Amount, l.Shipping, *l.Fee, l.Refunded})
	}
	if diff := cmp.Diff([][]int64{{1000, 400, 66, 300}, {500, 0, 34, 0}}, got); diff != "" {
		t.Errorf("price, delivery, fee and refunds (-want +got):\n%s", diff)
	}
	order.LineItems[0].DeliveryCost.ShippingCost.Currency = "EUR"
	if _, err := orderAmounts(order); err == nil {
		t.Error("an order in two currencies: got no error")
	}
}

// The refunds of a whole order count for its line items, and each refund by its own state.
func TestOrderAmounts_Refunds(t *testing.T) {
	t.Parallel()
	item := func(price, delivery string, refunds ...wire.Refund) wire.LineItem {
		return wire.LineItem{LineItemCost: usd(price), DeliveryCost: wire.DeliveryCost{ShippingCost: usd(delivery)},
			Refunds: refunds}
	}
	refund := func(id, value, status string) wire.Refund {
		return wire.Refund{RefundID: id, Amount: usd(value), RefundStatus: status}
	}
	for name, tc := range map[string]struct {
		lines   []wire.LineItem
		refunds []wire.Refund
		want    []int64
	}{
		"of the whole order": {[]wire.LineItem{item("10.00", "4.00"), item("5.00", ""), item("1.00", "")},
			[]wire.Refund{refund("1", "20.00", wire.Refunded)}, []int64{1400, 500, 100}},
		"of a part of the order": {[]wire.LineItem{item("10.00", ""), item("5.00", "")},
			[]wire.Refund{refund("1", "3.00", wire.Refunded)}, []int64{200, 100}},
		"of a line, then of the rest": {[]wire.LineItem{item("10.00", "", refund("1", "10.00", "")), item("5.00", "")},
			[]wire.Refund{refund("1", "10.00", wire.Refunded), refund("2", "5.00", wire.Refunded)}, []int64{1000, 500}},
		"without identifiers": {[]wire.LineItem{item("12.57", "")},
			[]wire.Refund{refund("", "2.50", wire.Refunded), refund("", "10.07", "FAILED")}, []int64{250}},
		"pending": {[]wire.LineItem{item("10.00", ""), item("5.00", "")},
			[]wire.Refund{refund("1", "15.00", "PENDING")}, []int64{0, 0}},
	} {
		lines, err := orderAmounts(wire.Order{
			LineItems: tc.lines, PaymentSummary: wire.PaymentSummary{Refunds: tc.refunds},
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, l := range lines {
			got = append(got, l.Refunded)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestShares(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		total   int64
		weights []int64
		want    []int64
	}{
		{100, []int64{1, 1, 1}, []int64{33, 33, 34}},
		{7, []int64{0, 0}, []int64{7, 0}},
		{0, []int64{5, 5}, []int64{0, 0}},
		{9, []int64{3}, []int64{9}},
	} {
		if diff := cmp.Diff(tc.want, shares(tc.total, tc.weights)); diff != "" {
			t.Errorf("shares(%d, %v) (-want +got):\n%s", tc.total, tc.weights, diff)
		}
	}
}

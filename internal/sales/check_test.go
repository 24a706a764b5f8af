package sales

import (
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

func TestSale_RefusesTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ß", 501)
	sell := func(in SellInput) error {
		in.Price = usd(100)
		_, err := in.sale(&cards.Card{ID: "card_x"}, clock.Stamp{At: noon})
		return err
	}
	patch := func(p Patch) error { return p.apply(&Sale{Gross: usd(100)}, noon) }
	for name, tc := range map[string]struct {
		err   error
		field string
	}{
		"channel":         {(&Service{channels: otherChannels}).checkChannel("fair"), "channel"},
		"order reference": {sell(SellInput{Channel: "other", OrderReference: new("a\nb")}), "order_reference"},
		"kind":            {sell(SellInput{Channel: "other", Fees: []FeeInput{{"", usd(1)}}}), "fees.0.kind"},
		"long kind":       {patch(Patch{Fees: &[]FeeInput{{"a", usd(1)}, {long[:82], usd(1)}}}), "fees.1.kind"},
		"carrier":         {patch(Patch{Tracking: Field[Tracking]{true, &Tracking{"", "1"}}}), "tracking.carrier"},
		"number":          {patch(Patch{Tracking: Field[Tracking]{true, &Tracking{"DHL", long}}}), "tracking.number"},
		"buyer":           {patch(Patch{BuyerReference: Field[string]{true, new("\xff")}}), "buyer_reference"},
		"reason":          {refundReason(&long), "reason"},
		"NUL":             {refundReason(new("a\x00")), "reason"},
	} {
		f, ok := fault.As(tc.err)
		if !ok || f.Code != fault.InvalidRequest || f.Details[0].Field != tc.field {
			t.Errorf("%s: %v, want invalid_request of %s", name, tc.err, tc.field)
		}
	}
	if err := refundReason(new("Corner damaged\nin the post.")); err != nil {
		t.Errorf("a reason of two lines: %v", err)
	}
}

func refundReason(reason *string) error {
	s := Sale{Gross: usd(100)}
	_, err := s.AfterRefund(RefundInput{Reason: reason}, noon)
	return err
}

func TestSale_Profit(t *testing.T) {
	t.Parallel()
	at := noon.Add(time.Hour)
	for name, tc := range map[string]struct {
		change func(*Sale)
		want   int64
		known  bool
	}{
		"plain":            {func(*Sale) {}, 1000 - 300 - 50, true},
		"with refunds":     {func(s *Sale) { s.Refunds = []Refund{{Parts: Parts{Item: 800}}} }, 200 - 300 - 50, true},
		"returned":         {func(s *Sale) { s.RestockedAt = &at }, 1000 - 50, true},
		"of unknown cost":  {func(s *Sale) { s.CostAtSale = nil }, 1000 - 50, true},
		"of a cost in yen": {func(s *Sale) { s.CostAtSale = &money.Money{Amount: 1, Currency: "JPY"} }, 0, false},
		"with everything back": {func(s *Sale) {
			s.ShippingCharged, s.Tax, s.RestockedAt = 500, 120, &at
			s.Refunds = []Refund{{Parts: Parts{1000, 500, 120, 50}}}
		}, 0, true},
		"voided":        {func(s *Sale) { s.Status = Voided }, 0, true},
		"with shipping": {func(s *Sale) { s.ShippingCost, s.ShippingCharged = 70, 100 }, 1000 - 300 - 50 + 30, true},
	} {
		cost := usd(300)
		s := Sale{Gross: usd(1000), Fees: []Fee{{"table", 50}}, CostAtSale: &cost}
		tc.change(&s)
		if got, known := s.Profit(); known != tc.known || known && got != usd(tc.want) {
			t.Errorf("%s: profit %v, %t; want %d, %t", name, got, known, tc.want, tc.known)
		}
	}
}

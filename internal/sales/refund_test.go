package sales

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// For any sequence of refunds, corrections and orders of a marketplace in any currency, no part is returned beyond what
// was charged for it, and the sale is refunded if and only if its price was returned. What is refused changes nothing.
// After all was returned, and the card came back, only the cost of shipping and the fees that were kept are a loss.
func TestSale_RefundsNeverExceed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		currency := rapid.SampledFrom([]string{"JPY", "USD", "KWD"}).Draw(t, "currency")
		amount := func(name string) money.Money {
			return money.Money{Amount: rapid.Int64Range(0, 1200).Draw(t, name), Currency: currency}
		}
		part := func(name string) *money.Money {
			if m := amount(name); rapid.Bool().Draw(t, name+" is given") {
				return &m
			}
			return nil
		}
		s := Sale{Gross: amount("gross"), Status: Completed, Fees: []Fee{}}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			before := s
			var err error
			switch rapid.SampledFrom([]string{"refund", "parts", "patch", "order", "void"}).Draw(t, "step") {
			case "refund":
				in := RefundInput{Amount: part("amount"), Restock: rapid.Bool().Draw(t, "restock")}
				_, _, err = s.refund(in, noon)
			case "parts":
				parts := PartsInput{part("item"), part("shipping"), part("tax"), part("returned fees")}
				_, _, err = s.refund(RefundInput{Parts: &parts, Restock: rapid.Bool().Draw(t, "restock")}, noon)
			case "patch":
				fees := []FeeInput{{"fee", amount("fee")}}
				patch := Patch{Gross: part("price"), ShippingCharged: part("charged"), Tax: part("tax"), Fees: &fees}
				err = patch.apply(&s, noon)
			case "order":
				order := OrderState{amount("delivery").Amount, new(amount("marketplace fee").Amount),
					amount("refunded").Amount, rapid.Bool().Draw(t, "cancelled")}
				checkFollow(t, &s, order)
			case "void":
				if rapid.IntRange(0, 9).Draw(t, "really") == 0 {
					_, err = s.void(noon)
				}
			}
			if err != nil {
				s = before
			}
			checkParts(t, &s, before)
		}
	})
}

// checkFollow follows an order. Reading it again, or an older state of it, changes nothing.
func checkFollow(t *rapid.T, s *Sale, order OrderState) {
	s.follow(order, noon)
	older := order
	older.Refunded, older.Cancelled = order.Refunded/2, false
	for name, again := range map[string]OrderState{"the same": order, "an older": older} {
		after := *s
		if parts, restocked, changed := after.follow(again, noon); changed || parts != (Parts{}) || restocked {
			t.Fatalf("%s state of order %+v refunds %+v once more", name, order, parts)
		}
	}
}

func checkParts(t *rapid.T, s *Sale, before Sale) {
	left, returned := s.Left(), s.Returned()
	if min(left.Item, left.Shipping, left.Tax, left.Fees) < 0 {
		t.Fatalf("more was returned than charged: %+v of %+v", returned, s.Charged())
	}
	if was := before.Returned(); min(returned.Item-was.Item, returned.Shipping-was.Shipping, returned.Tax-was.Tax,
		returned.Fees-was.Fees) < 0 {
		t.Fatalf("returned %+v after %+v", returned, was)
	}
	if before.Status == Voided && cmp.Diff(before, *s) != "" {
		t.Fatalf("a voided sale changed: %s", cmp.Diff(before, *s))
	}
	full := len(s.Refunds) > 0 && returned.Item == s.Gross.Amount
	if s.Status != Voided && (s.Status == Refunded) != full && len(s.Refunds) > 0 {
		t.Fatalf("%+v of %v returned, status %s", returned, s.Gross, s.Status)
	}
	if profit, _ := s.Profit(); left == (Parts{}) && s.RestockedAt != nil && profit.Amount != 0 {
		t.Fatalf("everything came back, and the profit is %v", profit)
	}
}

func TestSale_Refund(t *testing.T) {
	t.Parallel()
	m := func(amount int64) *money.Money { return new(usd(amount)) }
	parts := func(p PartsInput) RefundInput { return RefundInput{Parts: &p} }
	for name, tc := range map[string]struct {
		in     RefundInput
		want   Parts // of all refunds
		status Status
		field  string // that is refused
	}{
		"all":                     {RefundInput{}, Parts{1000, 500, 120, 0}, Refunded, ""},
		"part of the price":       {RefundInput{Amount: m(400)}, Parts{Item: 400}, Completed, ""},
		"price and shipping":      {RefundInput{Amount: m(1500)}, Parts{Item: 1000, Shipping: 500}, Refunded, ""},
		"everything":              {RefundInput{Amount: m(1620)}, Parts{1000, 500, 120, 0}, Refunded, ""},
		"more than was charged":   {RefundInput{Amount: m(1621)}, Parts{}, Completed, "amount"},
		"nothing":                 {RefundInput{Amount: m(0)}, Parts{}, Completed, "amount.amount"},
		"shipping only":           {parts(PartsInput{Shipping: m(500)}), Parts{Shipping: 500}, Completed, ""},
		"fees only":               {parts(PartsInput{Fees: m(130)}), Parts{Fees: 130}, Completed, ""},
		"more fees than charged":  {parts(PartsInput{Fees: m(131)}), Parts{}, Completed, "parts.fees"},
		"more shipping than paid": {parts(PartsInput{Shipping: m(501)}), Parts{}, Completed, "parts.shipping"},
		"no part":                 {parts(PartsInput{}), Parts{}, Completed, "parts"},
		"an amount and its parts": {
			RefundInput{Amount: m(1), Parts: &PartsInput{Item: m(1)}}, Parts{}, Completed, "parts",
		},
		"a part in another currency": {
			parts(PartsInput{Tax: &money.Money{Amount: 1, Currency: "EUR"}}), Parts{}, Completed, "parts.tax.currency",
		},
	} {
		s := Sale{Gross: usd(1000), ShippingCharged: 500, Tax: 120, Status: Completed}
		s.Fees = []Fee{{"final_value", 130}}
		_, _, err := s.refund(tc.in, noon)
		if f, _ := fault.As(err); (f == nil) != (tc.field == "") || f != nil && f.Details[0].Field != tc.field {
			t.Errorf("%s: %v, want %q refused", name, err, tc.field)
		}
		if got := s.Returned(); got != tc.want || s.Status != tc.status {
			t.Errorf("%s: returned %+v, status %s, want %+v, %s", name, got, s.Status, tc.want, tc.status)
		}
	}
}

// A free sale can be refunded once, with its shipping. The card can come back later.
func TestSale_RefundOfFreeSale(t *testing.T) {
	t.Parallel()
	s := Sale{Gross: usd(0), ShippingCharged: 500, Status: Completed}
	if _, restocked, err := s.refund(RefundInput{}, noon); err != nil || restocked || s.Status != Refunded ||
		s.Left() != (Parts{}) {
		t.Fatalf("%v, status %s, left %+v, want it refunded", err, s.Status, s.Left())
	}
	if _, _, err := s.refund(RefundInput{}, noon); !fault.Is(err, fault.SaleRefunded) {
		t.Errorf("the second time: %v, want sale_refunded", err)
	}
	if made, restocked, err := s.refund(RefundInput{Restock: true}, noon); err != nil || !restocked || made != nil {
		t.Errorf("the card: %v, refund %+v, want it to come back", err, made)
	}
}

// A marketplace reports totals. What was refunded here before counts to them, in any order.
func TestSale_Follow(t *testing.T) {
	t.Parallel()
	order := func(refunded int64) OrderState { return OrderState{Shipping: 500, Refunded: refunded} }
	here := func(parts PartsInput) func(*Sale) {
		return func(s *Sale) {
			if _, _, err := s.refund(RefundInput{Parts: &parts}, noon); err != nil {
				t.Error(err)
			}
		}
	}
	there := func(o OrderState) func(*Sale) { return func(s *Sale) { s.follow(o, noon) } }
	steps := func(list ...func(*Sale)) []func(*Sale) { return list }
	for name, tc := range map[string]struct {
		steps []func(*Sale)
		want  Parts
		count int // of refunds
	}{
		"in steps": {
			steps(there(order(300)), there(order(1200)), there(order(1500))), Parts{Item: 1000, Shipping: 500}, 3,
		},
		"twice and out of turn": {
			steps(there(order(1200)), there(order(300)), there(order(1200))), Parts{Item: 1000, Shipping: 200}, 1,
		},
		"here, then there": {
			steps(here(PartsInput{Item: new(usd(300))}), there(order(500))), Parts{Item: 500}, 2,
		},
		"shipping here first": {
			steps(here(PartsInput{Shipping: new(usd(500))}), there(order(500)), there(order(1500))),
			Parts{Item: 1000, Shipping: 500}, 2,
		},
		"tax here": {
			steps(here(PartsInput{Tax: new(usd(120))}), there(order(1500))), Parts{1000, 500, 120, 0}, 2,
		},
		"there, then here": {
			steps(there(order(1200)), here(PartsInput{Shipping: new(usd(300))}), there(order(1500))),
			Parts{Item: 1000, Shipping: 500}, 2,
		},
		"cancelled": {
			steps(there(order(300)), there(OrderState{Shipping: 500, Cancelled: true})),
			Parts{Item: 1000, Shipping: 500}, 2,
		},
	} {
		s := Sale{Gross: usd(1000), ShippingCharged: 500, Tax: 120, Status: Completed}
		for _, step := range tc.steps {
			step(&s)
		}
		if got := s.Returned(); got != tc.want || len(s.Refunds) != tc.count {
			t.Errorf("%s: %d refunds of %+v, want %d of %+v", name, len(s.Refunds), got, tc.count, tc.want)
		}
		if full := tc.want.Item == 1000; (s.Status == Refunded) != full {
			t.Errorf("%s: status %s", name, s.Status)
		}
	}
}

// A sale with the largest number of refunds still follows the total of the marketplace.
func TestSale_FollowWithMaxRefunds(t *testing.T) {
	t.Parallel()
	s := Sale{Gross: usd(1000), Status: Completed}
	for range MaxRefunds {
		if _, _, err := s.refund(RefundInput{Amount: new(usd(1))}, noon); err != nil {
			t.Fatal(err)
		}
	}
	before := s
	if parts, _, _ := s.follow(OrderState{Refunded: 1000}, noon.Add(time.Hour)); parts.Item != 900 ||
		s.RefundTotal() != 1000 || len(s.Refunds) != MaxRefunds || before.RefundTotal() != MaxRefunds {
		t.Errorf("followed %+v: %d refunds of %d, %d before",
			parts, len(s.Refunds), s.RefundTotal(), before.RefundTotal())
	}
}

// Fees that a refund returned here are part of what the marketplace does not charge any more.
func TestSale_FollowKeepsReturnedFees(t *testing.T) {
	t.Parallel()
	s := Sale{Gross: usd(1000), Fees: []Fee{{MarketplaceFee, 130}}, Status: Completed}
	if _, _, err := s.refund(RefundInput{Parts: &PartsInput{Fees: new(usd(130))}}, noon); err != nil {
		t.Fatal(err)
	}
	s.follow(OrderState{Refunded: 1000, Fee: new(int64(0))}, noon)
	if profit, _ := s.Profit(); profit.Amount != 0 || s.Left() != (Parts{}) {
		t.Errorf("profit %v with %+v left, want none", profit, s.Left())
	}
}

func TestPatch_CorrectsSale(t *testing.T) {
	t.Parallel()
	listing := "lst_x"
	earlier := noon.Add(-24 * time.Hour)
	future := noon.Add(48 * time.Hour)
	for name, tc := range map[string]struct {
		change func(*Sale)
		patch  Patch
		code   fault.Code // "" if the patch applies
		status Status
	}{
		"price":                       {nil, Patch{Gross: new(usd(999))}, "", Completed},
		"price of what was refunded":  {nil, Patch{Gross: new(usd(400))}, "", Refunded},
		"less than was refunded":      {nil, Patch{Gross: new(usd(399))}, fault.InvalidRequest, Completed},
		"less shipping than refunded": {nil, Patch{ShippingCharged: new(usd(99))}, fault.InvalidRequest, Completed},
		"price in another currency": {nil, Patch{Gross: &money.Money{Amount: 1, Currency: "EUR"}},
			fault.InvalidRequest, Completed},
		"date":               {nil, Patch{SoldAt: &earlier}, "", Completed},
		"date in the future": {nil, Patch{SoldAt: &future}, fault.InvalidRequest, Completed},
		"price at a marketplace": {func(s *Sale) { s.ListingID = &listing }, Patch{Gross: new(usd(999))},
			fault.SaleAtMarketplace, Completed},
		"date at a marketplace": {func(s *Sale) { s.ListingID = &listing }, Patch{SoldAt: &earlier},
			fault.SaleAtMarketplace, Completed},
		"same price at a marketplace": {func(s *Sale) { s.ListingID = &listing },
			Patch{Gross: new(usd(1000)), SoldAt: &noon}, "", Completed},
		"voided": {func(s *Sale) { s.Status = Voided }, Patch{Gross: new(usd(999))}, fault.SaleVoided, Voided},
	} {
		s := Sale{Gross: usd(1000), ShippingCharged: 500, SoldAt: noon, Status: Completed,
			Refunds: []Refund{{Parts: Parts{Item: 400, Shipping: 100}}}}
		if tc.change != nil {
			tc.change(&s)
		}
		err := tc.patch.apply(&s, noon)
		if f, _ := fault.As(err); (f == nil) != (tc.code == "") || f != nil && f.Code != tc.code {
			t.Errorf("%s: %v, want %q", name, err, tc.code)
		}
		if err == nil && s.Status != tc.status {
			t.Errorf("%s: status %s, want %s", name, s.Status, tc.status)
		}
	}
}

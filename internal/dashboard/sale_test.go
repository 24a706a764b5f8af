package dashboard

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

// soldSale returns a sale with fees, shipping and a refund.
func soldSale() sales.Sale {
	cost := usd(300)
	return sales.Sale{
		ID: "sale_x", Channel: "ebay", Gross: usd(1000), ShippingCharged: 100, ShippingCost: 70, Tax: 80,
		Fees: []sales.Fee{{Kind: "final_value", Amount: 50}}, CostAtSale: &cost, Status: sales.Completed,
		Refunds: []sales.Refund{{Parts: sales.Parts{Item: 200}}}, SoldAt: nine,
		ShippedAt: new(nine.Add(5 * time.Second)), Version: 1,
		Tracking: &sales.Tracking{Carrier: "DHL", Number: "1"}, BuyerReference: new("Table 12"),
	}
}

func TestReceipt(t *testing.T) {
	t.Parallel()
	full := soldSale()
	plain := sales.Sale{Gross: usd(1000)}
	yen := plain
	yen.CostAtSale = &money.Money{Amount: 500, Currency: "JPY"}
	back := plain
	back.CostAtSale, back.RestockedAt = full.CostAtSale, &nine
	voided := plain
	voided.Status = sales.Voided
	returned := full
	returned.Refunds = []sales.Refund{{Parts: sales.Parts{Item: 1000, Shipping: 100, Tax: 80, Fees: 50}}}
	for name, tc := range map[string]struct {
		sale *sales.Sale
		want []receiptLine
	}{
		"all returned": {&returned, []receiptLine{
			{"Price", "$10.00", false}, {"Shipping that the buyer paid", "$1.00", false},
			{"Cost of shipping", "-$0.70", false}, {"Fee: final_value", "-$0.50", false}, {"Net", "$9.80", true},
			{"Refund", "-$11.00", false}, {"Fees that came back", "$0.50", false},
			{"Cost of the card", "-$3.00", false}, {"Profit", "-$3.70", true},
		}},
		"voided": {&voided, []receiptLine{
			{"Price", "$10.00", false}, {"Net", "$10.00", true}, {"Cost of the card", "not known", false},
			{"Profit", "none: the sale was voided", true},
		}},
		"full": {&full, []receiptLine{
			{"Price", "$10.00", false}, {"Shipping that the buyer paid", "$1.00", false},
			{"Cost of shipping", "-$0.70", false}, {"Fee: final_value", "-$0.50", false}, {"Net", "$9.80", true},
			{"Refund", "-$2.00", false}, {"Cost of the card", "-$3.00", false}, {"Profit", "$4.80", true},
		}},
		"without cost": {&plain, []receiptLine{
			{"Price", "$10.00", false}, {"Net", "$10.00", true}, {"Cost of the card", "not known", false},
			{"Profit", "$10.00", true},
		}},
		"cost in yen": {&yen, []receiptLine{
			{"Price", "$10.00", false}, {"Net", "$10.00", true}, {"Cost of the card", "-¥500", false},
			{"Profit", "in two currencies", true},
		}},
		"came back": {&back, []receiptLine{
			{"Price", "$10.00", false}, {"Net", "$10.00", true}, {"Cost of the card, which came back", "–", false},
			{"Profit", "$10.00", true},
		}},
	} {
		if diff := cmp.Diff(tc.want, receipt(tc.sale)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// saleForm returns what a browser sends for the form of a sale.
func saleForm(s *sales.Sale, zone string) url.Values {
	form := url.Values{}
	for _, field := range saleFormFields(s, zone) {
		form.Set(field.Name, field.Value)
	}
	for _, fee := range feesOf(s) {
		form.Add("fee_kind", fee.Kind)
		form.Add("fee_amount", fee.Amount)
	}
	return form
}

// A form that is sent without changes keeps each value, the seconds of times included.
func TestSalePatch_WithoutChanges(t *testing.T) {
	t.Parallel()
	s := soldSale()
	got, err := salePatch(saleForm(&s, "Asia/Kathmandu"), &s, "Asia/Kathmandu")
	want := sales.Patch{
		Gross: new(usd(1000)), Fees: &[]sales.FeeInput{{Kind: "final_value", Amount: usd(50)}},
		ShippingCharged: new(usd(100)), ShippingCost: new(usd(70)), Tax: new(usd(80)),
		Tracking:       sales.Field[sales.Tracking]{Given: true, Value: s.Tracking},
		BuyerReference: sales.Field[string]{Given: true, Value: s.BuyerReference},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestSalePatch_Changes(t *testing.T) {
	t.Parallel()
	s := soldSale()
	form := saleForm(&s, "Asia/Kathmandu")
	for name, value := range map[string]string{
		"tax": "", "gross": "9.99", "sold_at": "2026-05-10T09:00", "shipped_at": "2026-05-12T09:00",
		"carrier": " ", "number": "", "buyer_reference": "",
	} {
		form.Set(name, value)
	}
	form["fee_kind"], form["fee_amount"] = []string{"", " table ", ""}, []string{"", " 1.50 ", ""}
	got, err := salePatch(form, &s, "Asia/Kathmandu")
	shipped := time.Date(2026, 5, 12, 3, 15, 0, 0, time.UTC)
	want := sales.Patch{
		Gross: new(usd(999)), SoldAt: new(time.Date(2026, 5, 10, 3, 15, 0, 0, time.UTC)),
		Fees:            &[]sales.FeeInput{{Kind: "table", Amount: usd(150)}},
		ShippingCharged: new(usd(100)), ShippingCost: new(usd(70)), Tax: new(usd(0)),
		ShippedAt: sales.Field[time.Time]{Given: true, Value: &shipped},
		Tracking:  sales.Field[sales.Tracking]{Given: true}, BuyerReference: sales.Field[string]{Given: true},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	form.Set("shipped_at", "")
	if got, err := salePatch(form, &s, "UTC"); err != nil || !got.ShippedAt.Given || got.ShippedAt.Value != nil {
		t.Errorf("a time that was removed: %+v, %v", got.ShippedAt, err)
	}
}

// Each value that cannot be read has its message, and keeps what was typed.
func TestSalePatch_Refuses(t *testing.T) {
	t.Parallel()
	s := soldSale()
	form := saleForm(&s, "UTC")
	form.Set("tax", "12.345")
	form.Set("gross", "")
	form.Set("sold_at", "")
	form.Set("shipped_at", "tomorrow")
	form["fee_kind"], form["fee_amount"] = []string{"", "table", "<b>"}, []string{"", "1.50", "much"}
	_, err := salePatch(form, &s, "UTC")
	f, ok := fault.As(err)
	if !ok || f.Code != fault.InvalidRequest {
		t.Fatalf("got %v, want invalid_request", err)
	}
	fields := saleFormFields(&s, "UTC")
	keepFields(fields, form, f.Details)
	marked := map[string]string{}
	for _, field := range fields {
		if field.Error != "" {
			marked[field.Name] = field.Value
		}
	}
	want := map[string]string{"tax": "12.345", "shipped_at": "tomorrow", "gross": "", "sold_at": ""}
	if diff := cmp.Diff(want, marked); diff != "" {
		t.Errorf("marked fields (-want +got):\n%s", diff)
	}
	fees := keepFees(form, f.Details)
	if len(fees) != 2+spareFees || fees[0].Error != "" || fees[1].Error == "" || fees[1].Kind != "<b>" {
		t.Errorf("fees %+v, want an error beside the second one", fees)
	}
}

func TestKeepFields_ByPath(t *testing.T) {
	t.Parallel()
	fields := []cardField{{Name: "price"}, {Name: "carrier"}, {Name: "number"}, {Name: "reason", Value: "old"}}
	keepFields(fields, url.Values{"reason": {"new"}}, []fault.Detail{
		{Field: "price.currency", Message: "a"}, {Field: "tracking.carrier", Message: "b"},
	})
	want := []cardField{
		{Name: "price", Error: "a"}, {Name: "carrier", Error: "b"}, {Name: "number"}, {Name: "reason", Value: "new"},
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

// A sale with the most fees has no empty ones to fill in.
func TestFeesOf_AtMostTheMaximum(t *testing.T) {
	t.Parallel()
	s := soldSale()
	s.Fees = make([]sales.Fee, sales.MaxFees)
	if got := len(feesOf(&s)); got != sales.MaxFees {
		t.Errorf("%d fees in the form, want %d", got, sales.MaxFees)
	}
	s.Fees = s.Fees[:sales.MaxFees-1]
	if got := len(feesOf(&s)); got != sales.MaxFees {
		t.Errorf("%d fees in the form, want %d", got, sales.MaxFees)
	}
}

func TestRefundInput(t *testing.T) {
	t.Parallel()
	s := soldSale()
	got, err := refundInput(url.Values{"amount": {"2.50"}, "reason": {" a\r\nb "}, "restock": {"true"}}, &s)
	want := sales.RefundInput{Amount: new(usd(250)), Reason: new("a\nb"), Restock: true}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := refundInput(url.Values{}, &s); err != nil || cmp.Diff(sales.RefundInput{}, got) != "" {
		t.Errorf("an empty form: %+v, %v; want a refund of all", got, err)
	}
	got, err = refundInput(url.Values{"amount": {""}, "shipping": {"1.00"}, "fees": {"0.50"}}, &s)
	want = sales.RefundInput{Parts: &sales.PartsInput{Shipping: new(usd(100)), Fees: new(usd(50))}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("parts: %v (-want +got):\n%s", err, diff)
	}
	_, err = refundInput(url.Values{"amount": {"all"}}, &s)
	if err == nil || !strings.Contains(err.Error(), "amount") {
		t.Errorf("an amount in words: %v, want an error of amount", err)
	}
}

package selling

import (
	"net/url"
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

// sentSale returns what a browser sends for the form of a sale.
func sentSale(s *sales.Sale, zone string) url.Values {
	f, sent := newSaleForm(s, zone), url.Values{}
	for _, field := range f.Fields {
		sent.Set(field.Name, field.Value)
	}
	for _, fee := range f.Fees {
		sent.Add("fee_kind", fee.Value("fee_kind"))
		sent.Add("fee_amount", fee.Value("fee_amount"))
	}
	return sent
}

// readSale returns the form of a sale with what a browser sent.
func readSale(s *sales.Sale, sent url.Values, zone string) *saleForm {
	f := newSaleForm(s, zone)
	f.read(sent)
	return f
}

// A form that is sent without changes keeps each value, the seconds of times included.
func TestSalePatch_WithoutChanges(t *testing.T) {
	t.Parallel()
	s := soldSale()
	got, err := readSale(&s, sentSale(&s, "Asia/Kathmandu"), "Asia/Kathmandu").patch(&s)
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
	form := sentSale(&s, "Asia/Kathmandu")
	for name, value := range map[string]string{
		"tax": "", "gross": "9.99", "sold_at": "2026-05-10T09:00", "shipped_at": "2026-05-12T09:00",
		"carrier": " ", "number": "", "buyer_reference": "",
	} {
		form.Set(name, value)
	}
	form["fee_kind"], form["fee_amount"] = []string{"", " table ", ""}, []string{"", " 1.50 ", ""}
	got, err := readSale(&s, form, "Asia/Kathmandu").patch(&s)
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
	got, err = readSale(&s, form, "UTC").patch(&s)
	if err != nil || !got.ShippedAt.Given || got.ShippedAt.Value != nil {
		t.Errorf("a time that was removed: %+v, %v", got.ShippedAt, err)
	}
}

// Each value that cannot be read has its message, and keeps what was typed.
func TestSalePatch_Refuses(t *testing.T) {
	t.Parallel()
	s := soldSale()
	form := sentSale(&s, "UTC")
	form.Set("tax", "12.345")
	form.Set("gross", "")
	form.Set("sold_at", "")
	form.Set("shipped_at", "tomorrow")
	form["fee_kind"], form["fee_amount"] = []string{"", "table", "<b>"}, []string{"", "1.50", "much"}
	read := readSale(&s, form, "UTC")
	_, err := read.patch(&s)
	f, ok := fault.As(err)
	if !ok || f.Code != fault.InvalidRequest {
		t.Fatalf("got %v, want invalid_request", err)
	}
	shown := readSale(&s, form, "UTC")
	shown.refuse(f)
	marked := map[string]string{}
	for _, field := range shown.Fields {
		if field.Error != "" {
			marked[field.Name] = field.Value
		}
	}
	want := map[string]string{"tax": "12.345", "shipped_at": "tomorrow", "gross": "", "sold_at": ""}
	if diff := cmp.Diff(want, marked); diff != "" {
		t.Errorf("marked fields (-want +got):\n%s", diff)
	}
	fees := shown.Fees
	if len(fees) != 2+spareFees || fees[0].Why() != "" || fees[1].Why() == "" || fees[1].Value("fee_kind") != "<b>" {
		t.Errorf("fees %+v, want an error beside the second one", fees)
	}
}

// A sale with the most fees has no empty ones to fill in.
func TestFeesOf_AtMostTheMaximum(t *testing.T) {
	t.Parallel()
	s := soldSale()
	s.Fees = make([]sales.Fee, sales.MaxFees)
	if got := len(newSaleForm(&s, "UTC").Fees); got != sales.MaxFees {
		t.Errorf("%d fees in the form, want %d", got, sales.MaxFees)
	}
	s.Fees = s.Fees[:sales.MaxFees-1]
	if got := len(newSaleForm(&s, "UTC").Fees); got != sales.MaxFees {
		t.Errorf("%d fees in the form, want %d", got, sales.MaxFees)
	}
}

func TestRefundInput(t *testing.T) {
	t.Parallel()
	s := soldSale()
	input := func(sent url.Values) (sales.RefundInput, error) {
		return refundPage{Form: refundForm(&s).Read(sent), Restock: sent.Has("restock")}.input()
	}
	got, err := input(url.Values{"amount": {"2.50"}, "reason": {" a\r\nb "}, "restock": {"true"}})
	want := sales.RefundInput{Parts: &sales.PartsInput{Item: new(usd(250))}, Reason: new("a\nb"), Restock: true}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := input(url.Values{}); err != nil || got.Parts == nil || *got.Parts != (sales.PartsInput{}) {
		t.Errorf("an empty form with several parts: %+v, %v; want a refund of nothing", got, err)
	}
	got, err = input(url.Values{"amount": {""}, "shipping": {"1.00"}, "fees": {"0.50"}})
	want = sales.RefundInput{Parts: &sales.PartsInput{Shipping: new(usd(100)), Fees: new(usd(50))}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("parts: %v (-want +got):\n%s", err, diff)
	}
	s.ShippingCharged, s.Tax = 0, 0
	if got, err := input(url.Values{}); err != nil || cmp.Diff(sales.RefundInput{}, got) != "" {
		t.Errorf("an empty form of the price: %+v, %v; want a refund of all", got, err)
	}
	_, err = input(url.Values{"amount": {"all"}})
	if f, ok := fault.As(err); !ok || len(f.Details) != 1 || f.Details[0].Field != "amount" {
		t.Errorf("an amount in words: %v, want an error of amount", err)
	}
}

package selling

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

// saleForm is the form that changes a sale.
type saleForm struct {
	*form.Form
	Fees []feeForm
	zone *time.Location // of the times
}

// newSaleForm returns the form with the values of a sale. Times are in the zone.
func newSaleForm(s *sales.Sale, zone string) *saleForm {
	f := &saleForm{zone: calendar.Zone(zone)}
	amount := func(name, label string, minor int64) form.Field {
		field := form.Field{
			Name: name, Label: label + " in " + s.Gross.Currency, Kind: form.Amount, Max: form.MaxAmount,
		}
		return field.Of(new(s.Amount(minor)), "")
	}
	moment := func(name, label string, at *time.Time) form.Field {
		return form.Field{
			Name: name, Label: label + " (" + zone + ")", Kind: form.Moment, Value: localTime(at, f.zone),
			Required: name == "sold_at",
		}
	}
	var tracking sales.Tracking
	if s.Tracking != nil {
		tracking = *s.Tracking
	}
	var fields []form.Field
	if s.ListingID == nil { // else the marketplace sets them
		gross := amount("gross", "Price", s.Gross.Amount)
		gross.Required = true
		fields = append(fields, gross, moment("sold_at", "Sold at", &s.SoldAt))
	}
	f.Form = form.New(append(fields,
		amount("shipping_charged", "Shipping that the buyer paid", s.ShippingCharged),
		amount("shipping_cost", "Cost of shipping", s.ShippingCost),
		amount("tax", "Tax", s.Tax),
		moment("shipped_at", "Shipped at", s.ShippedAt),
		form.Field{
			Name: "carrier", Path: "tracking.carrier", Label: "Carrier", Value: tracking.Carrier, Max: sales.MaxCarrier,
		},
		form.Field{
			Name: "number", Path: "tracking.number", Label: "Tracking number", Value: tracking.Number,
			Max: sales.MaxTrackingNumber,
		},
		form.Field{
			Name: "buyer_reference", Label: "Reference to the buyer", Value: format.Text(s.BuyerReference),
			Max: sales.MaxReference,
		},
	)...)
	for _, fee := range s.Fees {
		f.addFee(s.Gross.Currency, fee.Kind, s.Amount(fee.Amount).Major())
	}
	f.addSpareFees(s.Gross.Currency)
	return f
}

// localTime returns a time for the form, or "" for nil.
func localTime(at *time.Time, zone *time.Location) string {
	if at == nil {
		return ""
	}
	return at.In(zone).Format(calendar.Minutes)
}

// feeForm is the two fields of a fee. The form repeats them, and the browser sends their values as two lists.
type feeForm struct {
	*form.Form
	Place int // from 1
}

const (
	feeKind   = "fee_kind"
	feeAmount = "fee_amount"
)

// spareFees is the number of empty fees in the form.
const spareFees = 2

// Why returns why the fee was refused, or "".
func (f feeForm) Why() string { return cmp.Or(f.Error(feeKind), f.Error(feeAmount)) }

// empty reports whether neither the kind nor the amount is filled in.
func (f feeForm) empty() bool { return f.Text(feeKind) == "" && f.Text(feeAmount) == "" }

func (f *saleForm) addFee(currency, kind, amount string) {
	path := fmt.Sprintf("fees.%d.", len(f.Fees))
	f.Fees = append(f.Fees, feeForm{form.New(
		form.Field{Name: feeKind, Path: path + "kind", Value: kind},
		form.Field{
			Name: feeAmount, Path: path + "amount", Kind: form.Amount, Value: amount, Currency: currency,
			Required: true,
		},
	), len(f.Fees) + 1})
}

// addSpareFees adds empty fees to fill in.
func (f *saleForm) addSpareFees(currency string) {
	for range min(spareFees, sales.MaxFees-len(f.Fees)) {
		f.addFee(currency, "", "")
	}
}

// read takes what a browser sent. Fees without kind and amount are left out.
func (f *saleForm) read(sent url.Values) {
	f.Read(sent)
	kinds, amounts, currency := sent[feeKind], sent[feeAmount], f.Of("tax").Currency
	f.Fees = nil
	for i := range min(len(kinds), len(amounts)) {
		f.addFee(currency, kinds[i], amounts[i])
		if last := len(f.Fees) - 1; f.Fees[last].empty() {
			f.Fees = f.Fees[:last]
		}
	}
	f.addSpareFees(currency)
}

// refuse puts the details of a fault beside the fields and the fees that they are about.
func (f *saleForm) refuse(refused *fault.Error) {
	f.Refuse(refused)
	for _, fee := range f.Fees {
		if fee.Refuse(refused); fee.Failed == form.Marked {
			f.Failed = form.Marked
		}
	}
}

// patch returns the patch that the form describes. Empty texts clear their values, and empty amounts are zero. It
// returns an invalid_request fault with each field that cannot be parsed.
func (f *saleForm) patch(s *sales.Sale) (p sales.Patch, err error) {
	var refused []fault.Detail
	p.Fees = &[]sales.FeeInput{}
	for _, fee := range f.Fees {
		if fee.empty() {
			continue
		}
		if amount := fee.Amount(feeAmount); amount != nil {
			*p.Fees = append(*p.Fees, sales.FeeInput{Kind: fee.Text(feeKind), Amount: *amount})
		} else {
			refused = append(refused, fault.Detail{Field: fee.Of(feeAmount).Path, Message: fee.Error(feeAmount)})
		}
	}
	for name, dst := range map[string]**money.Money{
		"shipping_charged": &p.ShippingCharged, "shipping_cost": &p.ShippingCost, "tax": &p.Tax,
	} {
		if *dst = f.Amount(name); *dst == nil {
			*dst = &money.Money{Currency: s.Gross.Currency}
		}
	}
	if f.Has("gross") && s.ListingID == nil {
		p.Gross = f.Amount("gross")
	}
	f.times(&p, s)
	p.Tracking.Given, p.BuyerReference.Given = true, true
	if t := (sales.Tracking{Carrier: f.Text("carrier"), Number: f.Text("number")}); t != (sales.Tracking{}) {
		p.Tracking.Value = &t
	}
	p.BuyerReference.Value = f.Optional("buyer_reference")
	return p, withDetails(f.Err(), refused)
}

// times sets the times of the patch that the form changes. A time that was not changed keeps its seconds. An empty time
// of shipment clears it; a sale always has a time.
func (f *saleForm) times(p *sales.Patch, s *sales.Sale) {
	if f.Text("shipped_at") != localTime(s.ShippedAt, f.zone) {
		p.ShippedAt = sales.Field[time.Time]{Given: true, Value: f.Time("shipped_at", f.zone)}
	}
	if f.Has("sold_at") && s.ListingID == nil && f.Text("sold_at") != localTime(&s.SoldAt, f.zone) {
		p.SoldAt = f.Time("sold_at", f.zone)
	}
}

// withDetails returns the error of a form with more details, or nil if there are none at all.
func withDetails(err error, details []fault.Detail) error {
	if len(details) == 0 {
		return err
	}
	refused := fault.New(fault.InvalidRequest, form.Marked)
	errors.As(err, &refused)
	return refused.WithDetails(details...)
}

package dashboard

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

// feeFields are the two fields of a fee in the form of a sale.
type feeFields struct {
	Place        int // from 1
	Kind, Amount string
	Error        string
}

// spareFees is the number of empty fees in the form.
const spareFees = 2

// feesOf returns the fees of the sale, and empty ones to fill in.
func feesOf(s *sales.Sale) []feeFields {
	var list []feeFields
	for _, fee := range s.Fees {
		amount, _ := decimalOf(s.Amount(fee.Amount))
		list = append(list, feeFields{Kind: fee.Kind, Amount: amount})
	}
	return numbered(list)
}

// numbered adds empty fees and gives all of them their places.
func numbered(list []feeFields) []feeFields {
	for range min(spareFees, sales.MaxFees-len(list)) {
		list = append(list, feeFields{})
	}
	for i := range list {
		list[i].Place = i + 1
	}
	return list
}

// keepFees returns the fees as they were typed, with the errors beside them. Fees without kind and amount are left out,
// as formFees does.
func keepFees(form url.Values, refused []fault.Detail) []feeFields {
	var list []feeFields
	for _, typed := range typedFees(form) {
		fee := feeFields{Kind: typed[0], Amount: typed[1]}
		for _, detail := range refused {
			if strings.HasPrefix(detail.Field, fmt.Sprintf("fees.%d.", len(list))) {
				fee.Error = detail.Message
			}
		}
		list = append(list, fee)
	}
	return numbered(list)
}

// typedFees returns the kinds and amounts of the fees that are filled in.
func typedFees(form url.Values) [][2]string {
	var list [][2]string
	kinds, amounts := form["fee_kind"], form["fee_amount"]
	for i := range min(len(kinds), len(amounts)) {
		kind, amount := blank.Trim(kinds[i]), blank.Trim(amounts[i])
		if kind != "" || amount != "" {
			list = append(list, [2]string{kind, amount})
		}
	}
	return list
}

// formFees returns the fees of the form.
func formFees(form url.Values, currency string) ([]sales.FeeInput, []fault.Detail) {
	fees, refused := []sales.FeeInput{}, []fault.Detail(nil)
	for i, typed := range typedFees(form) {
		amount, err := money.Parse(typed[1], currency)
		if err != nil {
			field := fmt.Sprintf("fees.%d.amount", i)
			refused = append(refused, fault.Detail{Field: field, Message: "must be an amount such as 12.50"})
		}
		fees = append(fees, sales.FeeInput{Kind: typed[0], Amount: amount})
	}
	return fees, refused
}

// localMinutes is how browsers send a time: datetime-local.
const localMinutes = "2006-01-02T15:04"

// saleFormFields returns the fields of the form with the values of the sale. Times are in the zone.
func saleFormFields(s *sales.Sale, zone string) []cardField {
	amount := func(name, label string, minor int64) cardField {
		text, currency := decimalOf(s.Amount(minor))
		return cardField{Name: name, Label: label + " in " + currency, Value: text, Decimal: true, Max: maxAmount}
	}
	var tracking sales.Tracking
	if s.Tracking != nil {
		tracking = *s.Tracking
	}
	var fields []cardField
	if s.ListingID == nil { // else the marketplace sets them
		fields = []cardField{
			amount("gross", "Price", s.Gross.Amount),
			{
				Name: "sold_at", Label: "Sold at (" + zone + ")", Value: localTime(&s.SoldAt, zone),
				Type: "datetime-local",
			},
		}
	}
	return append(fields,
		amount("shipping_charged", "Shipping that the buyer paid", s.ShippingCharged),
		amount("shipping_cost", "Cost of shipping", s.ShippingCost),
		amount("tax", "Tax", s.Tax),
		cardField{
			Name: "shipped_at", Label: "Shipped at (" + zone + ")", Value: localTime(s.ShippedAt, zone),
			Type: "datetime-local",
		},
		cardField{Name: "carrier", Label: "Carrier", Value: tracking.Carrier, Max: sales.MaxCarrier},
		cardField{Name: "number", Label: "Tracking number", Value: tracking.Number, Max: sales.MaxTrackingNumber},
		cardField{
			Name: "buyer_reference", Label: "Reference to the buyer", Value: value(s.BuyerReference),
			Max: sales.MaxReference,
		},
	)
}

func decimalOf(m money.Money) (amount, currency string) { return decimal(&m, "") }

// localTime returns a time for the form, or "" for nil.
func localTime(at *time.Time, zone string) string {
	if at == nil {
		return ""
	}
	return at.In(calendar.Zone(zone)).Format(localMinutes)
}

// salePatch returns the patch that a form describes. Empty texts clear their values, and empty amounts are zero. It
// returns an invalid_request fault with each field that cannot be read.
func salePatch(form url.Values, s *sales.Sale, zone string) (sales.Patch, error) {
	fees, refused := formFees(form, s.Gross.Currency)
	p := sales.Patch{Fees: &fees}
	for _, part := range []struct {
		name string
		dst  **money.Money
	}{
		{"shipping_charged", &p.ShippingCharged}, {"shipping_cost", &p.ShippingCost}, {"tax", &p.Tax},
	} {
		amount, err := formAmount(form, part.name, s.Gross.Currency)
		if f, ok := fault.As(err); ok {
			refused = append(refused, f.Details...)
		}
		if amount == nil {
			amount = &money.Money{Currency: s.Gross.Currency}
		}
		*part.dst = amount
	}
	if form.Has("gross") { // the form of a sale that a marketplace reported lacks it
		price, err := formAmount(form, "gross", s.Gross.Currency)
		if price == nil {
			err = fault.Invalid("gross", "must be an amount such as 12.50")
		}
		if f, ok := fault.As(err); ok {
			refused = append(refused, f.Details...)
		}
		p.Gross = price
	}
	refused = append(refused, saleTimes(&p, form, s, zone)...)
	p.Tracking.Given = true
	if t := (sales.Tracking{Carrier: typed(form, "carrier"), Number: typed(form, "number")}); t != (sales.Tracking{}) {
		p.Tracking.Value = &t
	}
	p.BuyerReference.Given = true
	if text := typed(form, "buyer_reference"); text != "" {
		p.BuyerReference.Value = &text
	}
	if len(refused) > 0 {
		return p, fault.New(fault.InvalidRequest, "Correct the marked fields.").WithDetails(refused...)
	}
	return p, nil
}

// saleTimes sets the times of the patch that a form changes, and returns what is wrong with them. A time that was not
// changed keeps its seconds. An empty time of shipment clears it; a sale always has a time.
func saleTimes(p *sales.Patch, form url.Values, s *sales.Sale, zone string) (refused []fault.Detail) {
	if text := typed(form, "shipped_at"); text != localTime(s.ShippedAt, zone) {
		p.ShippedAt.Given = true
		if text != "" {
			p.ShippedAt.Value, refused = formTime("shipped_at", text, zone, refused)
		}
	}
	if text := typed(form, "sold_at"); form.Has("sold_at") && text != localTime(&s.SoldAt, zone) {
		p.SoldAt, refused = formTime("sold_at", text, zone, refused)
	}
	return refused
}

// formTime returns a time of a form, or adds to what is wrong.
func formTime(field, text, zone string, refused []fault.Detail) (*time.Time, []fault.Detail) {
	at, err := time.ParseInLocation(localMinutes, text, calendar.Zone(zone))
	if err != nil {
		return nil, append(refused, fault.Detail{
			Field: field, Message: "must be a date and a time such as 2026-05-12T09:00",
		})
	}
	return &at, refused
}

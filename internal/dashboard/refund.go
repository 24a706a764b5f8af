package dashboard

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

// refundPage is the data of the page refund: first its form, then what the refund would do, to be confirmed.
type refundPage struct {
	saleRow
	Fields  []cardField
	Restock bool
	Confirm *refundEffect // nil until the form is complete
	Failed  string        // why the refund was refused
}

// refundEffect is what a refund would do.
type refundEffect struct {
	Amount, Left money.Money // of what the buyer paid
	Parts        []refundPart
	Reason       string
	Full         bool // whether nothing is then left
}

// refundPart is a part of a refund that is not 0, or the price.
type refundPart struct {
	Name, Label string
	Amount      money.Money
}

// Decimal returns the amount for the form.
func (p refundPart) Decimal() string { return p.Amount.Major() }

// refundParts returns the amounts of the price and of the other parts that are not 0 in chosen.
func refundParts(s *sales.Sale, amounts, chosen sales.Parts) []refundPart {
	parts := []refundPart{{"amount", "Of the price", s.Amount(amounts.Item)}}
	for _, part := range []struct {
		name, label    string
		amount, chosen int64
	}{
		{"shipping", "Of the shipping", amounts.Shipping, chosen.Shipping},
		{"tax", "Of the tax", amounts.Tax, chosen.Tax},
		{"fees", "Fees that the marketplace returned to you", amounts.Fees, chosen.Fees},
	} {
		if part.chosen > 0 {
			parts = append(parts, refundPart{part.name, part.label, s.Amount(part.amount)})
		}
	}
	return parts
}

// showRefund shows the form, or what the refund in the query would do.
func (d *Dashboard) showRefund(w http.ResponseWriter, r *http.Request) error {
	sale, err := d.Sales.Get(r.Context(), visitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	query := r.URL.Query()
	if !query.Has("check") {
		return d.renderRefund(w, r, sale, url.Values{}, nil, nil)
	}
	in, err := refundInput(query, &sale)
	if err == nil {
		var after sales.Sale
		if after, err = sale.AfterRefund(in, d.Clock.Time()); err == nil {
			return d.renderRefund(w, r, sale, query, effectOf(&sale, &after, in), nil)
		}
	}
	f, ok := fault.As(err)
	if !ok {
		return err
	}
	return d.renderRefund(w, r, sale, query, nil, f)
}

func (d *Dashboard) renderRefund(
	w http.ResponseWriter, r *http.Request, sale sales.Sale, form url.Values, confirm *refundEffect,
	refused *fault.Error,
) error {
	p := refundPage{
		saleRow: saleRow{sale}, Restock: form.Get("restock") != "", Confirm: confirm, Fields: refundFields(&sale),
	}
	status := http.StatusOK
	var details []fault.Detail
	if refused != nil {
		status, p.Failed, details = formStatus(refused), refused.Message, refused.Details
	}
	keepFields(p.Fields, form, details)
	if slices.ContainsFunc(p.Fields, func(f cardField) bool { return f.Error != "" }) {
		p.Failed = "" // it stands beside the field
	}
	return d.show(w, r, status, "refund", "Refund "+p.Name(), p)
}

// refundFields returns the fields of the form. They have all that the buyer can still get back.
func refundFields(s *sales.Sale) (fields []cardField) {
	left := s.Left()
	proposed := left
	proposed.Fees = 0
	for _, part := range refundParts(s, proposed, left) {
		field := cardField{
			Name: part.Name, Label: part.Label + ", in " + s.Gross.Currency, Value: part.Decimal(), Decimal: true,
			Max: maxAmount,
		}
		if part.Amount.Amount == 0 {
			field.Value = ""
		}
		fields = append(fields, field)
	}
	return append(fields, cardField{Name: "reason", Label: "Reason", Long: true, Max: sales.MaxReason})
}

// refundInput returns the refund that a form describes. Without any amount, it is of all that is left of the price.
func refundInput(form url.Values, s *sales.Sale) (in sales.RefundInput, err error) {
	in.Restock = form.Get("restock") != ""
	if reason := strings.ReplaceAll(typed(form, "reason"), "\r\n", "\n"); reason != "" {
		in.Reason = &reason
	}
	var parts sales.PartsInput
	for _, part := range []struct {
		name string
		dst  **money.Money
	}{{"amount", &parts.Item}, {"shipping", &parts.Shipping}, {"tax", &parts.Tax}, {"fees", &parts.Fees}} {
		if *part.dst, err = formAmount(form, part.name, s.Gross.Currency); err != nil {
			return in, err
		}
	}
	if parts.Shipping == nil && parts.Tax == nil && parts.Fees == nil {
		in.Amount = parts.Item
	} else {
		in.Parts = &parts
	}
	return in, nil
}

// effectOf returns what the refund does that changes the sale into after.
func effectOf(s, after *sales.Sale, in sales.RefundInput) *refundEffect {
	refunded, left := after.Returned().Minus(s.Returned()), after.Left()
	return &refundEffect{
		Amount: s.Amount(refunded.Total()), Left: s.Amount(left.Total()), Parts: refundParts(s, refunded, refunded),
		Reason: value(in.Reason), Full: left.Total() == 0,
	}
}

// refundSale records the refund that was confirmed. Its form names the version of the sale, so that a form that is sent
// twice refunds once.
func (d *Dashboard) refundSale(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	account := visitOf(r).Account
	sale, err := d.Sales.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	version, err := strconv.ParseInt(r.PostForm.Get("version"), 10, 64)
	if err != nil || typed(r.PostForm, "amount") == "" {
		return errFormIncomplete
	}
	in, err := refundInput(r.PostForm, &sale)
	if err == nil {
		in.Match = func(v int64) bool { return v == version }
		_, err = d.Sales.Refund(r.Context(), account.ID, sale.ID, in, nil)
	}
	if err == nil {
		redirect(w, r, "/sales/"+sale.ID+"?done=refunded")
		return nil
	}
	f, ok := fault.As(err)
	if !ok || f.Status() >= http.StatusInternalServerError || f.Code == fault.SaleNotFound {
		return err
	}
	return d.renderRefund(w, r, sale, r.PostForm, nil, f)
}

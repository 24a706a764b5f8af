package selling

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

// refundPage is the data of the page refund: first its form, then what the refund would do, to be confirmed.
type refundPage struct {
	SaleRow
	Form    *form.Form
	Restock bool
	Confirm *refundEffect // nil until the form is complete
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
	Name, Path, Label string
	Amount            money.Money
}

// Decimal returns the amount for the form.
func (p refundPart) Decimal() string { return p.Amount.Major() }

// refundParts returns the amounts of the price and of the other parts that are not 0 in chosen.
func refundParts(s *sales.Sale, amounts, chosen sales.Parts) []refundPart {
	parts := []refundPart{{"amount", "parts.item", "Of the price", s.Amount(amounts.Item)}}
	for _, part := range []struct {
		name, label    string
		amount, chosen int64
	}{
		{"shipping", "Of the shipping", amounts.Shipping, chosen.Shipping},
		{"tax", "Of the tax", amounts.Tax, chosen.Tax},
		{"fees", "Fees that the marketplace returned to you", amounts.Fees, chosen.Fees},
	} {
		if part.chosen > 0 {
			parts = append(parts, refundPart{part.name, "parts." + part.name, part.label, s.Amount(part.amount)})
		}
	}
	return parts
}

// ShowRefund shows the form, or what the refund in the query would do.
func (h *Handlers) ShowRefund(w http.ResponseWriter, r *http.Request) error {
	sale, err := h.Sales.Get(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	query := r.URL.Query()
	f := refundForm(&sale)
	if !query.Has("check") {
		return h.renderRefund(w, r, http.StatusOK, refundPage{SaleRow: SaleRow{sale}, Form: f})
	}
	p := refundPage{SaleRow: SaleRow{sale}, Form: f.Read(query), Restock: query.Get("restock") != ""}
	in, err := p.input()
	if err == nil {
		var after sales.Sale
		if after, err = sale.AfterRefund(in, h.Clock.Time()); err == nil {
			p.Confirm = effectOf(&sale, &after, in)
			return h.renderRefund(w, r, http.StatusOK, p)
		}
	}
	return h.refuseRefund(w, r, p, err)
}

func (h *Handlers) renderRefund(w http.ResponseWriter, r *http.Request, status int, p refundPage) error {
	return h.Show(w, r, status, "refund", "Refund "+p.Name(), p)
}

// refuseRefund shows the form with why the refund was refused.
func (h *Handlers) refuseRefund(w http.ResponseWriter, r *http.Request, p refundPage, err error) error {
	refused, ok := form.Refused(err)
	if !ok || refused.Code == fault.SaleNotFound {
		return err
	}
	p.Form.Refuse(refused)
	return h.renderRefund(w, r, form.Status(refused), p)
}

// refundForm returns the form with all that the buyer can still get back.
func refundForm(s *sales.Sale) *form.Form {
	left := s.Left()
	proposed := left
	proposed.Fees = 0
	var fields []form.Field
	for _, part := range refundParts(s, proposed, left) {
		field := form.Field{
			Name: part.Name, Path: part.Path, Label: part.Label + ", in " + s.Gross.Currency, Kind: form.Amount,
			Max: form.MaxAmount, Currency: s.Gross.Currency,
		}
		if part.Amount.Amount != 0 {
			field.Value = part.Decimal()
		}
		fields = append(fields, field)
	}
	return form.New(append(fields,
		form.Field{Name: "reason", Label: "Reason", Kind: form.Lines, Max: sales.MaxReason})...)
}

// input returns the refund that the form describes. Without an amount, it is of all that is left of the price, if the
// form has a field for nothing else: a form of several parts that were all cleared must not refund all of them, and an
// amount beyond the price must not be taken from a part that was left empty.
func (p refundPage) input() (sales.RefundInput, error) {
	in := sales.RefundInput{Restock: p.Restock, Reason: p.Form.Optional("reason")}
	var parts sales.PartsInput
	for name, dst := range map[string]**money.Money{
		"amount": &parts.Item, "shipping": &parts.Shipping, "tax": &parts.Tax, "fees": &parts.Fees,
	} {
		if p.Form.Has(name) && p.Form.Declares(name) {
			*dst = p.Form.Amount(name)
		}
	}
	if p.Form.Declares("shipping") || p.Form.Declares("tax") || parts.Fees != nil {
		in.Parts = &parts
	} else {
		in.Amount = parts.Item
	}
	return in, p.Form.Err()
}

// effectOf returns what the refund does that changes the sale into after.
func effectOf(s, after *sales.Sale, in sales.RefundInput) *refundEffect {
	refunded, left := after.Returned().Minus(s.Returned()), after.Left()
	return &refundEffect{
		Amount: s.Amount(refunded.Total()), Left: s.Amount(left.Total()), Parts: refundParts(s, refunded, refunded),
		Reason: format.Text(in.Reason), Full: left.Total() == 0,
	}
}

// RefundSale records the refund that was confirmed. Its form names the version of the sale, so that a form that is sent
// twice refunds once.
func (h *Handlers) RefundSale(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	sale, err := h.Sales.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	p := refundPage{
		SaleRow: SaleRow{sale}, Form: refundForm(&sale).Read(r.PostForm), Restock: r.PostForm.Get("restock") != "",
	}
	match, err := form.Version(r.PostForm)
	if err != nil || p.Form.Sent("amount") == "" {
		return form.ErrIncomplete
	}
	in, err := p.input()
	if err == nil {
		in.Match = match
		_, err = h.Sales.Refund(r.Context(), account.ID, sale.ID, in, nil)
	}
	if err != nil {
		return h.refuseRefund(w, r, p, err)
	}
	web.Redirect(w, r, "/sales/"+sale.ID+"?done=refunded")
	return nil
}

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
	Amount, Left money.Money
	Decimal      string // the amount for the form
	Reason       string
	Full         bool // whether the sale is then refunded in full
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
	amount, currency := decimalOf(sale.Left())
	p := refundPage{
		saleRow: saleRow{sale}, Restock: form.Get("restock") != "", Confirm: confirm,
		Fields: []cardField{
			{Name: "amount", Label: "Amount in " + currency, Value: amount, Decimal: true, Max: maxAmount},
			{Name: "reason", Label: "Reason", Long: true, Max: sales.MaxReason},
		},
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

// refundInput returns the refund that a form describes. Without an amount, it is of all that is left.
func refundInput(form url.Values, s *sales.Sale) (in sales.RefundInput, err error) {
	in.Restock = form.Get("restock") != ""
	if reason := strings.ReplaceAll(typed(form, "reason"), "\r\n", "\n"); reason != "" {
		in.Reason = &reason
	}
	in.Amount, err = formAmount(form, "amount", s.Gross.Currency)
	return in, err
}

// effectOf returns what the refund does that changes the sale into after.
func effectOf(s, after *sales.Sale, in sales.RefundInput) *refundEffect {
	e := &refundEffect{
		Amount: s.Amount(after.RefundTotal() - s.RefundTotal()), Left: after.Left(), Reason: value(in.Reason),
		Full: after.Status == sales.Refunded,
	}
	e.Decimal, _ = decimalOf(e.Amount)
	return e
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

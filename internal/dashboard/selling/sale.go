package selling

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/sales"
)

// salePage is the data of the page sale.
type salePage struct {
	SaleRow
	Receipt []receiptLine
	Form    *saleForm
	Done    string // what was done; "" if the page was just opened
}

// saleDone are the messages by the value of done in the address.
var saleDone = map[string]string{
	"saved": "Saved.", "refunded": "The refund is recorded.", "voided": "The sale is voided.",
}

func (h *Handlers) ShowSale(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	sale, err := h.Sales.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	return h.renderSale(w, r, sale, nil)
}

// renderSale shows the sale. If a form was refused, the page says why and keeps what was typed.
func (h *Handlers) renderSale(w http.ResponseWriter, r *http.Request, sale sales.Sale, refused *fault.Error) error {
	p := salePage{
		SaleRow: SaleRow{sale}, Receipt: receipt(&sale), Form: newSaleForm(&sale, web.VisitOf(r).Account.TimeZone),
		Done: saleDone[r.URL.Query().Get("done")],
	}
	status := http.StatusOK
	if refused != nil {
		status = form.Status(refused)
		p.Form.read(r.PostForm)
		p.Form.refuse(refused)
	}
	return h.Show(w, r, status, "sale", p.Name(), p)
}

// receiptLine is a line of a sale's receipt.
type receiptLine struct {
	Label  string
	Amount string
	Sum    bool
}

// receipt returns how the profit of a sale comes about.
func receipt(s *sales.Sale) []receiptLine {
	line := func(label string, minor int64) receiptLine {
		return receiptLine{Label: label, Amount: format.Money(s.Amount(minor))}
	}
	lines := []receiptLine{line("Price", s.Gross.Amount)}
	if s.ShippingCharged != 0 {
		lines = append(lines, line("Shipping that the buyer paid", s.ShippingCharged))
	}
	if s.ShippingCost != 0 {
		lines = append(lines, line("Cost of shipping", -s.ShippingCost))
	}
	for _, fee := range s.Fees {
		lines = append(lines, line("Fee: "+fee.Kind, -fee.Amount))
	}
	lines = append(lines, receiptLine{"Net", format.Money(s.Amount(s.Net())), true})
	for _, refund := range s.Refunds {
		lines = append(lines, line("Refund", -refund.Item-refund.Shipping))
		if refund.Fees != 0 {
			lines = append(lines, line("Fees that came back", refund.Fees))
		}
	}
	profit, known := s.Profit()
	switch cost := s.CostAtSale; {
	case cost == nil:
		lines = append(lines, receiptLine{Label: "Cost of the card", Amount: "not known"})
	case s.RestockedAt != nil:
		lines = append(lines, receiptLine{Label: "Cost of the card, which came back", Amount: "–"})
	default:
		paid := *cost
		paid.Amount = -paid.Amount
		lines = append(lines, receiptLine{Label: "Cost of the card", Amount: format.Money(paid)})
	}
	if s.Status == sales.Voided {
		return append(lines, receiptLine{"Profit", "none: the sale was voided", true})
	}
	if !known {
		return append(lines, receiptLine{"Profit", "in two currencies", true})
	}
	return append(lines, receiptLine{"Profit", format.Money(profit), true})
}

func (h *Handlers) ChangeSale(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	sale, err := h.Sales.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	match, err := form.Version(r.PostForm)
	if err != nil {
		return err
	}
	f := newSaleForm(&sale, account.TimeZone)
	f.read(r.PostForm)
	patch, err := f.patch(&sale)
	if err == nil {
		_, err = h.Sales.Update(r.Context(), account.ID, sale.ID, patch, match)
	}
	if err == nil {
		web.Redirect(w, r, "/sales/"+sale.ID+"?done=saved")
		return nil
	}
	refused, ok := form.Refused(err)
	if !ok {
		return err
	}
	return h.renderSale(w, r, sale, refused)
}

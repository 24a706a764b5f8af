package selling

import (
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/sales"
)

// salesPage is the data of the page sales.
type salesPage struct {
	list.Shown
	Rows []SaleRow
	CSV  string // the address of the file with the same sales
}

// SaleRow is a sale as a row of a table.
type SaleRow struct{ sales.Sale }

// saleFields returns the filters of the API for sales on these channels.
func saleFields(channels []string) []form.Field {
	return []form.Field{
		{Name: "sold_since", Label: "Sold since", Kind: form.Date},
		{Name: "sold_before", Label: "Sold before", Kind: form.Date},
		{Name: "channel", Label: "Channel", Kind: form.Choice, Options: format.Options(channels)},
		{
			Name: "status", Label: "Status",
			Kind: form.Choice, Options: form.Same([]string{
				string(sales.Completed), string(sales.Refunded), "cancelled", string(sales.Voided),
			}),
		},
		{Name: "card", Label: "Card id"},
		{Name: "currency", Label: "Currency"},
		{Name: "updated_since", Label: "Changed since", Kind: form.Date},
	}
}

// SalesPerPage is the number of rows of the page.
const SalesPerPage = 50

func (h *Handlers) ListSales(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	q := list.NewQuery(r, account.TimeZone, saleFields(h.Sales.Channels()))
	filter := saleFilter(q)
	found, shown, status, err := list.Load(q, SalesPerPage, func(at paging.Request) (paging.Page[sales.Sale], error) {
		return h.Sales.List(r.Context(), account.ID, filter, at)
	})
	if err != nil {
		return err
	}
	p := salesPage{Shown: shown}
	if shown.Failed == "" {
		p.CSV = list.Address("/sales.csv", q.Values, "", "")
	}
	for _, sale := range found {
		p.Rows = append(p.Rows, SaleRow{sale})
	}
	return h.Show(w, r, status, "sales", "Sales", p)
}

// saleFilter returns the filter that the query sets.
func saleFilter(q *list.Query) sales.Filter {
	return sales.Filter{
		SoldSince: q.Time("sold_since"), SoldBefore: q.Time("sold_before"), Channel: q.Choice("channel"),
		Status: q.Choice("status"), Card: q.Text("card"), Currency: q.Text("currency"),
		UpdatedSince: q.Time("updated_since"),
	}
}

// Name returns the title of the card when it was sold.
func (s SaleRow) Name() string {
	if s.Title == nil {
		return "No title"
	}
	return *s.Title
}

// State returns the status as a text, whose dot has its color.
func (s SaleRow) State() string { return string(s.Status) }

// Of returns an amount in the currency of the sale.
func (s SaleRow) Of(minor int64) money.Money { return s.Amount(minor) }

// Left returns what the buyer paid and is not refunded yet.
func (s SaleRow) Left() money.Money { return s.Amount(max(s.Sale.Left().Total(), 0)) }

// Fee returns the sum of the fees.
func (s SaleRow) Fee() money.Money { return s.Amount(s.FeeTotal()) }

// Earned returns the profit, or nil if the cost is in another currency or the sale counts in no report.
func (s SaleRow) Earned() *money.Money {
	profit, ok := s.Profit()
	if !ok || s.Voided() {
		return nil
	}
	return &profit
}

// Refund returns the sum of the refunds, or nil if there are none.
func (s SaleRow) Refund() *money.Money {
	if len(s.Refunds) == 0 {
		return nil
	}
	sum := s.Amount(s.RefundTotal())
	return &sum
}

// TaxBack returns the tax that the buyer got back, or nil if there is none.
func (s SaleRow) TaxBack() *money.Money {
	if returned := s.Returned(); returned.Tax > 0 {
		return new(s.Amount(returned.Tax))
	}
	return nil
}

// Voided reports whether the sale was recorded by mistake.
func (s SaleRow) Voided() bool { return s.Status == sales.Voided }

// Own reports whether the sale can be corrected and voided here, because no marketplace has reported it.
func (s SaleRow) Own() bool { return s.ListingID == nil && !s.Voided() }

// Refundable reports whether a refund is possible: of an amount, or of a card that comes back.
func (s SaleRow) Refundable() bool {
	return !s.Voided() && (s.Left().Amount > 0 || s.Sale.Left().Fees > 0 || s.RestockedAt == nil)
}

// salesBetween returns the address of the sales of a period.
func salesBetween(path, since, before string, more url.Values) string {
	query := url.Values{"sold_since": {since}, "sold_before": {before}}
	for name, values := range more {
		query[name] = values
	}
	return path + "?" + query.Encode()
}

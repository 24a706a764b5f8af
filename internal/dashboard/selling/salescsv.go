package selling

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/sales"
)

// The bounds of the file of sales.
const (
	maxCSVSales = 100_000
	maxCSVPages = 2_000 // a page with filters can have few sales
	// csvPageTimeout is how long the client may take to receive one page of the file.
	csvPageTimeout = 30 * time.Second
)

// saleColumns are the columns of the file. Amounts are in major units of currency, except cost.
var saleColumns = []string{
	"date", "sold_at", "sale_id", "channel", "order_reference", "title", "set", "number", "currency", "gross",
	"shipping_charged", "shipping_cost", "fees", "net", "tax", "refunded", "cost", "cost_currency", "profit", "status",
	"shipped_at", "restocked_at", "buyer_reference", "card_id", "listing_id", "tax_refunded", "fees_returned",
	"voided_at",
}

// ExportSales sends the sales that the filters select as a CSV file, page by page.
func (h *Handlers) ExportSales(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	q := list.NewQuery(r, account.TimeZone, saleFields(h.Sales.Channels()))
	filter := saleFilter(q)
	if q.Err() != nil {
		return q.Err()
	}
	read := func(cursor string) (paging.Page[sales.Sale], error) {
		return h.Sales.List(r.Context(), account.ID, filter, paging.Request{Limit: paging.MaxLimit, Cursor: cursor})
	}
	zone := calendar.Zone(account.TimeZone)
	to := web.NewFile(w, "sales-"+h.Today(account).Format(time.DateOnly)+".csv")
	if r.Method == http.MethodHead {
		to.Begin()
		return nil
	}
	first, err := read("")
	if err != nil {
		return err
	}
	file := &salesFile{
		zone: zone, to: to, deadline: http.NewResponseController(w).SetWriteDeadline, voided: filter.Status != nil,
	}
	if err := file.write(first, read); err != nil {
		if r.Context().Err() == nil { // the client has not disconnected
			h.Logger.ErrorContext(r.Context(), "dashboard: the file of sales", "error", err)
		}
		panic(http.ErrAbortHandler) // the browser reports that the file is incomplete
	}
	return nil
}

// salesFile writes sales as CSV.
type salesFile struct {
	zone     *time.Location
	voided   bool // whether voided sales are in the file: they count in no sum
	to       io.Writer
	deadline func(time.Time) error // of the next page
}

// write writes the first page and those that list returns after it. If there are more than the bounds allow, the last
// row says so.
func (f *salesFile) write(
	found paging.Page[sales.Sale], list func(cursor string) (paging.Page[sales.Sale], error),
) error {
	rows := [][]string{saleColumns}
	for count, pages := 0, 1; ; pages++ {
		for i := range found.Data {
			if sale := &found.Data[i]; f.voided || sale.Status != sales.Voided {
				rows = append(rows, f.row(sale))
			}
		}
		count += len(found.Data)
		more := found.NextCursor != nil
		if more && (count >= maxCSVSales || pages >= maxCSVPages) {
			rows, more = append(rows, incomplete(count)), false
		}
		if err := f.send(rows); err != nil || !more {
			return err
		}
		var err error
		if found, err = list(*found.NextCursor); err != nil {
			return err
		}
		rows = rows[:0]
	}
}

// incomplete is the last row of a file that lacks sales.
func incomplete(count int) []string {
	row := make([]string, len(saleColumns))
	row[0] = fmt.Sprintf("Incomplete after %d sales: choose a shorter period with sold_since and sold_before.", count)
	return row
}

// send sends rows to the client. It has time for them, however long the file is.
func (f *salesFile) send(rows [][]string) error {
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(rows); err != nil {
		return err
	}
	_ = f.deadline(time.Now().Add(csvPageTimeout)) // the ResponseWriters of tests have no deadlines
	_, err := f.to.Write(out.Bytes())
	return err
}

// row returns the cells of a sale.
func (f *salesFile) row(s *sales.Sale) []string {
	amount := func(minor int64) string { return s.Amount(minor).Major() }
	returned := s.Returned()
	var cost, costCurrency, profit string
	if s.CostAtSale != nil {
		cost, costCurrency = s.CostAtSale.Major(), s.CostAtSale.Currency
	}
	if earned, known := s.Profit(); known {
		profit = earned.Major()
	}
	return []string{
		s.SoldAt.In(f.zone).Format(time.DateOnly), instant(&s.SoldAt), s.ID, s.Channel, cell(s.OrderReference),
		cell(s.Title), cell(s.Set), cell(s.Number), s.Gross.Currency, amount(s.Gross.Amount), amount(s.ShippingCharged),
		amount(s.ShippingCost), amount(s.FeeTotal()), amount(s.Net()), amount(s.Tax), amount(returned.Total()), cost,
		costCurrency, profit, string(s.Status), instant(s.ShippedAt), instant(s.RestockedAt), cell(s.BuyerReference),
		s.CardID, format.Text(s.ListingID), amount(returned.Tax), amount(returned.Fees), instant(s.VoidedAt),
	}
}

func instant(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// cell returns a text for a spreadsheet. A text that the spreadsheet would evaluate as a formula gets a leading
// apostrophe.
func cell(text *string) string {
	if text == nil || *text == "" {
		return ""
	}
	if strings.ContainsRune("=+-@\t\r\n", rune((*text)[0])) {
		return "'" + *text
	}
	return *text
}

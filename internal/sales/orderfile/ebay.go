package orderfile

import (
	"io"
	"time"

	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

// eBay has two reports of sales, in English on all of its sites in English:
//
//   - The orders report (Seller Hub, Orders, Download report) has "Order Number", "Item Number", "Custom Label",
//     "Quantity", "Sold For", "Shipping And Handling", "Seller Collected Tax" and "Sale Date", but no fees.
//   - The transaction report (Seller Hub, Payments, Reports) has "Transaction creation date", "Type", "Order number",
//     "Item ID", "Custom label", "Quantity", "Item subtotal", "Shipping and handling", "Seller collected tax", a column
//     for each fee, and "Transaction currency". Rows of another type than Order are refunds, payouts and fees.
//
// An order of several items has a row of its own without an item, followed by a row for each item.

// The columns, in the orders report and in the transaction report.
var (
	ebayOrder    = column{"ordernumber"}
	ebayItem     = column{"itemnumber", "itemid"}
	ebayLabel    = column{"customlabel", "customlabelsku"}
	ebayQuantity = column{"quantity"}
	ebayPrice    = column{"soldfor", "itemsubtotal"}
	ebayShipping = column{"shippingandhandling", "postageandpackaging"}
	ebayTax      = column{"sellercollectedtax"}
	ebayDate     = column{"saledate", "transactioncreationdate"}
	ebayType     = column{"type"}
	ebayCurrency = column{"transactioncurrency"}
)

// ebayFees are the columns of fees, with the kinds of the fees. Fees are negative amounts.
var ebayFees = []struct {
	column column
	kind   string
}{
	{column{"finalvaluefeefixed"}, "final_value_fee_fixed"},
	{column{"finalvaluefeevariable"}, "final_value_fee_variable"},
	{column{"regulatoryoperatingfee"}, "regulatory_operating_fee"},
	{column{"veryhighitemnotasdescribedfee"}, "item_not_as_described_fee"},
	{column{"belowstandardperformancefee"}, "below_standard_performance_fee"},
	{column{"internationalfee"}, "international_fee"},
	{column{"charitydonation"}, "charity_donation"},
	{column{"depositprocessingfee"}, "deposit_processing_fee"},
}

// ebayReader collects the rows of orders.
type ebayReader struct {
	*sheet
	currency string
	zone     *time.Location
	report   report
	byNumber map[string]*order
	whole    map[string]wholeOrder
}

// wholeOrder is the row of an order without an item.
type wholeOrder struct {
	line
	soldAt time.Time
}

func readEbay(
	file io.Reader, currency string, zone *time.Location, problems *csvfile.Problems,
) (report, error) {
	table, err := openSheet(file, "an orders report or a transaction report of eBay", problems,
		ebayOrder, ebayItem, ebayLabel, ebayQuantity, ebayPrice, ebayShipping, ebayDate)
	if err != nil {
		return report{}, err
	}
	r := &ebayReader{
		sheet: table, currency: currency, zone: zone, report: report{channel: "ebay"},
		byNumber: map[string]*order{}, whole: map[string]wholeOrder{},
	}
	for {
		more, err := r.next()
		if err != nil {
			return report{}, err
		}
		if !more {
			break
		}
		r.row()
	}
	for number, whole := range r.whole {
		if o := r.byNumber[number]; o != nil {
			o.complete(whole.line)
		}
	}
	return r.report, nil
}

// row adds the current row to its order.
func (r *ebayReader) row() {
	number, item := r.get(ebayOrder), r.get(ebayItem)
	switch {
	case r.has(ebayType) && r.get(ebayType) != "Order":
		r.report.ignored++
		return
	case number == "" && item == "": // the lines after the last order
		return
	case number == "":
		r.problem(ebayOrder, "is missing")
		return
	case item == "":
		amounts, _ := r.amounts()
		at, _ := r.date(ebayDate, r.zone)
		r.whole[number] = wholeOrder{amounts, at}
		return
	}
	sold, ok := r.sold()
	at, dated := r.date(ebayDate, r.zone)
	if whole := r.whole[number]; r.get(ebayDate) == "" && !whole.soldAt.IsZero() {
		at, dated = whole.soldAt, true
	}
	if !dated {
		r.problem(ebayDate, "%q is not a date such as 2026-07-21 or Jul-21-26", r.get(ebayDate))
	}
	if !ok || !dated {
		return
	}
	o := r.byNumber[number]
	if o == nil {
		o = &order{line: r.line, reference: number, soldAt: at}
		r.byNumber[number] = o
		r.report.orders = append(r.report.orders, o)
	}
	o.lines = append(o.lines, sold)
}

// sold returns the sale of the current row, or false if it has problems.
func (r *ebayReader) sold() (line, bool) {
	sold, ok := r.amounts()
	if sold.label = r.get(ebayLabel); sold.label == "" {
		r.problem(ebayLabel, "is missing, so the card is not known")
		ok = false
	}
	if n := r.get(ebayQuantity); n != "1" {
		r.problem(ebayQuantity, "is %q, but a card is sold once: record the sales of these cards one by one", n)
		ok = false
	}
	if sold.price == nil && ok {
		r.problem(ebayPrice, "is missing")
		ok = false
	}
	return sold, ok
}

// amounts returns the amounts of the current row, or false if it has problems.
func (r *ebayReader) amounts() (line, bool) {
	l, code, valid := line{number: r.line}, r.get(ebayCurrency), true
	read := func(c column) *money.Money {
		m, ok := r.amount(c, code, r.currency)
		valid = valid && ok
		return m
	}
	l.price, l.shipping, l.tax = read(ebayPrice), read(ebayShipping), read(ebayTax)
	for _, fee := range ebayFees {
		if m := read(fee.column); m != nil && m.Amount > 0 {
			l.fees = append(l.fees, sales.FeeInput{Kind: fee.kind, Amount: *m})
		}
	}
	return l, valid
}

// complete gives the first line the shipping, the tax and the fees that only the row of the whole order has.
func (o *order) complete(whole line) {
	first := &o.lines[0]
	var shipping, tax, fees bool
	for _, l := range o.lines {
		shipping = shipping || l.shipping != nil && l.shipping.Amount > 0
		tax = tax || l.tax != nil && l.tax.Amount > 0
		fees = fees || len(l.fees) > 0
	}
	if !shipping {
		first.shipping = whole.shipping
	}
	if !tax {
		first.tax = whole.tax
	}
	if !fees {
		first.fees = whole.fees
	}
}

package orderfile

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/money"
)

// TCGplayer's Seller Portal exports two files on its page Orders, which belong together:
//
//   - The pull sheet has "Product Line", "Product Name", "Condition", "Number", "Set", "Rarity", "Quantity",
//     "Main Photo URL", "Set Release Date", "SkuId" and "Order Quantity", which lists the orders of the product as
//     "NUMBER:QUANTITY | NUMBER:QUANTITY". SkuId is the TCGplayer Id of the pricing file. The last row lists the
//     orders.
//   - The order list has "Order #", "Buyer Name", "Order Date", "Status", "Shipping Type", "Product Amt",
//     "Shipping Amt", "Total Amt", "Buyer Paid" and "Carrier Information". Amounts are dollars.
//
// Neither has prices of single cards, nor fees.

var (
	pullSKU    = column{"skuid"}
	pullOrders = column{"orderquantity"}

	listNumber   = column{"order"} // "Order #"
	listDate     = column{"orderdate"}
	listStatus   = column{"status"}
	listProducts = column{"productamt"}
	listShipping = column{"shippingamt"}
)

// tcgplayerCurrency is the currency of all amounts.
const tcgplayerCurrency = "USD"

// maxCopies is the greatest number of copies of a product in an order.
const maxCopies = 1000

func readTCGplayer(
	pullSheet, orderList io.Reader, zone *time.Location, problems *csvfile.Problems,
) (report, error) {
	orders, err := readOrderList(orderList, zone)
	if err != nil {
		return report{}, err
	}
	s, err := openSheet(pullSheet, "a pull sheet of TCGplayer", problems, pullSKU, pullOrders)
	if err != nil {
		return report{}, err
	}
	// TCGplayer is not among the channels of the contract.
	read := report{channel: "other", interchangeable: true}
	for {
		more, err := s.next()
		if err != nil {
			return report{}, err
		}
		if !more {
			break
		}
		if sku := s.get(pullSKU); sku != "" || s.get(pullOrders) != "" {
			s.product(&read, sku, orders)
		}
	}
	return read, nil
}

// product adds the copies of the current row of the pull sheet to their orders.
func (s *sheet) product(read *report, sku string, orders map[string]*order) {
	if sku == "" {
		s.problem(pullSKU, "is missing")
		return
	}
	for entry := range strings.SplitSeq(s.get(pullOrders), "|") {
		number, copies, _ := strings.Cut(strings.TrimSpace(entry), ":")
		count, err := strconv.Atoi(strings.TrimSpace(copies))
		if err != nil || number == "" || count < 1 || count > maxCopies {
			s.problem(pullOrders, "%q is not an order and a quantity such as 0A1B2C3D-4E5F6A-7B8C9:1", entry)
			continue
		}
		o := orders[number]
		switch {
		case o == nil:
			s.problem(pullOrders, "order %s is not in the order list", number)
			continue
		case o.total == nil: // cancelled
			read.ignored++
			continue
		case len(o.lines) == 0:
			o.line = s.line
			read.orders = append(read.orders, o)
		}
		for range count {
			o.lines = append(o.lines, line{number: s.line, label: sku})
		}
	}
}

// readOrderList returns the orders by their numbers. Cancelled orders have no total. A problem in the order list is an
// error of its own, because its line numbers do not belong to the pull sheet.
func readOrderList(r io.Reader, zone *time.Location) (map[string]*order, error) {
	problems := &csvfile.Problems{}
	s, err := openSheet(r, "an order list of TCGplayer", problems,
		listNumber, listDate, listStatus, listProducts, listShipping)
	if err != nil {
		return nil, orderListError(err)
	}
	orders := map[string]*order{}
	for {
		more, err := s.next()
		if err != nil {
			return nil, orderListError(err)
		}
		if !more {
			break
		}
		if number := s.get(listNumber); number != "" {
			orders[number] = s.listedOrder(number, zone)
		}
	}
	return orders, orderListError(problems.Err())
}

func (s *sheet) listedOrder(number string, zone *time.Location) *order {
	o := &order{reference: number}
	if strings.HasPrefix(strings.ToLower(s.get(listStatus)), "cancel") {
		return o
	}
	at, ok := s.date(listDate, zone)
	if !ok {
		s.problem(listDate, "%q is not a date such as 2026-07-03", s.get(listDate))
	}
	o.soldAt = at
	products, _ := s.amount(listProducts, "", tcgplayerCurrency)
	shipping, _ := s.amount(listShipping, "", tcgplayerCurrency)
	if products == nil {
		products = &money.Money{Currency: tcgplayerCurrency}
		s.problem(listProducts, "must be an amount such as 10.68")
	}
	o.total, o.shipping = products, shipping
	return o
}

// OrderListError is an error of the order list, whose problems have the lines of that file.
type OrderListError struct{ Err error }

// Error returns the error with the name of the file.
func (e *OrderListError) Error() string { return "the order list: " + e.Err.Error() }

// Unwrap returns the error.
func (e *OrderListError) Unwrap() error { return e.Err }

func orderListError(err error) error {
	if err == nil {
		return nil
	}
	return &OrderListError{err}
}

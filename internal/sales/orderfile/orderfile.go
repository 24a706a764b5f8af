// Package orderfile records the sales of a marketplace's reports of orders: eBay's orders report and transaction
// report, and TCGplayer's pull sheet with its order list. Package listings/listingfile writes the files by which the
// cards are listed there.
//
// An import is checked as a whole before anything is written. Then each order is one transaction, so an import that is
// interrupted can be repeated: sales that are recorded already, by an import or by the connection to eBay, are found by
// the order's number and the card, and are not recorded again.
//
// The reports contain names and addresses of buyers. The package does not read those columns.
package orderfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/sales"
)

// The formats of reports.
const (
	Ebay      = "ebay"
	TCGplayer = "tcgplayer"
)

// MaxLines is the greatest number of rows of a report, which are held in memory.
const MaxLines = 50_000

// Options say how to read a report.
type Options struct {
	Format string
	// Currency is the ISO 4217 code of eBay's amounts without one. The default is the account's currency.
	Currency string
	// OrderList is TCGplayer's order list, which has the amounts and the dates of the orders.
	OrderList io.Reader
	// Partial imports the lines without problems. By default, an import is all or none.
	Partial bool
}

// Report is the result of an import.
type Report struct {
	Orders int `json:"orders"` // with new sales
	Sales  int `json:"sales"`  // recorded now
	Known  int `json:"known"`  // recorded before
	// Connected is the number of lines of listings that CardVault has published. It learns their sales by itself.
	Connected int `json:"connected"`
	// Ignored is the number of rows that are not sales, such as refunds, payouts and cancelled orders.
	Ignored int `json:"ignored"`
	// Problems are the problems of the lines that a partial import has left out.
	Problems csvfile.Problems `json:"-"`
}

// order is an order of a report.
type order struct {
	line      int // its first in the file
	reference string
	soldAt    time.Time
	lines     []line
	shipping  *money.Money // of the whole order
	// total is the buyer's payment for all lines, if the report has no prices of single ones. Then all lines or none
	// are recorded.
	total *money.Money
}

// line is a sold card.
type line struct {
	number               int // in the file
	label                string
	price, shipping, tax *money.Money
	fees                 []sales.FeeInput
}

// report is the content of the files.
type report struct {
	orders  []*order // in the order of the file
	ignored int
	// interchangeable says that cards with the same SKU are copies of one product.
	interchangeable bool
	channel         string
}

// Service imports reports.
type Service struct {
	db    *postgres.DB
	cards *cards.Service
	sales *sales.Service
}

// New returns a Service.
func New(db *postgres.DB, inventory *cards.Service, service *sales.Service) *Service {
	return &Service{db, inventory, service}
}

// Import records the sales of a report. If lines have problems, it records nothing and returns a *csvfile.Problems,
// unless o.Partial is set.
func (s *Service) Import(
	ctx context.Context, account accounts.Account, file io.Reader, o Options,
) (Report, error) {
	zone, err := time.LoadLocation(account.TimeZone)
	if err != nil {
		return Report{}, fmt.Errorf("import orders: %w", err)
	}
	o.Currency = cmp.Or(o.Currency, account.Currency)
	problems := &csvfile.Problems{}
	read, err := o.read(file, zone, problems)
	if err != nil {
		return Report{}, err
	}
	p := &planner{Service: s, account: account.ID, read: read, problems: problems}
	orders, err := p.plan(ctx)
	if err != nil {
		return Report{}, err
	}
	if err := problems.Err(); err != nil && !o.Partial {
		return Report{}, err
	}
	p.report.Ignored, p.report.Problems = read.ignored, *problems
	for _, next := range orders {
		err := s.sales.RecordOrder(ctx, account.ID, next)
		if errors.Is(err, sales.ErrOrderChanged) {
			err = fault.New(fault.VersionMismatch, "Order %s was recorded in the meantime.", next.Reference)
		}
		if err != nil {
			return p.report, fmt.Errorf("import order %s: %w", next.Reference, err)
		}
		p.report.Orders++
		p.report.Sales += len(next.Lines)
	}
	return p.report, nil
}

// read reads the report.
func (o Options) read(file io.Reader, zone *time.Location, problems *csvfile.Problems) (report, error) {
	if !money.Known(o.Currency) {
		return report{}, fault.Invalid("currency", "must be an upper-case ISO 4217 code such as USD")
	}
	switch {
	case o.Format == Ebay:
		return readEbay(file, o.Currency, zone, problems)
	case o.Format != TCGplayer:
		return report{}, fault.Invalid("format", "must be ebay or tcgplayer")
	case o.OrderList == nil:
		return report{}, fault.Invalid("orders",
			"is required: TCGplayer's pull sheet has no prices, so import it with the order list")
	}
	return readTCGplayer(file, o.OrderList, zone, problems)
}

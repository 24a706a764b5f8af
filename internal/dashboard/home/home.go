package home

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/chart"
	"github.com/cardvault/cardvault/internal/dashboard/imports"
	"github.com/cardvault/cardvault/internal/dashboard/selling"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/sales"
	"github.com/cardvault/cardvault/internal/stock"
)

// homeWeeks is the number of weeks of the charts, this one included.
const homeWeeks = 12

// The numbers of rows of the page.
const (
	homeBatches = 3
	homeSales   = 5
)

// homePage is the data of the page home.
type homePage struct {
	Cards        int64 // that are not sold and not archived
	Asking, Cost []money.Money
	Counters     []counter
	Statuses     []statusCount
	Value        []stockChart  // one for each currency
	ValueNote    string        // why there is none
	Sales        []chart.Chart // one for each currency
	Identifying  string        // how many cards wait for their identification; "" if none does
	Problems     []homeProblem
	Batches      []imports.ShownBatch // open ones, newest first
	Lately       []selling.SaleRow    // newest first
}

// counter is a number that tells what there is to do.
type counter struct {
	Count   int64
	Label   string
	Address string // of the list of what it counts
	Amounts []money.Money
}

// statusCount is a bar of the cards by status.
type statusCount struct {
	Status  cards.Status
	Count   int64
	Percent float64 // of the longest bar
}

func (h *Handlers) Home(w http.ResponseWriter, r *http.Request) error {
	v := web.VisitOf(r)
	account := v.Account
	var now *cards.Summary
	var value stock.Report
	var today, weeks sales.Report
	var below homePage
	var waiting identify.Progress
	group, ctx := errgroup.WithContext(r.Context())
	group.Go(func() (err error) {
		now, err = h.Cards.Summarize(ctx, account.ID, cards.Filter{}, "status")
		return err
	})
	group.Go(func() (err error) {
		value, err = h.Stock.Report(ctx, account.ID, 7*homeWeeks)
		return err
	})
	group.Go(func() (err error) {
		today, err = h.salesSince(ctx, account, sales.ByDay, h.Today(account))
		return err
	})
	group.Go(func() (err error) {
		weeks, err = h.salesSince(ctx, account, sales.ByWeek, firstWeek(h.Today(account)))
		return err
	})
	group.Go(func() (err error) {
		below.Problems, err = h.problems(ctx, v)
		return err
	})
	group.Go(func() (err error) {
		below.Batches, err = h.batchesUnderWay(ctx, account.ID)
		return err
	})
	group.Go(func() (err error) {
		waiting, err = h.Identification.Progress(ctx, account.ID)
		return err
	})
	group.Go(func() (err error) {
		below.Lately, err = h.latestSales(ctx, account.ID)
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	p := newHomePage(now, today, weeks)
	p.Value, p.ValueNote = stockCharts(value), stockNote(value)
	p.Problems, p.Batches, p.Lately = below.Problems, below.Batches, below.Lately
	p.Identifying = identifying(waiting)
	return h.Show(w, r, http.StatusOK, "home", "Home", p)
}

// identifying says how many cards wait for their identification and how long they take, or is "" if none does.
func identifying(p identify.Progress) string {
	if p.Waiting == 0 {
		return ""
	}
	text := format.Number(int64(p.Waiting)) + " cards wait to be identified"
	switch {
	case p.Waiting == 1:
		text = "1 card waits to be identified"
	case p.Waiting > identify.MaxWaiting:
		text = "More than " + format.Number(identify.MaxWaiting) + " cards wait to be identified"
	}
	switch minutes := int64(p.Left.Minutes() + 0.5); {
	case p.Left == 0:
		return text + "."
	case minutes == 0:
		return text + ", less than a minute left."
	case minutes == 1:
		return text + ", about a minute left."
	case minutes < 120:
		return text + ", about " + format.Number(minutes) + " minutes left."
	default:
		return text + ", about " + format.Number((minutes+30)/60) + " hours left."
	}
}

// batchesUnderWay returns the newest open batches with their cards by status.
func (h *Handlers) batchesUnderWay(ctx context.Context, accountID string) ([]imports.ShownBatch, error) {
	open := batches.Open
	found, err := h.Batches.List(ctx, accountID, batches.Filter{Status: &open}, paging.Request{Limit: homeBatches})
	if err != nil {
		return nil, err
	}
	return h.Imports.WithCounts(ctx, accountID, found.Data...)
}

func (h *Handlers) latestSales(ctx context.Context, accountID string) ([]selling.SaleRow, error) {
	found, err := h.Sales.List(ctx, accountID, sales.Filter{}, paging.Request{Limit: homeSales})
	if err != nil {
		return nil, err
	}
	rows := make([]selling.SaleRow, len(found.Data))
	for i, sale := range found.Data {
		rows[i] = selling.SaleRow{Sale: sale}
	}
	return rows, nil
}

// firstWeek returns the first date of the charts: the Monday of the week homeWeeks-1 weeks before today's.
func firstWeek(today time.Time) time.Time {
	return calendar.Monday(today).AddDate(0, 0, -7*(homeWeeks-1))
}

// salesSince sums up the sales from a date on, in the account's time zone.
func (h *Handlers) salesSince(
	ctx context.Context, account accounts.Account, groupBy string, date time.Time,
) (sales.Report, error) {
	since := calendar.Start(date, calendar.Zone(account.TimeZone))
	return h.Sales.Report(ctx, account.ID, sales.ReportRequest{
		GroupBy: groupBy, Since: &since, TimeZone: account.TimeZone,
	})
}

func newHomePage(now *cards.Summary, today, weeks sales.Report) homePage {
	counts := map[cards.Status]int64{}
	var page homePage
	var asking, cost chart.Amounts
	for _, g := range now.Groups {
		status := cards.Status(*g.Value)
		counts[status] = g.Count
		if !status.InStock() {
			continue
		}
		page.Cards += g.Count
		asking.Add(g.AskingPrice...)
		cost.Add(g.Cost...)
	}
	page.Asking, page.Cost = asking.Sorted(), cost.Sorted()
	sold := counter{Label: "sold today", Address: cardquery.Address(nil, "status", string(cards.Sold))}
	for _, row := range today.Rows {
		sold.Count += row.Count
		if row.Count > 0 {
			sold.Amounts = append(sold.Amounts, money.Money{Amount: row.Gross, Currency: row.Currency})
		}
	}
	of := func(status cards.Status, label string) counter {
		return counter{Count: counts[status], Label: label, Address: cardquery.Address(nil, "status", string(status))}
	}
	page.Counters = []counter{
		of(cards.NeedsReview, "need review"), of(cards.Identified, "to price"),
		of(cards.Photographed, "ready to list"), of(cards.Listed, "listed"), sold,
	}
	page.Statuses = statusCounts(counts)
	page.Sales = chart.Weekly(weeks)
	return page
}

// statusCounts returns a bar for each status, in the order of the workflow.
func statusCounts(counts map[cards.Status]int64) []statusCount {
	longest := int64(1)
	for _, count := range counts {
		longest = max(longest, count)
	}
	bars := make([]statusCount, len(cards.Statuses))
	for i, status := range cards.Statuses {
		bars[i] = statusCount{status, counts[status], 100 * float64(counts[status]) / float64(longest)}
	}
	return bars
}

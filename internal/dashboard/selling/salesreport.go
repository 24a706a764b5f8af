package selling

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/dashboard/chart"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

// salesReportPage is the data of the page salesreport.
type salesReportPage struct {
	Periods  []reportPeriod
	Chosen   reportPeriod
	Parts    []reportPart // over time, and by channel
	Sales    string       // the address of the sales of the period
	CSV      string       // the address of the file with them
	TimeZone string
}

// reportPeriod is a period of the report: a month or a year.
type reportPeriod struct {
	Name, Label string
	Year        bool
	ago         int // how many months or years ago
}

// reportPeriods are those that can be chosen. The first one is the default.
var reportPeriods = []reportPeriod{
	{"this_month", "This month", false, 0}, {"last_month", "Last month", false, 1},
	{"this_year", "This year", true, 0}, {"last_year", "Last year", true, 1},
}

// groupBy returns the groups of the chart over time.
func (p reportPeriod) groupBy() string {
	if p.Year {
		return sales.ByMonth
	}
	return sales.ByDay
}

// reportPart is one grouping of the report.
type reportPart struct {
	Title, Column string
	OverTime      bool          // whether it has charts, with a bar for each day or month
	Charts        []reportChart // one for each currency
}

// reportChart is a chart with its table. The table has the groups with sales, and their sum.
type reportChart struct {
	chart.Chart
	Rows []reportRow
	Sum  reportRow
}

// reportRow is a row of the table.
type reportRow struct {
	Label, Address                               string // the address of the group's sales
	Count                                        int64
	Gross, Fees, Shipping, Refunds, Cost, Profit money.Money
}

func (h *Handlers) ShowSalesReport(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	chosen := reportPeriods[0]
	for _, one := range reportPeriods {
		if one.Name == r.URL.Query().Get("period") {
			chosen = one
		}
	}
	since, before := chosen.days(h.Today(account))
	var overTime, byChannel sales.Report
	group, ctx := errgroup.WithContext(r.Context())
	group.Go(func() (err error) {
		overTime, err = h.salesReport(ctx, account, chosen.groupBy(), since, before)
		return err
	})
	group.Go(func() (err error) {
		byChannel, err = h.salesReport(ctx, account, sales.ByChannel, since, before)
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	from, until := since.Format(time.DateOnly), before.Format(time.DateOnly)
	return h.Show(w, r, http.StatusOK, "salesreport", "Sales report", salesReportPage{
		Periods: reportPeriods, Chosen: chosen, TimeZone: account.TimeZone,
		Parts: []reportPart{
			chosen.part(overTime, since, before), channelPart(byChannel, h.Sales.Channels(), from, until),
		},
		Sales: salesBetween("/sales", from, until, nil), CSV: salesBetween("/sales.csv", from, until, nil),
	})
}

// salesReport sums up the sales from one date until before another one, in the account's time zone.
func (h *Handlers) salesReport(
	ctx context.Context, account accounts.Account, groupBy string, since, before time.Time,
) (sales.Report, error) {
	zone := calendar.Zone(account.TimeZone)
	from, until := calendar.Start(since, zone), calendar.Start(before, zone)
	return h.Sales.Report(ctx, account.ID, sales.ReportRequest{
		GroupBy: groupBy, Since: &from, Before: &until, TimeZone: account.TimeZone,
	})
}

// days returns the first date of the period and the first date after it.
func (p reportPeriod) days(today time.Time) (since, before time.Time) {
	year, month, _ := today.Date()
	if p.Year {
		return dateOf(year-p.ago, 1), dateOf(year-p.ago+1, 1)
	}
	return dateOf(year, month-time.Month(p.ago)), dateOf(year, month-time.Month(p.ago)+1)
}

// dateOf returns the first date of a month.
func dateOf(year int, month time.Month) time.Time {
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}

// part returns the part of the report over time: by day of a month, or by month of a year.
func (p reportPeriod) part(report sales.Report, since, before time.Time) reportPart {
	part := reportPart{Title: "By day", Column: "Day", OverTime: true}
	label, days, months := "2 Jan", 1, 0
	if p.Year {
		part = reportPart{Title: "By month", Column: "Month", OverTime: true}
		label, days, months = "January 2006", 0, 1
	}
	var groups []string
	about := map[string]reportRow{}
	zone := calendar.Zone(report.TimeZone)
	for at := since; at.Before(before); at = at.AddDate(0, months, days) {
		if !p.Year && !calendar.Exists(at, zone) {
			continue
		}
		group, end := at.Format(time.DateOnly), at.AddDate(0, months, days).Format(time.DateOnly)
		groups = append(groups, group)
		about[group] = reportRow{Label: at.Format(label), Address: salesBetween("/sales", group, end, nil)}
	}
	part.Charts = reportCharts(report, groups, about)
	return part
}

// channelPart returns the part of the report by channel.
func channelPart(report sales.Report, channels []string, since, before string) reportPart {
	about := map[string]reportRow{}
	for _, channel := range channels {
		address := salesBetween("/sales", since, before, url.Values{"channel": {channel}})
		about[channel] = reportRow{Label: format.Words(channel), Address: address}
	}
	return reportPart{Title: "By channel", Column: "Channel", Charts: reportCharts(report, channels, about)}
}

// reportCharts returns a chart of the groups for each currency. about has the label and the address of each group.
func reportCharts(report sales.Report, groups []string, about map[string]reportRow) []reportChart {
	byCurrency, currencies := chart.ByCurrency(report)
	var all []reportChart
	for _, currency := range currencies {
		rows := byCurrency[currency]
		c := reportChart{Chart: chart.New(currency, groups, rows)}
		var sum sales.ReportRow
		for _, group := range groups {
			if row, ok := rows[group]; ok {
				c.Rows = append(c.Rows, about[group].with(row, currency))
				sum = sumOf(sum, row)
			}
		}
		c.Sum = reportRow{Label: "Total"}.with(sum, currency)
		all = append(all, c)
	}
	return all
}

// with returns the row with the amounts of a row of the report.
func (r reportRow) with(row sales.ReportRow, currency string) reportRow {
	amount := func(minor int64) money.Money { return money.Money{Amount: minor, Currency: currency} }
	r.Count, r.Gross, r.Fees = row.Count, amount(row.Gross), amount(row.Fees)
	r.Shipping, r.Refunds = amount(row.ShippingCharged-row.ShippingCost), amount(row.Refunds)
	r.Cost, r.Profit = amount(row.Cost), amount(row.Profit())
	return r
}

// sumOf returns the sum of two rows.
func sumOf(a, b sales.ReportRow) sales.ReportRow {
	return sales.ReportRow{
		Count: a.Count + b.Count, Gross: a.Gross + b.Gross, ShippingCharged: a.ShippingCharged + b.ShippingCharged,
		ShippingCost: a.ShippingCost + b.ShippingCost, Fees: a.Fees + b.Fees, Tax: a.Tax + b.Tax,
		Refunds: a.Refunds + b.Refunds, TaxRefunded: a.TaxRefunded + b.TaxRefunded,
		FeesReturned: a.FeesReturned + b.FeesReturned, Cost: a.Cost + b.Cost,
	}
}

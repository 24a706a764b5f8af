package dashboard

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

// The sizes of a chart, in units of its view box.
const (
	chartHeight = 120
	barStep     = 22 // from the bars of one week to those of the next
	barWidth    = 8
)

// chart shows the sales in one currency, as bars and as a table.
type chart struct {
	Currency string
	Width    int
	Zero     float64 // the height of the line from which bars grow
	Highest  money.Money
	Bars     []bars
	Weeks    []week
}

// bars are the two bars of a week.
type bars struct {
	X, ProfitX                                 int
	GrossY, GrossHeight, ProfitY, ProfitHeight float64
}

// week is a row of the table.
type week struct {
	Label         string
	Count         int64
	Gross, Profit money.Money
}

// charts returns a chart for each currency of a report by week. Weeks without sales have bars of height 0.
func charts(r sales.Report) []chart {
	byCurrency, currencies := rowsByCurrency(r)
	var all []chart
	for _, currency := range currencies {
		all = append(all, newChart(currency, weeksOf(r), byCurrency[currency]))
	}
	return all
}

// rowsByCurrency returns the rows of each currency by their group, and the currencies in alphabetical order.
func rowsByCurrency(r sales.Report) (rows map[string]map[string]sales.ReportRow, currencies []string) {
	rows = map[string]map[string]sales.ReportRow{}
	for _, row := range r.Rows {
		if rows[row.Currency] == nil {
			rows[row.Currency] = map[string]sales.ReportRow{}
		}
		rows[row.Currency][row.Group] = row
	}
	return rows, slices.Sorted(maps.Keys(rows))
}

// weeksOf returns the first days of the weeks of a report.
func weeksOf(r sales.Report) []string {
	zone := calendar.Zone(r.TimeZone)
	var days []string
	day := calendar.Monday(calendar.DateOf(r.Since, zone))
	for calendar.Start(day, zone).Before(r.Before) {
		days, day = append(days, day.Format(time.DateOnly)), day.AddDate(0, 0, 7)
	}
	return days
}

func newChart(currency string, days []string, rows map[string]sales.ReportRow) chart {
	var highest, lowest int64
	for _, row := range rows {
		highest, lowest = max(highest, row.Gross, row.Profit()), min(lowest, row.Profit())
	}
	scale := chartHeight / float64(max(highest-lowest, 1))
	c := chart{
		Currency: currency, Width: barStep * len(days), Zero: float64(highest) * scale,
		Highest: money.Money{Amount: highest, Currency: currency},
	}
	for i, day := range days {
		row := rows[day]
		b := bars{X: i*barStep + 1, ProfitX: i*barStep + 1 + barWidth + 1}
		b.GrossY, b.GrossHeight = c.bar(row.Gross, scale)
		b.ProfitY, b.ProfitHeight = c.bar(row.Profit(), scale)
		c.Bars = append(c.Bars, b)
		c.Weeks = append(c.Weeks, week{
			Label: dateLabel(day), Count: row.Count, Gross: money.Money{Amount: row.Gross, Currency: currency},
			Profit: money.Money{Amount: row.Profit(), Currency: currency},
		})
	}
	return c
}

// dateLabel formats a date for readers, and returns another group of a report as it is.
func dateLabel(group string) string {
	date, err := time.Parse(time.DateOnly, group)
	if err != nil {
		return group
	}
	return date.Format("2 Jan 2006")
}

// bar returns the top and the height of a bar: above the line for gains, below for losses.
func (c chart) bar(amount int64, scale float64) (top, height float64) {
	height = float64(amount) * scale
	if height < 0 {
		return c.Zero, -height
	}
	return c.Zero - height, height
}

// amounts sums up amounts by currency.
type amounts map[string]int64

func (a *amounts) add(list ...money.Money) {
	if *a == nil {
		*a = amounts{}
	}
	for _, m := range list {
		(*a)[m.Currency] += m.Amount
	}
}

// sorted returns the sums in alphabetical order of their currencies.
func (a amounts) sorted() []money.Money {
	var list []money.Money
	for currency, amount := range a {
		list = append(list, money.Money{Amount: amount, Currency: currency})
	}
	slices.SortFunc(list, func(x, y money.Money) int { return cmp.Compare(x.Currency, y.Currency) })
	return list
}

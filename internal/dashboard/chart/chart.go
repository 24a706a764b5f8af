// Package chart draws the sales of a report as bars, and has them as a table.
package chart

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
	Height   = 120
	BarStep  = 22 // from the bars of one week to those of the next
	barWidth = 8
)

// Chart shows the sales in one currency, as bars and as a table.
type Chart struct {
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

// Weekly returns a chart for each currency of a report by week. Weeks without sales have bars of height 0.
func Weekly(r sales.Report) []Chart {
	byCurrency, currencies := ByCurrency(r)
	var all []Chart
	for _, currency := range currencies {
		all = append(all, New(currency, WeeksOf(r), byCurrency[currency]))
	}
	return all
}

// ByCurrency returns the rows of each currency by their group, and the currencies in alphabetical order.
func ByCurrency(r sales.Report) (rows map[string]map[string]sales.ReportRow, currencies []string) {
	rows = map[string]map[string]sales.ReportRow{}
	for _, row := range r.Rows {
		if rows[row.Currency] == nil {
			rows[row.Currency] = map[string]sales.ReportRow{}
		}
		rows[row.Currency][row.Group] = row
	}
	return rows, slices.Sorted(maps.Keys(rows))
}

// WeeksOf returns the first days of the weeks of a report.
func WeeksOf(r sales.Report) []string {
	zone := calendar.Zone(r.TimeZone)
	var days []string
	day := calendar.Monday(calendar.DateOf(r.Since, zone))
	for calendar.Start(day, zone).Before(r.Before) {
		days, day = append(days, day.Format(time.DateOnly)), day.AddDate(0, 0, 7)
	}
	return days
}

func New(currency string, days []string, rows map[string]sales.ReportRow) Chart {
	var highest, lowest int64
	for _, row := range rows {
		highest, lowest = max(highest, row.Gross, row.Profit()), min(lowest, row.Profit())
	}
	scale := Height / float64(max(highest-lowest, 1))
	c := Chart{
		Currency: currency, Width: BarStep * len(days), Zero: float64(highest) * scale,
		Highest: money.Money{Amount: highest, Currency: currency},
	}
	for i, day := range days {
		row := rows[day]
		b := bars{X: i*BarStep + 1, ProfitX: i*BarStep + 1 + barWidth + 1}
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
func (c Chart) bar(amount int64, scale float64) (top, height float64) {
	height = float64(amount) * scale
	if height < 0 {
		return c.Zero, -height
	}
	return c.Zero - height, height
}

// Amounts sums up amounts by currency.
type Amounts map[string]int64

func (a *Amounts) Add(list ...money.Money) {
	if *a == nil {
		*a = Amounts{}
	}
	for _, m := range list {
		(*a)[m.Currency] += m.Amount
	}
}

// Sorted returns the sums in alphabetical order of their currencies.
func (a Amounts) Sorted() []money.Money {
	var list []money.Money
	for currency, amount := range a {
		list = append(list, money.Money{Amount: amount, Currency: currency})
	}
	slices.SortFunc(list, func(x, y money.Money) int { return cmp.Compare(x.Currency, y.Currency) })
	return list
}

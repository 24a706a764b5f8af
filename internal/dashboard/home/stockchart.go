package home

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/dashboard/chart"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/stock"
)

// stockChart shows the value of the stock in one currency, as lines by day and as a table by week.
type stockChart struct {
	Currency     string
	Width        int
	Asking, Cost string // the lines, as paths of SVG; they end where days are missing
	Highest      money.Money
	First, Last  string // the first day of the chart and the last one of the lines
	LastX        string // where the last day is, as a part of the width
	Weeks        []stockWeek
}

// stockWeek is a row of the table: the last day of a week that was recorded.
type stockWeek struct {
	Label        string
	Recorded     bool
	Cards        int64
	Asking, Cost money.Money
}

// stockWeeks are the weeks of a chart.
type stockWeeks struct {
	first time.Time // the first Monday
	days  []stock.Day
	zone  *time.Location // of the account
}

// weeksOfStock returns the last weeks of a report, this one included.
func weeksOfStock(r stock.Report) stockWeeks {
	w := stockWeeks{first: firstWeek(r.Today), zone: calendar.Zone(r.TimeZone)}
	for _, day := range r.Days {
		if !day.Date.Before(w.first) {
			w.days = append(w.days, day)
		}
	}
	return w
}

// stockCharts returns a chart for each currency, in alphabetical order. There is none unless two days were recorded.
func stockCharts(r stock.Report) (charts []stockChart) {
	w := weeksOfStock(r)
	if len(w.days) < 2 {
		return nil
	}
	for _, currency := range currenciesOf(w.days) {
		charts = append(charts, w.chart(currency))
	}
	return charts
}

// stockNote says why there is no chart, and when there will be one.
func stockNote(r stock.Report) string {
	if len(currenciesOf(weeksOfStock(r).days)) == 0 {
		return "The first figures appear when a card has an asking price or a cost. They are recorded every day."
	}
	return "The first figures were recorded today. The chart begins tomorrow."
}

// currenciesOf returns the currencies of days in alphabetical order.
func currenciesOf(days []stock.Day) []string {
	found := map[string]bool{}
	for _, day := range days {
		for _, v := range day.Values {
			found[v.Currency] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func (w stockWeeks) chart(currency string) stockChart {
	highest := int64(1)
	for _, day := range w.days {
		v := day.In(currency)
		highest = max(highest, v.Asking, v.Cost)
	}
	last := w.days[len(w.days)-1].Date
	c := stockChart{
		Currency: currency, Width: chart.BarStep * homeWeeks, Weeks: w.table(currency),
		Highest: money.Money{Amount: highest, Currency: currency},
		First:   w.first.Format("2 Jan 2006"), Last: last.Format("2 Jan 2006"),
		LastX: fmt.Sprintf("%.1f%%", 100*w.across(last)/(chart.BarStep*homeWeeks)),
	}
	c.Asking = w.line(highest, func(day stock.Day) int64 { return day.In(currency).Asking })
	c.Cost = w.line(highest, func(day stock.Day) int64 { return day.In(currency).Cost })
	return c
}

// line returns the path through the amounts of the days. It is interrupted where a day is missing; a day without
// neighbours is a dot.
func (w stockWeeks) line(highest int64, amount func(stock.Day) int64) string {
	var path strings.Builder
	for i, day := range w.days {
		command := "L"
		if i == 0 || w.missing(w.days[i-1].Date, day.Date) {
			command = "M"
		}
		y := chart.Height * (1 - float64(amount(day))/float64(highest))
		fmt.Fprintf(&path, "%s%.1f %.1f", command, w.across(day.Date), y)
		if command == "M" {
			path.WriteString("h0") // draws the round end of a line that has no other point
		}
	}
	return path.String()
}

// missing reports whether a day between two others was not recorded. A date that the zone skipped is not a day.
func (w stockWeeks) missing(after, before time.Time) bool {
	for date := after.AddDate(0, 0, 1); date.Before(before); date = date.AddDate(0, 0, 1) {
		if calendar.Exists(date, w.zone) {
			return true
		}
	}
	return false
}

// across returns how far the middle of a day is from the left of the chart.
func (w stockWeeks) across(day time.Time) float64 {
	return (day.Sub(w.first).Hours()/24 + 0.5) * chart.BarStep / 7
}

// table returns the weeks since the first one that was recorded.
func (w stockWeeks) table(currency string) (weeks []stockWeek) {
	days := w.days
	for n := range homeWeeks {
		monday := w.first.AddDate(0, 0, 7*n)
		in := 0 // how many days are in this week
		for in < len(days) && days[in].Date.Before(monday.AddDate(0, 0, 7)) {
			in++
		}
		week := stockWeek{Label: monday.Format("2 Jan 2006"), Recorded: in > 0}
		if in > 0 {
			v := days[in-1].In(currency)
			week.Cards = v.Cards
			week.Asking = money.Money{Amount: v.Asking, Currency: currency}
			week.Cost = money.Money{Amount: v.Cost, Currency: currency}
		}
		if days = days[in:]; week.Recorded || len(weeks) > 0 {
			weeks = append(weeks, week)
		}
	}
	return weeks
}

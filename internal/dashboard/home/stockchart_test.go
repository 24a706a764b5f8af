package home

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/stock"
)

func TestStockCharts(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC) // a Wednesday
	ago := func(days int, values ...stock.Value) stock.Day {
		return stock.Day{Date: today.AddDate(0, 0, -days), Cards: 9, Values: values}
	}
	dollars := func(cards, asking, cost int64) stock.Value {
		return stock.Value{Currency: "USD", Cards: cards, Asking: asking, Cost: cost}
	}
	euros := stock.Value{Currency: "EUR", Cards: 1, Asking: 800}
	eur := func(amount int64) money.Money { return money.Money{Amount: amount, Currency: "EUR"} }
	for name, tc := range map[string]struct {
		days []stock.Day
		want []stockChart
	}{
		"only today":            {[]stock.Day{ago(0, dollars(1, 100, 50))}, nil},
		"no prices":             {[]stock.Day{ago(1), ago(0)}, nil},
		"before the first week": {[]stock.Day{ago(80, dollars(1, 100, 50)), ago(0, dollars(1, 100, 50))}, nil},
		"days without neighbors": {
			[]stock.Day{ago(79, dollars(1, 1000, 0)), ago(23, dollars(2, 500, 250)), ago(0)},
			[]stockChart{{
				Currency: "USD", Width: 264, Asking: "M1.6 0.0h0M177.6 60.0h0M249.9 120.0h0",
				Cost: "M1.6 120.0h0M177.6 90.0h0M249.9 120.0h0", Highest: usd(1000),
				First: "7 Sep 2026", Last: "25 Nov 2026", LastX: "94.6%", Weeks: stockTable(
					stockWeek{"7 Sep 2026", true, 1, usd(1000), usd(0)}, 7,
					stockWeek{"2 Nov 2026", true, 2, usd(500), usd(250)}, 2,
					stockWeek{"23 Nov 2026", true, 0, usd(0), usd(0)}),
			}},
		},
		"two currencies": {
			[]stock.Day{ago(3, dollars(1, 100, 50)), ago(2, euros, dollars(1, 200, 50)), ago(1, euros), ago(0, euros)},
			[]stockChart{
				{
					Currency: "EUR", Width: 264, Asking: "M240.4 120.0h0L243.6 0.0L246.7 0.0L249.9 0.0",
					Cost: "M240.4 120.0h0L243.6 120.0L246.7 120.0L249.9 120.0", Highest: eur(800),
					First: "7 Sep 2026", Last: "25 Nov 2026", LastX: "94.6%",
					Weeks: []stockWeek{
						{"16 Nov 2026", true, 0, eur(0), eur(0)}, {"23 Nov 2026", true, 1, eur(800), eur(0)},
					},
				},
				{
					Currency: "USD", Width: 264, Asking: "M240.4 60.0h0L243.6 0.0L246.7 120.0L249.9 120.0",
					Cost: "M240.4 90.0h0L243.6 90.0L246.7 120.0L249.9 120.0", Highest: usd(200),
					First: "7 Sep 2026", Last: "25 Nov 2026", LastX: "94.6%",
					Weeks: []stockWeek{
						{"16 Nov 2026", true, 1, usd(100), usd(50)}, {"23 Nov 2026", true, 0, usd(0), usd(0)},
					},
				},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := stockCharts(stock.Report{Today: today, Days: tc.days})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("charts (-want +got):\n%s", diff)
			}
		})
	}
}

// stockTable returns weeks: a number stands for as many weeks that were not recorded.
func stockTable(list ...any) (weeks []stockWeek) {
	for _, one := range list {
		if week, ok := one.(stockWeek); ok {
			weeks = append(weeks, week)
			continue
		}
		for range one.(int) {
			last, _ := time.Parse("2 Jan 2006", weeks[len(weeks)-1].Label)
			weeks = append(weeks, stockWeek{Label: last.AddDate(0, 0, 7).Format("2 Jan 2006")})
		}
	}
	return weeks
}

func TestStockNote(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		values []stock.Value
		want   string
	}{
		"no prices": {nil, "when a card has an asking price or a cost"},
		"prices":    {[]stock.Value{{Currency: "USD", Cards: 1}}, "begins tomorrow"},
	} {
		got := stockNote(stock.Report{Today: today, Days: []stock.Day{{Date: today, Values: tc.values}}})
		if !strings.Contains(got, tc.want) {
			t.Errorf("%s: got %q, want it to have %q", name, got, tc.want)
		}
	}
}

// A line goes on over a date that the zone skipped, and is interrupted by a day that was not recorded.
func TestStockWeeks_Line(t *testing.T) {
	t.Parallel()
	day := func(n int) stock.Day { return stock.Day{Date: time.Date(2011, 12, n, 0, 0, 0, 0, time.UTC)} }
	report := stock.Report{
		TimeZone: "Pacific/Apia", Today: day(31).Date, Days: []stock.Day{day(26), day(28), day(29), day(31)},
	}
	line := weeksOfStock(report).line(1, func(stock.Day) int64 { return 0 })
	if got := strings.Count(line, "M"); got != 2 {
		t.Errorf("%d lines in %s, want 2: the 27th is missing, the 30th did not exist", got, line)
	}
}

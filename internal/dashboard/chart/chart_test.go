package chart

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

func TestCharts(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 9, 0, 0, 0, 0, time.UTC)
	report := sales.Report{Since: since, Before: since.AddDate(0, 0, 15), TimeZone: "UTC", Rows: []sales.ReportRow{
		{Group: "2026-11-09", Currency: "USD", Count: 2, Gross: 900, Cost: 1200},
		{Group: "2026-11-23", Currency: "EUR", Count: 1, Gross: 500},
	}}
	eur500 := money.Money{Amount: 500, Currency: "EUR"}
	want := []Chart{
		{
			Currency: "EUR", Width: 66, Zero: 120, Highest: eur500,
			Bars: []bars{
				{X: 1, ProfitX: 10, GrossY: 120, ProfitY: 120},
				{X: 23, ProfitX: 32, GrossY: 120, ProfitY: 120},
				{X: 45, ProfitX: 54, GrossHeight: 120, ProfitHeight: 120},
			},
			Weeks: []week{
				{"9 Nov 2026", 0, money.Money{Currency: "EUR"}, money.Money{Currency: "EUR"}},
				{"16 Nov 2026", 0, money.Money{Currency: "EUR"}, money.Money{Currency: "EUR"}},
				{"23 Nov 2026", 1, eur500, eur500},
			},
		},
		{
			Currency: "USD", Width: 66, Zero: 90, Highest: usd(900),
			Bars: []bars{
				{X: 1, ProfitX: 10, GrossHeight: 90, ProfitY: 90, ProfitHeight: 30}, // a loss
				{X: 23, ProfitX: 32, GrossY: 90, ProfitY: 90},
				{X: 45, ProfitX: 54, GrossY: 90, ProfitY: 90},
			},
			Weeks: []week{
				{"9 Nov 2026", 2, usd(900), usd(-300)},
				{"16 Nov 2026", 0, usd(0), usd(0)},
				{"23 Nov 2026", 0, usd(0), usd(0)},
			},
		},
	}
	if diff := cmp.Diff(want, Weekly(report)); diff != "" {
		t.Errorf("charts (-want +got):\n%s", diff)
	}
}

func usd(amount int64) money.Money { return money.Money{Amount: amount, Currency: "USD"} }

package cardpage

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/pricing"
)

func TestNewDotPlot(t *testing.T) {
	t.Parallel()
	day := func(n int) *time.Time { return new(time.Date(2026, 5, n, 0, 0, 0, 0, time.UTC)) }
	sold := func(amount int64, at *time.Time) pricing.Comparable {
		return pricing.Comparable{Price: usd(amount), SoldAt: at, Weight: 1000}
	}
	light, old, euro := sold(150, day(3)), sold(100, day(1)), sold(999, day(3))
	light.Weight, old.Weight, euro.Price.Currency = 501, 40, "EUR"
	for name, tc := range map[string]struct {
		price    int64
		sales    []pricing.Comparable
		excluded []pricing.Comparable
		want     *dotPlot
	}{
		"prices and dates": {
			200, []pricing.Comparable{sold(200, day(11)), sold(300, day(6)), sold(100, day(1))}, nil,
			&dotPlot{
				Width: 320, Height: 120, Price: 60,
				Dots:  []dot{{312, 60, 1, false}, {160, 8, 1, false}, {8, 112, 1, false}},
				First: *day(1), Last: *day(11), Low: usd(100), High: usd(300),
			},
		},
		"one price on one day": {
			100, []pricing.Comparable{sold(100, day(1)), sold(100, day(1))}, nil,
			&dotPlot{
				Width: 320, Height: 120, Dots: []dot{{160, 60, 1, false}, {160, 60, 1, false}}, Price: 60,
				First: *day(1), Last: *day(1), Low: usd(100), High: usd(100),
			},
		},
		"an estimate below the newest prices": {
			50, []pricing.Comparable{sold(100, day(2)), sold(150, day(1))}, nil,
			&dotPlot{
				Width: 320, Height: 120, Dots: []dot{{312, 60, 1, false}, {8, 8, 1, false}}, Price: 112,
				First: *day(1), Last: *day(2), Low: usd(50), High: usd(150),
			},
		},
		"weights": {
			125, []pricing.Comparable{light, old}, nil,
			&dotPlot{
				Width: 320, Height: 120, Dots: []dot{{312, 8, 0.51, false}, {8, 112, 0.25, false}}, Price: 60,
				First: *day(1), Last: *day(3), Low: usd(100), High: usd(150),
			},
		},
		"outliers and another currency": {
			150, []pricing.Comparable{sold(200, day(2)), sold(100, day(1))},
			[]pricing.Comparable{sold(90000, day(3)), sold(1, day(1)), euro},
			&dotPlot{
				Width: 320, Height: 120, Price: 60, First: *day(1), Last: *day(3), Low: usd(100), High: usd(200),
				Dots: []dot{{160, 8, 1, false}, {8, 112, 1, false}, {312, 4, 1, true}, {8, 116, 1, true}}, Outliers: 2,
			},
		},
		"one sale": {
			100, []pricing.Comparable{sold(100, day(1))}, []pricing.Comparable{sold(9, day(2))}, nil,
		},
		"prices of a catalogue": {100, []pricing.Comparable{sold(100, nil), sold(200, nil)}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := newDotPlot(pricing.Estimate{
				Price: usd(tc.price), Comparables: tc.sales, Excluded: tc.excluded,
			})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("plot (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEstimate_Rows(t *testing.T) {
	t.Parallel()
	used := pricing.Comparable{Title: "a", Price: usd(100), Weight: 35, AgeDays: 1}
	far := pricing.Comparable{Title: "b", Price: usd(9000), Weight: 1000, Excluded: pricing.Outlier}
	euro := pricing.Comparable{Title: "c", Weight: 800, AgeDays: 1240, Excluded: pricing.OtherCurrency}
	e := estimate{Estimate: pricing.Estimate{
		NewestDays: 1, Comparables: []pricing.Comparable{used}, Excluded: []pricing.Comparable{far, euro},
	}}
	want := []comparable{{used, 4, ""}, {far, 100, "too far from the other prices"}, {euro, 80, "in another currency"}}
	if diff := cmp.Diff(want, e.Rows()); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	got := []string{e.Newest(), want[1].Age(), want[2].Age()}
	if diff := cmp.Diff([]string{"1 day ago", "today", "1,240 days ago"}, got); diff != "" {
		t.Errorf("ages (-want +got):\n%s", diff)
	}
}

package dashboard

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
		return pricing.Comparable{Price: usd(amount), SoldAt: at}
	}
	for name, tc := range map[string]struct {
		price int64
		sales []pricing.Comparable
		want  *dotPlot
	}{
		"prices and dates": {
			200, []pricing.Comparable{sold(200, day(11)), sold(300, day(6)), sold(100, day(1))},
			&dotPlot{
				Width: 320, Height: 120, Dots: []dot{{312, 60}, {160, 8}, {8, 112}}, Price: 60,
				First: *day(1), Last: *day(11), Low: usd(100), High: usd(300),
			},
		},
		"one price on one day": {
			100, []pricing.Comparable{sold(100, day(1)), sold(100, day(1))},
			&dotPlot{
				Width: 320, Height: 120, Dots: []dot{{160, 60}, {160, 60}}, Price: 60,
				First: *day(1), Last: *day(1), Low: usd(100), High: usd(100),
			},
		},
		"an estimate below the newest prices": {
			50, []pricing.Comparable{sold(100, day(2)), sold(150, day(1))},
			&dotPlot{
				Width: 320, Height: 120, Dots: []dot{{312, 60}, {8, 8}}, Price: 112,
				First: *day(1), Last: *day(2), Low: usd(50), High: usd(150),
			},
		},
		"one sale":              {100, []pricing.Comparable{sold(100, day(1))}, nil},
		"prices of a catalogue": {100, []pricing.Comparable{sold(100, nil), sold(200, nil)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := newDotPlot(pricing.Estimate{Price: usd(tc.price), Comparables: tc.sales})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("plot (-want +got):\n%s", diff)
			}
		})
	}
}

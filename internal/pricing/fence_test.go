package pricing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/money"
)

// reasons returns the amounts of comparables and why they are excluded.
func reasons(all []Comparable) string {
	var words []string
	for _, c := range all {
		words = append(words, fmt.Sprintf("%d %s", c.Price.Amount, c.Excluded))
	}
	return strings.Join(words, ", ")
}

func TestEstimate_Excludes(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		"500 1 510 490 500 505":                 "1 outlier",
		"500 99999 510 490 500 505":             "99999 outlier",
		"500 0 510 490 500 505":                 "0 outlier",
		"500 500 500 500 1490":                  "", // less than three times the median
		"500 500 500 500 1510":                  "1510 outlier",
		"500 500 500 500 166":                   "166 outlier",
		"500 500 500 99999":                     "", // too few prices
		"100 200 400 800 1600 3200":             "", // all are far from each other
		"500 500 500 500 500 99999*1":           "99999 outlier",
		"500*1 500*1 500*1 500*1 99999":         "", // one price says almost everything
		"500 500*800 500*600 500*600 99999":     "99999 outlier",
		"500 7EUR 510 490 500 505 99999":        "7 other_currency, 99999 outlier",
		"5EUR 500 500 500 500 99999 1 500 6EUR": "5 other_currency, 99999 outlier, 1 outlier, 6 other_currency",
		"0 0 0 0 0":                             "",
	} {
		t.Run(list, func(t *testing.T) {
			t.Parallel()
			e := estimate(SoldListings, prices(t, list))
			if got := reasons(e.Excluded); got != want {
				t.Errorf("excluded: got %q, want %q", got, want)
			}
			for _, c := range e.Comparables {
				if c.Excluded != "" {
					t.Errorf("comparable %+v: got a reason to exclude it, want none", c)
				}
			}
		})
	}
}

// A price a hundred times too high or too low among prices of which none is more than twice another changes no figure.
func TestEstimate_OutlierChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Int64Range(100, money.Max/1000).Draw(t, "base")
		all := drawPrices(t, base, 2*base, 400, 6)
		wrong := rapid.SampledFrom([]int64{200 * base, base / 100, 0}).Draw(t, "wrong")
		outlier := Comparable{
			Price:  money.Money{Amount: wrong, Currency: "USD"},
			Weight: Weight(rapid.IntRange(1, 1000).Draw(t, "weight")),
		}
		place := rapid.IntRange(0, len(all)).Draw(t, "place")
		with := slices.Insert(slices.Clone(all), place, outlier)
		want, got := estimate(SoldListings, all), estimate(SoldListings, with)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Estimate{}, "Excluded")); diff != "" {
			t.Fatalf("estimate without and with %d among %v:\n%s", wrong, all, diff)
		}
		if reasons(got.Excluded) != fmt.Sprintf("%d outlier", wrong) {
			t.Fatalf("excluded: got %v, want %d", got.Excluded, wrong)
		}
	})
}

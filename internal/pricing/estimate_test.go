package pricing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/money"
)

// prices parses comparables such as "5 7*500 9EUR": amounts, weights and currencies. The defaults are the full weight
// and USD.
func prices(t rapid.TB, list string) (all []Comparable) {
	t.Helper()
	for _, word := range strings.Fields(list) {
		m, weight := money.Money{Currency: "USD"}, full
		if amount, w, ok := strings.Cut(word, "*"); ok {
			word = amount
			if _, err := fmt.Sscan(w, &weight); err != nil {
				t.Fatal(err)
			}
		}
		if number, ok := strings.CutSuffix(word, "EUR"); ok {
			word, m.Currency = number, "EUR"
		}
		if _, err := fmt.Sscan(word, &m.Amount); err != nil {
			t.Fatal(err)
		}
		all = append(all, Comparable{Title: word, Price: m, Weight: weight})
	}
	return all
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		"5":                       "5 5-5 USD of 1",
		"9 5":                     "7 5-9 USD of 2",
		"5 6":                     "5 5-6 USD of 2", // 5.5, rounded down
		"9 5 6":                   "6 5-9 USD of 3",
		"1 2 3 4":                 "2 1-3 USD of 4",
		"8 7 6 5 4 3 2 1":         "4 2-6 USD of 8",
		"1000 5 6 7 6":            "6 5-6 USD of 4", // without the outlier
		"5 6 7*500 8*500":         "6 5-7 USD of 4",
		"5*1 6*1000 7*1":          "6 5-7 USD of 3",
		"5*400 6*400 9*100":       "6 5-9 USD of 3",
		"1*999 2*333 3*333 4*333": "1 1-3 USD of 4", // exactly half of the weight up to 1
		"5 7EUR 9EUR":             "8 7-9 EUR of 2",
		"7EUR 5":                  "7 7-7 EUR of 1", // the currency of the newest
		"99999999999 99999999999": "99999999999 99999999999-99999999999 USD of 2",
	} {
		t.Run(list, func(t *testing.T) {
			t.Parallel()
			e := estimate(SoldListings, prices(t, list))
			if got := format(e); got != want {
				t.Errorf("estimate: got %s, want %s", got, want)
			}
			if e.Low.Currency != e.Price.Currency || e.High.Currency != e.Price.Currency {
				t.Errorf("currencies: got %+v, want the same for all amounts", e)
			}
		})
	}
}

// format formats the amounts of an estimate and the number of prices.
func format(e Estimate) string {
	return fmt.Sprintf("%d %d-%d %s of %d",
		e.Price.Amount, e.Low.Amount, e.High.Amount, e.Price.Currency, e.SampleSize)
}

func TestEstimate_LiesWithinPrices(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amounts := rapid.SliceOfN(rapid.Int64Range(0, money.Max), 1, 50).Draw(t, "amounts")
		var all []Comparable
		for _, a := range amounts {
			weight := Weight(rapid.IntRange(1, 1000).Draw(t, "weight"))
			all = append(all, Comparable{Price: money.Money{Amount: a, Currency: "USD"}, Weight: weight})
		}
		e := estimate(Catalog, all)
		if e.Low.Amount > e.Price.Amount || e.Price.Amount > e.High.Amount ||
			!slices.Contains(amounts, e.Low.Amount) || !slices.Contains(amounts, e.High.Amount) {
			t.Fatalf("estimate of %v: got %+v, want Low <= Price <= High and two of the prices", amounts, e)
		}
		excluded := len(amounts) - e.SampleSize
		if e.SampleSize < 1 || len(e.Comparables) != min(20, e.SampleSize) || len(e.Excluded) != min(20, excluded) {
			t.Fatalf("estimate of %v: got %+v, want each price used or excluded, of each at most 20", amounts, e)
		}
	})
}

// A price that weighs more pulls the estimate towards itself.
func TestSummarize_IsMonotoneInWeight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := drawPrices(t, 0, 1000, 1, 1)
		which := rapid.IntRange(0, len(all)-1).Draw(t, "which")
		before := summarize(all)
		all[which].Weight += Weight(rapid.IntRange(1, 5000).Draw(t, "more"))
		after, target := summarize(all), all[which].Price.Amount
		for name, pair := range map[string][2]money.Money{
			"price": {before.Price, after.Price}, "low": {before.Low, after.Low}, "high": {before.High, after.High},
		} {
			from, to := pair[0].Amount, pair[1].Amount
			if to < min(from, target) || to > max(from, target) {
				t.Errorf("%s: got %d instead of %d, want none that is further from %d", name, to, from, target)
			}
		}
	})
}

// drawPrices draws prices in USD with weights from light on, at least so many.
func drawPrices(t *rapid.T, low, high int64, light, least int) []Comparable {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Comparable {
		return Comparable{
			Price:  money.Money{Amount: rapid.Int64Range(low, high).Draw(t, "amount"), Currency: "USD"},
			Weight: Weight(rapid.IntRange(light, 1000).Draw(t, "weight")),
		}
	}), least, 30).Draw(t, "prices")
}

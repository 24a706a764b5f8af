package pricing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/money"
)

// prices parses comparables such as "5 7 9EUR". The default currency is USD.
func prices(t rapid.TB, list string) (all []Comparable) {
	t.Helper()
	for _, word := range strings.Fields(list) {
		m := money.Money{Currency: "USD"}
		if number, ok := strings.CutSuffix(word, "EUR"); ok {
			word, m.Currency = number, "EUR"
		}
		if _, err := fmt.Sscan(word, &m.Amount); err != nil {
			t.Fatal(err)
		}
		all = append(all, Comparable{Title: word, Price: m})
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
		"1000 5 6 7 6":            "6 6-7 USD of 5",
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
			all = append(all, Comparable{Price: money.Money{Amount: a, Currency: "USD"}})
		}
		e := estimate(Catalog, all)
		if e.Low.Amount > e.Price.Amount || e.Price.Amount > e.High.Amount ||
			!slices.Contains(amounts, e.Low.Amount) || !slices.Contains(amounts, e.High.Amount) {
			t.Fatalf("estimate of %v: got %+v, want Low <= Price <= High and two of the prices", amounts, e)
		}
		if e.SampleSize != len(amounts) || len(e.Comparables) != min(20, len(amounts)) {
			t.Fatalf("estimate of %v: got %+v, want all prices, of them at most 20 comparables", amounts, e)
		}
	})
}

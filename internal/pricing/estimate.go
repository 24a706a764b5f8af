package pricing

import (
	"slices"

	"github.com/cardvault/cardvault/internal/money"
)

// maxComparables bounds how many prices an estimate shows (openapi/v1.yaml).
const maxComparables = 20

// estimate sums up prices, of which the first are the newest. Only those in the most frequent
// currency count; of two as frequent, the one of the newest price. There must be at least one.
func estimate(basis Basis, all []Comparable) Estimate {
	currency := mostFrequent(all)
	var used []Comparable
	var amounts []int64
	for _, c := range all {
		if c.Price.Currency == currency {
			used, amounts = append(used, c), append(amounts, c.Price.Amount)
		}
	}
	slices.Sort(amounts)
	in := func(amount int64) money.Money { return money.Money{Amount: amount, Currency: currency} }
	return Estimate{
		Price: in(median(amounts)), Low: in(quartile(amounts, 1)), High: in(quartile(amounts, 3)),
		Basis: basis, SampleSize: len(used), Comparables: used[:min(len(used), maxComparables)],
	}
}

func mostFrequent(all []Comparable) (currency string) {
	count := map[string]int{}
	for _, c := range all {
		count[c.Price.Currency]++
	}
	for _, c := range all {
		if count[c.Price.Currency] > count[currency] {
			currency = c.Price.Currency
		}
	}
	return currency
}

// median returns the middle of sorted amounts; of two middle ones their mean, rounded down to the
// minor unit.
func median(sorted []int64) int64 {
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// quartile returns the n-th quartile of sorted amounts by nearest rank, so that it is one of them:
// with fewer than four, the least or the greatest.
func quartile(sorted []int64, n int) int64 {
	rank := (n*len(sorted) + 3) / 4 // n/4 of them, rounded up
	return sorted[rank-1]
}

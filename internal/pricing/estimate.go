package pricing

import (
	"slices"

	"github.com/cardvault/cardvault/internal/money"
)

// maxComparables is the maximum number of prices in an estimate (openapi/v1.yaml).
const maxComparables = 20

// estimate summarizes prices, which are ordered newest first. It uses only prices in the most frequent
// currency, or of several equally frequent ones that of the newest price. There must be at least one price.
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

// median returns the median of sorted amounts. The mean of two middle ones is rounded down to the minor
// unit.
func median(sorted []int64) int64 {
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// quartile returns the n-th quartile of sorted amounts by the nearest-rank method, so it is one of them:
// with fewer than four amounts, the least or the greatest.
func quartile(sorted []int64, n int) int64 {
	rank := (n*len(sorted) + 3) / 4 // n/4 of them, rounded up
	return sorted[rank-1]
}

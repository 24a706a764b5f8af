package pricing

import (
	"math"

	"github.com/cardvault/cardvault/internal/money"
)

const (
	// maxComparables is the maximum number of prices in an estimate, and of prices excluded from it (openapi/v1.yaml).
	maxComparables = 20
	// minQuartiles is the number of prices from which the low and the high price are quartiles.
	minQuartiles = 4
)

// estimate summarizes prices, which are ordered newest first. It uses only prices in the most frequent currency,
// without outliers. If several currencies are equally frequent, it uses the newest price's currency. There must be at
// least one price.
func estimate(basis Basis, all []Comparable) Estimate {
	currency := mostFrequent(all)
	var prices []Comparable
	for _, c := range all {
		if c.Price.Currency == currency {
			prices = append(prices, c)
		}
	}
	isOutlier := outside(prices)
	var inliers, outliers []Comparable
	for _, c := range all {
		switch {
		case c.Price.Currency != currency:
			c.Excluded = OtherCurrency
		case isOutlier(c.Price.Amount):
			c.Excluded = Outlier
		default:
			inliers = append(inliers, c)
			continue
		}
		outliers = append(outliers, c)
	}
	e := summarize(inliers)
	e.Basis, e.SampleSize = basis, len(inliers)
	e.Comparables = inliers[:min(len(inliers), maxComparables)]
	e.Excluded = outliers[:min(len(outliers), maxComparables)]
	return e
}

// summarize returns the figures of an estimate from prices of one currency. They are never empty, because an
// outlier is always further from the median than another price.
func summarize(prices []Comparable) Estimate {
	points := make([]point, len(prices))
	newest, strongest := prices[0].AgeDays, prices[0].Weight
	for i, c := range prices {
		points[i] = point{float64(c.Price.Amount), c.Weight}
		newest, strongest = min(newest, c.AgeDays), max(strongest, c.Weight)
	}
	middle := math.Floor(median(points)) // sorts them
	low, high := points[0].value, points[len(points)-1].value
	if len(points) >= minQuartiles {
		low, high = quartile(points, 1), quartile(points, 3)
	}
	in := func(amount float64) money.Money {
		return money.Money{Amount: int64(amount), Currency: prices[0].Price.Currency}
	}
	return Estimate{Price: in(middle), Low: in(low), High: in(high), NewestDays: newest, MaxWeight: strongest}
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

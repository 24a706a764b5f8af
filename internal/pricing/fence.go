package pricing

import (
	"cmp"
	"math"
	"slices"
)

// The rule for outliers, by Iglewicz and Hoaglin, with weights and a least distance: a price is an outlier if its
// logarithm is further from the median than both limits. It holds as long as outliers have less than half of the
// weight. Logarithms make a price of a tenth as unlikely as a tenfold price.
const (
	// minFenced is the effective number of prices from which one can be an outlier: five of about the same weight.
	minFenced = 4.5
	// maxScore is the largest distance from the median, in median distances that are scaled to standard deviations.
	maxScore, normalScale = 3.5, 1.4826
	// leastFactor makes a price from a third of the median to three times the median never an outlier.
	leastFactor = 3
)

// point is a value with a weight above 0.
type point struct {
	value  float64
	weight Weight
}

// outside returns a function that reports whether an amount is an outlier among prices of one currency.
func outside(prices []Comparable) func(amount int64) bool {
	if effective(prices) < minFenced {
		return func(int64) bool { return false }
	}
	points := make([]point, len(prices))
	for i, c := range prices {
		points[i] = point{logOf(c.Price.Amount), c.Weight}
	}
	center := median(points)
	for i := range points {
		points[i].value = math.Abs(points[i].value - center)
	}
	limit := max(math.Log(leastFactor), maxScore*normalScale*median(points))
	return func(amount int64) bool { return math.Abs(logOf(amount)-center) > limit }
}

// effective returns the number of prices of equal weight that say as much as these: Kish's effective sample size.
func effective(prices []Comparable) float64 {
	var sum, squares float64
	for _, c := range prices {
		w := float64(c.Weight)
		sum, squares = sum+w, squares+w*w
	}
	return sum * sum / squares
}

// logOf returns the logarithm of an amount. An amount of 0 counts as 1 minor unit.
func logOf(amount int64) float64 { return math.Log(float64(max(amount, 1))) }

// median sorts points and returns their weighted median: the first value at which the weights add up to half. If they
// add up to exactly half, it returns the mean of this value and the next.
func median(points []point) float64 {
	i, exact := quantile(points, 2)
	if exact {
		return (points[i].value + points[i+1].value) / 2
	}
	return points[i].value
}

// quartile sorts points and returns their n-th weighted quartile: the first value at which the weights add up to n
// quarters.
func quartile(points []point, n int64) float64 {
	i, _ := quantile(points, n)
	return points[i].value
}

// quantile sorts points by their values. It returns the first point at which the weights add up to n quarters, and
// whether they add up to exactly n quarters.
func quantile(points []point, n int64) (i int, exact bool) {
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.value, b.value) })
	var total, sum int64
	for _, p := range points {
		total += int64(p.weight)
	}
	for ; ; i++ {
		sum += int64(points[i].weight)
		if 4*sum >= n*total {
			return i, 4*sum == n*total
		}
	}
}

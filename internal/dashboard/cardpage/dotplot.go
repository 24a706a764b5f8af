package cardpage

import (
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/pricing"
)

// The sizes of a plot of prices, in units of its view box. Dots do not reach beyond it, because of its margin.
const (
	plotWidth, plotHeight = 320, 120
	plotMargin            = 8
)

// dotPlot shows the prices of sales as dots by their date.
type dotPlot struct {
	Width, Height int
	Dots          []dot
	Price         float64 // the height of the line of the estimated price
	First, Last   time.Time
	Low, High     money.Money // of the scale
	Outliers      int
}

// dot is a sale. Its opacity shows its weight. An outlier is a ring.
type dot struct {
	X, Y, Opacity float64
	Ring          bool
}

// leastOpacity keeps sales of little weight visible.
const leastOpacity = 0.25

// newDotPlot returns the plot of an estimate, or nil if fewer than two of its prices have a date. The scale is that of
// the prices that count; an outlier beyond it is at its edge. Prices in another currency are left out.
func newDotPlot(e pricing.Estimate) *dotPlot {
	dated := func(all []pricing.Comparable) (sold []pricing.Comparable) {
		for _, c := range all {
			if c.SoldAt != nil && c.Price.Currency == e.Price.Currency {
				sold = append(sold, c)
			}
		}
		return sold
	}
	used, outliers := dated(e.Comparables), dated(e.Excluded)
	if len(used) < 2 {
		return nil
	}
	p := &dotPlot{
		Width: plotWidth, Height: plotHeight, Low: e.Price, High: e.Price,
		First: *used[0].SoldAt, Last: *used[0].SoldAt, Outliers: len(outliers),
	}
	for _, c := range used {
		p.includePrice(c)
	}
	all := slices.Concat(used, outliers)
	for _, c := range all {
		p.includeDate(c)
	}
	days := axis{float64(p.First.Unix()), float64(p.Last.Unix()), plotMargin, plotWidth - plotMargin}
	amounts := axis{float64(p.Low.Amount), float64(p.High.Amount), plotHeight - plotMargin, plotMargin}
	for i, c := range all {
		y := amounts.at(float64(c.Price.Amount))
		p.Dots = append(p.Dots, dot{
			X: days.at(float64(c.SoldAt.Unix())), Y: min(max(y, plotMargin/2), plotHeight-plotMargin/2),
			Opacity: max(leastOpacity, float64(weightPercent(c.Weight))/100), Ring: i >= len(used),
		})
	}
	p.Price = amounts.at(float64(e.Price.Amount))
	return p
}

// includeDate widens the time of the plot for a sale.
func (p *dotPlot) includeDate(c pricing.Comparable) {
	if c.SoldAt.Before(p.First) {
		p.First = *c.SoldAt
	}
	if c.SoldAt.After(p.Last) {
		p.Last = *c.SoldAt
	}
}

// includePrice widens the scale of the plot for a sale.
func (p *dotPlot) includePrice(c pricing.Comparable) {
	if c.Price.Amount < p.Low.Amount {
		p.Low = c.Price
	}
	if c.Price.Amount > p.High.Amount {
		p.High = c.Price
	}
}

// axis maps the values from low to high to the coordinates from start to end.
type axis struct{ low, high, start, end float64 }

// at returns the coordinate of a value. That of the only value is in the middle.
func (a axis) at(value float64) float64 {
	if a.high == a.low {
		return (a.start + a.end) / 2
	}
	return a.start + (value-a.low)/(a.high-a.low)*(a.end-a.start)
}

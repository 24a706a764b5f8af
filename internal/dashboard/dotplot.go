package dashboard

import (
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
	Low, High     money.Money
}

type dot struct{ X, Y float64 }

// newDotPlot returns the plot of an estimate, or nil if fewer than two of its prices have a date.
func newDotPlot(e pricing.Estimate) *dotPlot {
	var sold []pricing.Comparable
	for _, c := range e.Comparables {
		if c.SoldAt != nil {
			sold = append(sold, c)
		}
	}
	if len(sold) < 2 {
		return nil
	}
	p := &dotPlot{
		Width: plotWidth, Height: plotHeight, First: *sold[0].SoldAt, Last: *sold[0].SoldAt,
		Low: e.Price, High: e.Price,
	}
	for _, c := range sold {
		p.include(c)
	}
	days := axis{float64(p.First.Unix()), float64(p.Last.Unix()), plotMargin, plotWidth - plotMargin}
	amounts := axis{float64(p.Low.Amount), float64(p.High.Amount), plotHeight - plotMargin, plotMargin}
	for _, c := range sold {
		p.Dots = append(p.Dots, dot{days.at(float64(c.SoldAt.Unix())), amounts.at(float64(c.Price.Amount))})
	}
	p.Price = amounts.at(float64(e.Price.Amount))
	return p
}

// include widens the ranges of the plot for a sale.
func (p *dotPlot) include(c pricing.Comparable) {
	if c.SoldAt.Before(p.First) {
		p.First = *c.SoldAt
	}
	if c.SoldAt.After(p.Last) {
		p.Last = *c.SoldAt
	}
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

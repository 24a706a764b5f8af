package cardpage

import (
	"context"
	"slices"

	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/pricing"
)

var bases = map[pricing.Basis]string{
	pricing.SoldListings: "your own sales of this card in the last year", pricing.Catalog: "prices of the catalogue",
}

var exclusions = map[pricing.Exclusion]string{
	pricing.Outlier: "too far from the other prices", pricing.OtherCurrency: "in another currency",
}

// comparable is a price of a look-up as a row of its table.
type comparable struct {
	pricing.Comparable
	Percent int    // how much it counts
	Why     string // why it does not count; "" if it does
}

// Rows returns the prices that count and then those that do not, both newest first.
func (e *estimate) Rows() []comparable {
	var rows []comparable
	for _, c := range slices.Concat(e.Comparables, e.Excluded) {
		rows = append(rows, comparable{c, weightPercent(c.Weight), exclusions[c.Excluded]})
	}
	return rows
}

// weightPercent returns a weight in percent, rounded up, because a price with a weight counts.
func weightPercent(w pricing.Weight) int { return (int(w) + 9) / 10 }

// Newest tells how old the newest price is.
func (e *estimate) Newest() string { return daysAgo(e.NewestDays) }

// Age tells how old the price is.
func (c comparable) Age() string { return daysAgo(c.AgeDays) }

// daysAgo formats an age in days: today, 1 day ago, 40 days ago.
func daysAgo(days int) string {
	switch days {
	case 0:
		return "today"
	case 1:
		return "1 day ago"
	}
	return format.Number(int64(days)) + " days ago"
}

// loadPrices looks up the price of the card if the reader wants it.
func (h *Handlers) loadPrices(ctx context.Context, p *cardPage) error {
	if !p.Priced {
		return nil
	}
	found, err := h.Pricing.Lookup(ctx, p.account.ID, pricing.Query{CardID: &p.Card.ID})
	if f, ok := fault.As(err); ok && (f.Code == fault.NoPriceFound || f.Code == fault.CardNotIdentified) {
		p.Unpriced = f.Message
		return nil
	}
	if err != nil {
		return err
	}
	p.Estimate = &estimate{Estimate: found, Basis: bases[found.Basis], Plot: newDotPlot(found)}
	p.Estimate.Amount, p.Estimate.Currency = form.Major(&found.Price, "")
	return nil
}

package dashboard

import (
	"context"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/pricing"
)

// estimate is the result of a price look-up.
type estimate struct {
	pricing.Estimate
	Amount, Currency string   // of the price, as a form takes it
	Basis            string   // where the prices are from
	Plot             *dotPlot // nil without enough dated prices
}

var bases = map[pricing.Basis]string{
	pricing.SoldListings: "your own sales of this card in the last year", pricing.Catalog: "prices of the catalogue",
}

// loadPrices looks up the price of the card if the reader wants it.
func (d *Dashboard) loadPrices(ctx context.Context, p *cardPage) error {
	if !p.Priced {
		return nil
	}
	found, err := d.Pricing.Lookup(ctx, p.account.ID, pricing.Query{CardID: &p.Card.ID})
	if f, ok := fault.As(err); ok && (f.Code == fault.NoPriceFound || f.Code == fault.CardNotIdentified) {
		p.Unpriced = f.Message
		return nil
	}
	if err != nil {
		return err
	}
	p.Estimate = &estimate{Estimate: found, Basis: bases[found.Basis], Plot: newDotPlot(found)}
	p.Estimate.Amount, p.Estimate.Currency = decimal(&found.Price, found.Price.Currency)
	return nil
}

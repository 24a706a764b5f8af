package cards

import (
	"math"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// The bounds of a PriceChange (openapi/v1.yaml, PriceChange).
const (
	MinPriceChange = -99_00   // hundredths of a percent
	MaxPriceChange = 1_000_00 // hundredths of a percent
)

// PriceChange sets asking prices to others that are changed by percent.
type PriceChange struct {
	// OfEstimate is true if the estimated prices of the cards are changed, and not their asking prices.
	OfEstimate bool `json:"of_estimate,omitempty"`
	// Hundredths of a percent: 1250 raises a price by 12.5 %, -500 lowers it by 5 %.
	Hundredths int64 `json:"hundredths"`
	// To99 rounds to the nearest price that ends in .99, in currencies with decimals. Of states its bounds.
	To99 bool `json:"to_99,omitempty"`
}

// ChangeBy returns a change by percent, whose decimals after the second are rounded. A percentage that rounds to 0
// changes no price and rounds none to .99, so that lowering prices by a little does not raise one to the next .99.
func ChangeBy(percent float64, to99 bool) PriceChange {
	hundredths := int64(math.Round(100 * percent))
	return PriceChange{Hundredths: hundredths, To99: to99 && (hundredths != 0 || percent == 0)}
}

// Check returns an invalid_request error unless the change is within its bounds.
func (p PriceChange) Check() error {
	if p.Hundredths < MinPriceChange || p.Hundredths > MaxPriceChange {
		return fault.Invalid("percent", "must be from %d to %d", MinPriceChange/100, MaxPriceChange/100)
	}
	return nil
}

// Of returns the price after the change, rounded to the minor unit, half up. With To99, it is the nearest price that
// ends in .99, unless rounding would move the price by more than half a unit or by more than the change: a lower price
// is never above the price before, and a higher price never below it.
func (p PriceChange) Of(price money.Money) money.Money {
	const whole = 100_00
	before := price.Amount
	price.Amount = (before*(whole+p.Hundredths) + whole/2) / whole
	unit := int64(1)
	for range money.Digits(price.Currency) {
		unit *= 10
	}
	if !p.To99 || unit == 1 {
		return price
	}
	below := unit / 100 // .99 is one hundredth below a whole amount
	nearest := max((price.Amount+below+unit/2)/unit, 1)*unit - below
	limit := unit / 2
	if p.Hundredths != 0 {
		limit = min(limit, distance(price.Amount, before))
	}
	if distance(nearest, price.Amount) <= limit {
		price.Amount = nearest
	}
	return price
}

// Changed returns the price after the change, or an invalid_request error if that is less than a minor unit.
func (p PriceChange) Changed(price money.Money) (money.Money, error) {
	price = p.Of(price)
	if price.Amount < 1 {
		return price, fault.New(fault.InvalidRequest,
			"The price would be less than %s. Set the price of this card yourself.",
			money.Money{Amount: 1, Currency: price.Currency})
	}
	return price, nil
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

// Apply changes the asking price of the card, or returns the error of the rule that forbids it. No price becomes 0.
// Estimate is the card's estimated price, which only a change of estimates reads.
func (p PriceChange) Apply(c *Card, estimate money.Money, now time.Time) error {
	base := c.Pricing.AskingPrice
	switch {
	case p.OfEstimate:
		base = &estimate
	case base == nil:
		return fault.New(fault.CardNotPriced, "This card has no asking price to change; set one first.")
	}
	price, err := p.Changed(*base)
	if err != nil {
		return err
	}
	return Patch{AskingPrice: Set(price)}.Apply(c, now)
}

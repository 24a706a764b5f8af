package cards

import (
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
	// To99 rounds to the nearest price that ends in .99, in currencies with decimals.
	To99 bool `json:"to_99,omitempty"`
}

// Check returns an invalid_request error unless the change is within its bounds.
func (p PriceChange) Check() error {
	if p.Hundredths < MinPriceChange || p.Hundredths > MaxPriceChange {
		return fault.Invalid("percent", "must be from %d to %d", MinPriceChange/100, MaxPriceChange/100)
	}
	return nil
}

// Of returns the price after the change, rounded to the minor unit, half up.
func (p PriceChange) Of(price money.Money) money.Money {
	const whole = 100_00
	price.Amount = (price.Amount*(whole+p.Hundredths) + whole/2) / whole
	if digits := money.Digits(price.Currency); p.To99 && digits > 0 {
		unit := int64(1)
		for range digits {
			unit *= 10
		}
		below := unit / 100 // .99 is one hundredth below a whole amount
		price.Amount = max((price.Amount+below+unit/2)/unit, 1)*unit - below
	}
	return price
}

// Apply changes the asking price of the card, or returns the error of the rule that forbids it. Estimate is the card's
// estimated price, which only a change of estimates reads.
func (p PriceChange) Apply(c *Card, estimate money.Money, now time.Time) error {
	base := c.Pricing.AskingPrice
	switch {
	case p.OfEstimate:
		base = &estimate
	case base == nil:
		return fault.New(fault.CardNotPriced, "This card has no asking price to change; set one first.")
	}
	return Patch{AskingPrice: Set(p.Of(*base))}.Apply(c, now)
}

// Package money holds amounts of money in minor units. It neither converts between currencies nor rounds: an amount
// with a fraction of a minor unit is an error.
package money

import (
	"fmt"

	"github.com/cardvault/cardvault/internal/fault"
)

// Max is the largest amount, in minor units (openapi/v1.yaml, Money).
const Max = 99_999_999_999

// Money is an amount in the minor unit of its currency: 1250 USD is 12.50 dollars.
type Money struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"` // ISO 4217, upper case
}

// Check returns an invalid_request error for field unless 0 <= Amount <= Max and Currency is Known.
func (m Money) Check(field string) error {
	if m.Amount < 0 || m.Amount > Max {
		return fault.Invalid(field+".amount", "must be between 0 and %d minor units", int64(Max))
	}
	if !Known(m.Currency) {
		return fault.Invalid(field+".currency", "must be an upper-case ISO 4217 code such as USD")
	}
	return nil
}

// String returns the amount in major units with the currency's own number of decimals, such as "12.50 USD".
func (m Money) String() string {
	digits := Digits(m.Currency)
	if digits == 0 {
		return fmt.Sprintf("%d %s", m.Amount, m.Currency)
	}
	unit := int64(1)
	for range digits {
		unit *= 10
	}
	return fmt.Sprintf("%d.%0*d %s", m.Amount/unit, digits, m.Amount%unit, m.Currency)
}

// Package money holds amounts of money in minor units. It neither converts between currencies nor rounds: an amount
// with a fraction of a minor unit is an error.
package money

import (
	"strconv"
	"strings"

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

// String returns the amount in major units with its currency, such as "12.50 USD".
func (m Money) String() string { return m.Major() + " " + m.Currency }

// Major returns the amount in major units with the currency's own number of decimals, such as "12.50" or "-0.05".
// ParseSigned is its inverse.
func (m Money) Major() string {
	sign, digits := "", strconv.FormatInt(m.Amount, 10)
	if m.Amount < 0 {
		sign, digits = "-", digits[1:]
	}
	decimals := Digits(m.Currency)
	if decimals == 0 {
		return sign + digits
	}
	digits = strings.Repeat("0", max(decimals+1-len(digits), 0)) + digits
	return sign + digits[:len(digits)-decimals] + "." + digits[len(digits)-decimals:]
}

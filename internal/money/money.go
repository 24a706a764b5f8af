// Package money holds amounts of money in minor units. It never converts between currencies and
// never rounds: fractions do not get in.
package money

import (
	"fmt"

	"golang.org/x/text/currency"

	"github.com/cardvault/cardvault/internal/fault"
)

// Max is the largest amount, in minor units (contract section 1).
const Max = 99_999_999_999

// younger are the ISO 4217 codes in circulation that x/text's table (CLDR 32, of 2017) does not know: the ouguiya and the
// bolívar of 2018 and the leone of 2022. All have two decimals.
var younger = map[string]bool{"MRU": true, "SLE": true, "VES": true}

// Money is an amount in the minor unit of its currency: 1250 USD is 12.50 dollars.
type Money struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"` // ISO 4217, upper case
}

// Check returns an invalid_request about field unless 0 <= Amount <= Max and Currency is an ISO 4217 code.
func (m Money) Check(field string) error {
	if m.Amount < 0 || m.Amount > Max {
		return fault.Invalid(field+".amount", "must be between 0 and %d minor units", int64(Max))
	}
	if _, err := currency.ParseISO(m.Currency); !younger[m.Currency] && (err != nil || len(m.Currency) != 3 || !upper(m.Currency)) {
		return fault.Invalid(field+".currency", "must be an ISO 4217 code in capitals such as USD")
	}
	return nil
}

func upper(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return true
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

// Digits returns how many decimals the currency has: 2 for USD, 0 for JPY; 2 if the code is unknown.
func Digits(code string) int {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 2
	}
	digits, _ := currency.Standard.Rounding(unit)
	return digits
}

package cardvault

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// exponents holds the number of decimals of the currencies that do not have two (ISO 4217).
var exponents = map[Currency]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0,
	"VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
	"BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
}

// twoDecimals are the other currencies of ISO 4217.
const twoDecimals = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF " +
	"CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL " +
	"HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT " +
	"MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB " +
	"SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH " +
	"USD UYU UZS VES WST XCD YER ZAR ZMW"

// maxAmount is the largest amount in minor units that the service takes.
const maxAmount = 99_999_999_999

var decimal = regexp.MustCompile(`^(-?)(\d+)(?:\.(\d+))?$`)

// Exponent returns the number of decimals of a currency, such as 2 for USD, 0 for JPY and 3 for KWD.
func (c Currency) Exponent() int {
	if exponent, ok := exponents[c]; ok {
		return exponent
	}
	return 2
}

// ParseMoney converts a decimal number such as "12.50" to an amount of a currency. The number may have fewer decimals
// than the currency, and more only if those are zero. A currency that the service does not know is an error.
func ParseMoney(number string, currency Currency) (Money, error) {
	parts := decimal.FindStringSubmatch(number)
	if parts == nil {
		return Money{}, fmt.Errorf("cardvault: %q is not a decimal number such as 12.50", number)
	}
	if err := checkCurrency(currency); err != nil {
		return Money{}, err
	}
	exponent := currency.Exponent()
	fraction := strings.TrimRight(parts[3], "0")
	if len(fraction) > exponent {
		return Money{}, fmt.Errorf("cardvault: %s has more than the %d decimals of %s", number, exponent, currency)
	}
	digits := parts[1] + parts[2] + fraction + strings.Repeat("0", exponent-len(fraction))
	amount, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || amount > maxAmount || amount < -maxAmount {
		return Money{}, fmt.Errorf("cardvault: the amount %s is too large: at most %d minor units", number, maxAmount)
	}
	return Money{Amount: amount, Currency: currency}, nil
}

// checkCurrency returns an error, with the remedy, if the service does not have the currency.
func checkCurrency(currency Currency) error {
	if _, ok := exponents[currency]; ok || slices.Contains(strings.Fields(twoDecimals), string(currency)) {
		return nil
	}
	if upper := strings.ToUpper(string(currency)); upper != string(currency) && len(upper) == 3 {
		return fmt.Errorf("cardvault: %q is not a currency code: write %s", currency, upper)
	}
	return fmt.Errorf("cardvault: %q is not a currency of ISO 4217 such as USD", currency)
}

// Decimal returns the amount as a decimal number with the decimals of the currency, such as "12.50".
func (m Money) Decimal() string { return formatDecimal(m.Amount, m.Currency.Exponent()) }

// Decimal returns the amount as a decimal number with the decimals of the currency, such as "-12.50".
func (m SignedMoney) Decimal() string { return formatDecimal(m.Amount, m.Currency.Exponent()) }

func formatDecimal(amount int64, exponent int) string {
	digits, negative := strings.CutPrefix(strconv.FormatInt(amount, 10), "-")
	digits = strings.Repeat("0", max(0, exponent+1-len(digits))) + digits
	if point := len(digits) - exponent; exponent > 0 {
		digits = digits[:point] + "." + digits[point:]
	}
	if negative {
		return "-" + digits
	}
	return digits
}

package money

import (
	"errors"
	"strconv"
	"strings"
	"unicode"

	"github.com/cardvault/cardvault/internal/blank"
)

// ErrSyntax is the error of Parse for a text that is not a decimal amount.
var ErrSyntax = errors.New("not an amount such as 12.50")

// Parse parses a decimal amount in major units, such as "12.50", "$1,234.5" or "12", into minor units of the currency.
// An amount that would need rounding, such as "1.005" in USD, is an error. Commas may only separate thousands: Decimal
// normalizes numbers with decimal commas.
func Parse(text, currencyCode string) (Money, error) {
	if strings.HasPrefix(blank.Trim(text), "-") {
		return Money{}, ErrSyntax
	}
	return ParseSigned(text, currencyCode)
}

// ParseSigned is Parse for amounts that can be negative, such as "-12.50".
func ParseSigned(text, currencyCode string) (Money, error) {
	s, negative := strings.CutPrefix(blank.Trim(text), "-")
	m, err := parse(s, currencyCode)
	if negative {
		m.Amount = -m.Amount
	}
	return m, err
}

func parse(s, currencyCode string) (Money, error) {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return strings.ContainsRune("$€£¥", r) || unicode.IsSpace(r) })
	whole, fraction, _ := strings.Cut(s, ".")
	if strings.Contains(whole, ",") && !grouped.MatchString(whole) {
		return Money{}, ErrSyntax
	}
	whole = strings.ReplaceAll(whole, ",", "")
	digits := Digits(currencyCode)
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > digits || whole == "" && fraction == "" || len(whole) > 12 {
		return Money{}, ErrSyntax
	}
	fraction += strings.Repeat("0", digits-len(fraction))
	amount, err := strconv.ParseUint(whole+fraction, 10, 63)
	if err != nil {
		return Money{}, ErrSyntax
	}
	return Money{int64(amount), currencyCode}, nil
}

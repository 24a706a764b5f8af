package inventory

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/money"
)

// signs are the currencies that a sign can stand for.
var signs = map[string][]string{
	"€": {"EUR"}, "£": {"GBP"}, "₩": {"KRW"}, "₹": {"INR"}, "₱": {"PHP"}, "₫": {"VND"}, "₪": {"ILS"},
	"¥": {"JPY", "CNY"},
	"$": {"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP"},
}

var (
	// amountShape is an amount with its sign or code before or behind it.
	amountShape = regexp.MustCompile(`^([A-Za-z]{3}|[^\s\d.,A-Za-z-])?\s*(-?[\d.,'\s]*\d[\d.,'\s]*?)\s*([A-Za-z]{3}|[^\s\d.,A-Za-z-])?$`)
	// grouped is a whole number with its thousands set apart.
	grouped = regexp.MustCompile(`^\d{1,3}([.,]\d{3})+$`)
)

// parseAmount reads an amount as people and spreadsheets write it: "12.50", "$1,234.50", "1.234,50 €".
// code is the currency that the row names, or "": then a sign or code beside the amount says it, else
// fallback. decimalComma says that the file comes from where commas are decimal points.
func parseAmount(text, code, fallback string, decimalComma bool) (money.Money, error) {
	parts := amountShape.FindStringSubmatch(text)
	if parts == nil {
		return money.Money{}, errors.New("is no amount such as 12.50")
	}
	beside := parts[1]
	if beside == "" {
		beside = parts[3]
	}
	currency, err := currencyOf(beside, code, fallback)
	if err != nil {
		return money.Money{}, err
	}
	number, err := decimal(strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "").Replace(parts[2]), decimalComma)
	if err != nil {
		return money.Money{}, err
	}
	m, err := money.Parse(number, currency)
	switch {
	case strings.HasPrefix(number, "-"):
		return m, errors.New("must not be negative")
	case err != nil && strings.Contains(number, "."):
		return m, fmt.Errorf("has more decimals than the %d of %s", money.Digits(currency), currency)
	case err != nil || m.Amount > money.Max:
		return m, errors.New("is more than any card costs")
	}
	return m, nil
}

// currencyOf decides between what stands beside an amount, what the row says and the fallback.
func currencyOf(beside, code, fallback string) (string, error) {
	meant := signs[beside]
	if len(beside) == 3 && beside[0] < utf8.RuneSelf {
		meant = []string{strings.ToUpper(beside)}
	}
	if beside != "" && meant == nil {
		return "", errors.New("is no amount such as 12.50")
	}
	if code == "" {
		code = fallback
		if len(meant) == 1 {
			code = meant[0]
		}
	}
	if !money.Known(code) {
		return "", fmt.Errorf("has the currency %q, which is no ISO 4217 code such as USD", shorten(code))
	}
	if meant != nil && !slices.Contains(meant, code) {
		return "", fmt.Errorf("says %s, but its currency would be %s: name the right one in a column currency", beside, code)
	}
	return code, nil
}

// decimal returns a number with a point before its decimals and nothing between its thousands.
func decimal(text string, decimalComma bool) (string, error) {
	point, comma := strings.LastIndex(text, "."), strings.LastIndex(text, ",")
	separator := max(point, comma) // the last one stands before the decimals
	both := point >= 0 && comma >= 0
	repeated := separator >= 0 && strings.Count(text, text[separator:separator+1]) > 1
	switch {
	case separator < 0:
		return text, nil
	case both && repeated:
		return "", errors.New("is no amount such as 1234.50")
	case both:
		whole := text[:separator]
		if !grouped.MatchString(strings.TrimPrefix(whole, "-")) {
			return "", errors.New("is no amount such as 1234.50")
		}
		return digitsOf(whole) + "." + text[separator+1:], nil
	case repeated || comma >= 0 && grouped.MatchString(strings.TrimPrefix(text, "-")):
		if !grouped.MatchString(strings.TrimPrefix(text, "-")) {
			return "", errors.New("is no amount such as 1234.50")
		}
		if !repeated && decimalComma {
			return "", errors.New("could be thousands or decimals: write it like 1234.50")
		}
		return digitsOf(text), nil
	}
	return text[:separator] + "." + text[separator+1:], nil
}

// digitsOf leaves out the separators of thousands.
func digitsOf(text string) string { return strings.NewReplacer(",", "", ".", "").Replace(text) }

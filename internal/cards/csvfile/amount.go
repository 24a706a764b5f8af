package csvfile

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/money"
)

// signs maps currency signs to the currencies that use them.
var signs = map[string][]string{
	"€": {"EUR"}, "£": {"GBP"}, "₩": {"KRW"}, "₹": {"INR"}, "₱": {"PHP"}, "₫": {"VND"}, "₪": {"ILS"},
	"¥": {"JPY", "CNY"},
	"$": {"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP"},
}

// amountShape matches an amount with a sign or code before or after it.
var amountShape = regexp.MustCompile(
	`^([A-Za-z]{3}|[^\s\d.,A-Za-z-])?\s*(-?[\d.,'\s]*\d[\d.,'\s]*?)\s*([A-Za-z]{3}|[^\s\d.,A-Za-z-])?$`)

// plainSpaces replaces the special spaces that spreadsheets use between thousands and before a sign.
var plainSpaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ")

// parseAmount parses an amount as users and spreadsheets write it: "12.50", "$1,234.50", "1.234,50 €". code is the
// currency that the row names, or "". If it is "", the sign or code next to the amount decides, or fallback if there is
// neither. decimalComma says that commas are decimal separators in the file.
func parseAmount(text, code, fallback string, decimalComma bool) (money.Money, error) {
	parts := amountShape.FindStringSubmatch(plainSpaces.Replace(text))
	if parts == nil {
		return money.Money{}, errors.New("is not an amount such as 12.50")
	}
	beside := parts[1]
	if beside == "" {
		beside = parts[3]
	}
	currency, err := currencyOf(beside, code, fallback)
	if err != nil {
		return money.Money{}, err
	}
	number, err := money.Decimal(parts[2], decimalComma)
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
		return m, errors.New("is too large")
	}
	return m, nil
}

// currencyOf determines the currency from the text next to the amount, the row's code and the fallback.
func currencyOf(beside, code, fallback string) (string, error) {
	meant := signs[beside]
	if len(beside) == 3 && beside[0] < utf8.RuneSelf {
		meant = []string{strings.ToUpper(beside)}
	}
	if beside != "" && meant == nil {
		return "", errors.New("is not an amount such as 12.50")
	}
	if code == "" {
		code = fallback
		if len(meant) == 1 {
			code = meant[0]
		}
	}
	if !money.Known(code) {
		return "", fmt.Errorf("has the currency %q, which is not an ISO 4217 code such as USD", shorten(code))
	}
	if meant != nil && !slices.Contains(meant, code) {
		return "", fmt.Errorf("contains %s, but the currency is %s: add the right currency in a column currency",
			beside, code)
	}
	return code, nil
}

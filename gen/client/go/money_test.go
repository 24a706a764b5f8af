package cardvault

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestParseMoney(t *testing.T) {
	for _, c := range []struct {
		number   string
		currency Currency
		amount   int64
		decimal  string
	}{
		{"12.50", CurrencyUSD, 1250, "12.50"},
		{"12.5", CurrencyUSD, 1250, "12.50"},
		{"12", CurrencyUSD, 1200, "12.00"},
		{"0.05", CurrencyUSD, 5, "0.05"},
		{"-0.05", CurrencyUSD, -5, "-0.05"},
		{"12.5000", CurrencyUSD, 1250, "12.50"},
		{"1250", CurrencyJPY, 1250, "1250"},
		{"1250.00", CurrencyJPY, 1250, "1250"},
		{"1.25", "KWD", 1250, "1.250"},
		{"0", "KWD", 0, "0.000"},
	} {
		t.Run(fmt.Sprint(c.number, c.currency), func(t *testing.T) {
			got, err := ParseMoney(c.number, c.currency)
			if want := (Money{Amount: c.amount, Currency: c.currency}); err != nil || got != want {
				t.Errorf("got %v, %v, want %v", got, err, want)
			}
			if got.Decimal() != c.decimal || SignedMoney(got).Decimal() != c.decimal {
				t.Errorf("Decimal() = %s, want %s", got.Decimal(), c.decimal)
			}
		})
	}
}

func TestParseMoney_Errors(t *testing.T) {
	for _, number := range []string{"", ".5", "5.", "1,250", "1e3", "$5", "12.505", "99999999999999999999"} {
		if got, err := ParseMoney(number, CurrencyUSD); err == nil {
			t.Errorf("ParseMoney(%q) = %v, want an error", number, got)
		}
	}
}

func TestParseMoney_Remedies(t *testing.T) {
	for _, c := range [][3]string{
		{"1", "usd", "write USD"}, {"1", "XXX", "ISO 4217"}, {"1", "", "ISO 4217"}, {"1000000000", "USD", "too large"},
		{strings.Repeat("9", 40), "USD", "too large"},
	} {
		if _, err := ParseMoney(c[0], Currency(c[1])); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("ParseMoney(%s, %q) = %v, want it to say %q", c[0], c[1], err, c[2])
		}
	}
}

// The exponents are those of the service.
func TestCurrency_Exponent(t *testing.T) {
	source, err := os.ReadFile("../../../internal/money/currency.go")
	if err != nil {
		t.Skip("not in the repository:", err)
	}
	count := 0
	for _, match := range regexp.MustCompile(`(?s)\t(\d): ("[^:]*),\n`).FindAllSubmatch(source, -1) {
		for _, code := range regexp.MustCompile(`[A-Z]{3}`).FindAllString(string(match[2]), -1) {
			count++
			if got := fmt.Sprint(Currency(code).Exponent()); got != string(match[1]) {
				t.Errorf("%s has the exponent %s, want %s", code, got, match[1])
			}
		}
	}
	if count < 150 || !strings.Contains(string(source), "KWD") {
		t.Errorf("found %d currencies in the service's code, want all", count)
	}
}

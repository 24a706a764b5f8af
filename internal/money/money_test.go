package money

import (
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
)

func TestMoney_Check(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		money Money
		valid bool
	}{
		"zero":                  {Money{0, "USD"}, true},
		"maximum":               {Money{Max, "JPY"}, true},
		"rare currency":         {Money{1, "VES"}, true},
		"negative":              {Money{-1, "USD"}, false},
		"above the maximum":     {Money{Max + 1, "USD"}, false},
		"lower-case currency":   {Money{1, "usd"}, false},
		"unknown currency":      {Money{1, "ZZZ"}, false},
		"no currency":           {Money{1, ""}, false},
		"currency of 2 letters": {Money{1, "US"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := test.money.Check("price")
			if (err == nil) != test.valid || err != nil && !fault.Is(err, fault.InvalidRequest) {
				t.Errorf("Check: got %v, want valid %v", err, test.valid)
			}
		})
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, currency string
		want           string // as Money.String; "" for an error
	}{
		{"12.50", "USD", "12.50 USD"},
		{"$1,234.5", "USD", "1234.50 USD"},
		{"12", "EUR", "12.00 EUR"},
		{".99", "USD", "0.99 USD"},
		{"1200", "JPY", "1200 JPY"},
		{"1.500", "USD", "1.50 USD"},
		{"1,234,567", "USD", "1234567.00 USD"},
		{"1.005", "USD", ""},
		{"12.5", "JPY", ""},
		{"-1", "USD", ""},
		{"", "USD", ""},
		{".", "USD", ""},
		{"1e3", "USD", ""},
		{"9999999999999", "USD", ""},
		{"+5", "USD", ""},
		{"12,50", "EUR", ""},
		{"0,500", "EUR", ""},
		{"1,23,456", "INR", ""},
		{"1.5,00", "USD", ""},
	} {
		t.Run(test.text+" "+test.currency, func(t *testing.T) {
			t.Parallel()
			got, err := Parse(test.text, test.currency)
			if test.want == "" {
				if err == nil {
					t.Errorf("Parse: got %v, want an error", got)
				}
				return
			}
			if err != nil || got.String() != test.want {
				t.Errorf("Parse: got %v, %v, want %s", got, err, test.want)
			}
		})
	}
}

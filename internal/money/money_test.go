package money

import (
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		m  Money
		ok bool
	}{
		{Money{0, "USD"}, true}, {Money{Max, "JPY"}, true}, {Money{1, "VES"}, true},
		{Money{-1, "USD"}, false}, {Money{Max + 1, "USD"}, false},
		{Money{1, "usd"}, false}, {Money{1, "ZZZ"}, false}, {Money{1, ""}, false}, {Money{1, "US"}, false},
	} {
		if err := tc.m.Check("price"); (err == nil) != tc.ok || err != nil && !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%v.Check() = %v, want ok %v", tc.m, err, tc.ok)
		}
	}
}

func TestParseAndString(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text, currency, want string
	}{
		{"12.50", "USD", "12.50 USD"}, {"$1,234.5", "USD", "1234.50 USD"}, {"12", "EUR", "12.00 EUR"},
		{".99", "USD", "0.99 USD"}, {"1200", "JPY", "1200 JPY"}, {"1.500", "USD", "1.50 USD"},
		{"1.005", "USD", ""}, {"12.5", "JPY", ""}, {"-1", "USD", ""}, {"", "USD", ""}, {".", "USD", ""}, {"1e3", "USD", ""},
		{"9999999999999", "USD", ""}, {"+5", "USD", ""},
		{"1,234,567", "USD", "1234567.00 USD"}, {"12,50", "EUR", ""}, {"0,500", "EUR", ""}, {"1,23,456", "INR", ""}, {"1.5,00", "USD", ""},
	} {
		got, err := Parse(tc.text, tc.currency)
		if tc.want == "" {
			if err == nil {
				t.Errorf("Parse(%q) = %v, want refusal", tc.text, got)
			}
			continue
		}
		if err != nil || got.String() != tc.want {
			t.Errorf("Parse(%q) = %v, %v, want %s", tc.text, got, err, tc.want)
		}
	}
}

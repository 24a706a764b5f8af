package money

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestMoney_String(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]Money{
		"12.50 USD":                  {1250, "USD"},
		"0.05 USD":                   {5, "USD"},
		"0.00 USD":                   {0, "USD"},
		"-1.98 USD":                  {-198, "USD"},
		"-0.05 USD":                  {-5, "USD"},
		"-1 JPY":                     {-1, "JPY"},
		"1200 JPY":                   {1200, "JPY"},
		"1.005 KWD":                  {1005, "KWD"},
		"-0.005 KWD":                 {-5, "KWD"},
		"-92233720368547758.08 USD":  {math.MinInt64, "USD"},
		"9223372036854775.807 KWD":   {math.MaxInt64, "KWD"},
		"-9223372036854775808 JPY":   {math.MinInt64, "JPY"},
		"-1240.50 unknown currency?": {-124050, "unknown currency?"},
	} {
		if got := m.String(); got != want {
			t.Errorf("%d %s: got %q, want %q", m.Amount, m.Currency, got, want)
		}
	}
}

// For any amount in any currency, parsing its decimal form returns the amount.
func TestMoney_DecimalFormIsParsed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		currency := rapid.SampledFrom([]string{"JPY", "USD", "KWD"}).Draw(t, "currency")
		m := Money{rapid.Int64Range(-Max, Max).Draw(t, "amount"), currency}
		got, err := ParseSigned(m.Major(), currency)
		if err != nil || got != m {
			t.Fatalf("ParseSigned(%q): got %v, %v, want %v", m.Major(), got, err, m)
		}
		if positive, err := Parse(m.Major(), currency); (err == nil) != (m.Amount >= 0) || err == nil && positive != m {
			t.Fatalf("Parse(%q): got %v, %v", m.Major(), positive, err)
		}
	})
}

func TestParseSigned_Refuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"--1", "-", "-.", "1-", "-1.-98", "+1", "-+1"} {
		if got, err := ParseSigned(text, "USD"); err == nil {
			t.Errorf("ParseSigned(%q): got %v, want an error", text, got)
		}
	}
}

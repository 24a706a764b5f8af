package money

import (
	"strings"
	"testing"
)

func TestDecimal(t *testing.T) {
	t.Parallel()
	// What a text is where points are decimal points, then where commas are; "" where it is refused.
	for text, want := range map[string][2]string{
		"12": {"12", "12"}, "12.50": {"12.50", "12.50"}, "12,50": {"12.50", "12.50"}, "12,5": {"12.5", "12.5"},
		".5": {".5", ".5"}, ",5": {".5", ".5"}, "-12,50": {"-12.50", "-12.50"}, "free": {"free", "free"},
		"1,234.50": {"1234.50", "1234.50"}, "1.234,50": {"1234.50", "1234.50"}, "-1,234.50": {"-1234.50", "-1234.50"},
		"1.234.567": {"1234567", "1234567"}, "1,234,567": {"1234567", "1234567"}, "1,234,567.8": {"1234567.8", "1234567.8"},
		"1,234": {"1234", ""}, "1.234": {"1.234", ""}, "-1,234": {"-1234", ""}, "1.2340": {"1.2340", "1.2340"},
		"0,500": {"0.500", "0.500"}, "0.500": {"0.500", "0.500"}, "012,500": {"012.500", "012.500"},
		"0,500,000": {}, "0,500.25": {}, "1,23.45": {}, "1.2.3": {}, "1,234.567,8": {}, "1,234.567.890": {}, "1234,567.8": {},
		"1 234,50": {"1234.50", "1234.50"}, "1'234.50": {"1234.50", "1234.50"}, "12\u202f345\u00a0678": {"12345678", "12345678"},
		"12 50": {}, "0 500": {}, "1 23": {}, "1 234.567,8": {},
	} {
		for i, decimalComma := range []bool{false, true} {
			got, err := Decimal(text, decimalComma)
			if got != want[i] || (err == nil) != (want[i] != "") {
				t.Errorf("Decimal(%q, %v) = %q, %v, want %q", text, decimalComma, got, err, want[i])
			}
		}
	}
}

func TestDecimalSaysHowToWriteIt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"1,234": "1234.00 or 1.2340", "1.500": "1500.00 or 1.5000"} {
		_, err := Decimal(text, true)
		if err == nil || !strings.HasSuffix(err.Error(), ": write "+want) {
			t.Errorf("%q: %v", text, err)
		}
		for way := range strings.SplitSeq(want, " or ") {
			if got, err := Decimal(way, true); err != nil || got != way {
				t.Errorf("%q as advised: %q, %v", way, got, err)
			}
		}
	}
}

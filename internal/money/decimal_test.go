package money

import (
	"strings"
	"testing"
)

func TestDecimal(t *testing.T) {
	t.Parallel()
	type results [2]string // with decimal points, with decimal commas; "" for an error
	same := func(result string) results { return results{result, result} }
	for text, want := range map[string]results{
		"12":     same("12"),
		"12.50":  same("12.50"),
		"12,50":  same("12.50"),
		"12,5":   same("12.5"),
		".5":     same(".5"),
		",5":     same(".5"),
		"-12,50": same("-12.50"),
		"free":   same("free"),

		"1,234.50":    same("1234.50"),
		"1.234,50":    same("1234.50"),
		"-1,234.50":   same("-1234.50"),
		"1.234.567":   same("1234567"),
		"1,234,567":   same("1234567"),
		"1,234,567.8": same("1234567.8"),

		"1,234":   {"1234", ""},
		"1.234":   {"1.234", ""},
		"-1,234":  {"-1234", ""},
		"1.2340":  same("1.2340"),
		"0,500":   same("0.500"),
		"0.500":   same("0.500"),
		"012,500": same("012.500"),

		"0,500,000": {}, "0,500.25": {}, "1,23.45": {}, "1.2.3": {},
		"1,234.567,8": {}, "1,234.567.890": {}, "1234,567.8": {},

		"1 234,50":             same("1234.50"),
		"1'234.50":             same("1234.50"),
		"12\u202f345\u00a0678": same("12345678"),

		"12 50": {}, "0 500": {}, "1 23": {}, "1 234.567,8": {},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			for i, decimalComma := range []bool{false, true} {
				got, err := Decimal(text, decimalComma)
				if got != want[i] || (err == nil) != (want[i] != "") {
					t.Errorf("Decimal(%q, %v): got %q, %v, want %q", text, decimalComma, got, err, want[i])
				}
			}
		})
	}
}

func TestDecimal_Ambiguous(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"1,234": "1234.00 or 1.2340", "1.500": "1500.00 or 1.5000"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			_, err := Decimal(text, true)
			if err == nil || !strings.HasSuffix(err.Error(), ": write "+want) {
				t.Errorf("Decimal: got the error %v, want it to suggest %s", err, want)
			}
			for suggested := range strings.SplitSeq(want, " or ") {
				if got, err := Decimal(suggested, true); err != nil || got != suggested {
					t.Errorf("Decimal(%q): got %q, %v, want it as the error suggests it", suggested, got, err)
				}
			}
		})
	}
}

package catalog

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func TestCollectorNumber(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		number string
		total  int
		want   string
	}{
		{"160", 193, "160/193"},
		{"230", 182, "230/182"}, // a secret rare
		{"SWSH179", 0, "SWSH179"},
		{"GG10", 70, "GG10/GG70"},
		{"TG12", 30, "TG12/TG30"},
		{"25a", 147, "25a/147"},
		{"A", 28, "A/28"},
		{"", 100, ""},
	} {
		t.Run(fmt.Sprintf("%s of %d", test.number, test.total), func(t *testing.T) {
			t.Parallel()
			card := Card{Number: test.number, PrintedTotal: test.total}
			if got := card.CollectorNumber(); got != test.want {
				t.Errorf("CollectorNumber: got %q, want %q", got, test.want)
			}
			if test.total == 0 || test.number == "" {
				return
			}
			if number, total := ParseNumber(test.want); number != test.number || total != test.total {
				t.Errorf("ParseNumber(%q): got %q, %d, want %q, %d",
					test.want, number, total, test.number, test.total)
			}
		})
	}
}

func TestParseNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		number string
		total  int
	}{
		" 12 / 102 ":             {"12", 102},
		"4":                      {"4", 0},
		"1/x":                    {"1", 0},
		"7/99999999999999999999": {"7", 0},
		"/":                      {"", 0},
		"1/204 EN 7":             {"1", 204},
		"1/204 · EN · 7":         {"1", 204},
		"12/P1 • EN • 1":         {"12", 1},
		"１６０／１９３":                {"160", 193},
		"LOB-EN045":              {"LOB-EN045", 0},
		"OP01-001":               {"OP01-001", 0},
		"12/10a2":                {"12", 0},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if number, total := ParseNumber(text); number != want.number || total != want.total {
				t.Errorf("ParseNumber: got %q, %d, want %q, %d", number, total, want.number, want.total)
			}
		})
	}
}

func TestNumberKey(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"008": "8", "tg01": "TG1", "SWSH001": "SWSH1", "0": "0", "000": "0", "100": "100", "1005": "1005",
		"# 25": "25", "64★": "64★", "RC-05": "RC5", "10a": "10A", "X0Y0": "X0Y0",
		"LOB-EN045": "LOBEN45", "lob–en045": "LOBEN45", "OP01-001": "OP1001", "OP01001": "OP1001", "ST01-012": "ST1012",
		"１６０": "160",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := numberKey(text); got != want {
				t.Errorf("numberKey: got %q, want %q", got, want)
			}
		})
	}
}

func TestNumberKey_IsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.StringMatching(`[A-Za-z]{0,4}[0-9]{0,5}[a-z]?`).Draw(t, "number")
		key := numberKey(number)
		if again := numberKey(key); again != key {
			t.Fatalf("numberKey(%q): got %q, whose key is %q, want the same", number, key, again)
		}
	})
}

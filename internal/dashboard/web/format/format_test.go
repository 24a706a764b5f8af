package format

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/money"
)

func TestFieldWords(t *testing.T) {
	for field, want := range map[string]string{
		"location": "location", "workflow_status": "workflow status", "pricing.asking_price": "asking price",
		"identification.title": "title", "identification.status": "identification status",
	} {
		if got := Field(field); got != want {
			t.Errorf("%s: got %q, want %q", field, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	for value, want := range map[string]string{
		"":                                   "–",
		"null":                               "–",
		`"Box_4"`:                            "Box_4",
		`"needs_review"`:                     "needs review",
		`{"amount": 1250, "currency":"USD"}`: "$12.50",
		"0.9995241470112589":                 "0.9995",
		"2025":                               "2025",
		"true":                               "true",
	} {
		if got := Value(json.RawMessage(value)); got != want {
			t.Errorf("%s: got %q, want %q", value, got, want)
		}
	}
}

func TestRecordedTime(t *testing.T) {
	at := time.Date(2026, 11, 25, 22, 42, 0, 0, time.UTC)
	if got := Recorded(json.RawMessage(`"2026-11-25T23:42:00+01:00"`)); got == nil || !got.at.Equal(at) {
		t.Errorf("got %v, want %v", got, at)
	}
	for _, value := range []string{"", "null", `"Box 4"`, "2025"} {
		if got := Recorded(json.RawMessage(value)); got != nil {
			t.Errorf("%s: got %v, want no time", value, got)
		}
	}
}
func TestBytes(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0\u00a0B", 999: "999\u00a0B", 1000: "1.0\u00a0kB", 999_949: "999.9\u00a0kB", 999_950: "1.0\u00a0MB",
		12_345_678: "12.3\u00a0MB", 5_000_000_000: "5.0\u00a0GB", 1_500_000_000_000_000: "1500.0\u00a0TB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestMoney(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]money.Money{
		"$0.00": {Currency: "USD"}, "$0.05": {Amount: 5, Currency: "USD"},
		"-$0.05":        {Amount: -5, Currency: "USD"},
		"$1,234,567.89": {Amount: 123_456_789, Currency: "USD"}, "-$999.00": {Amount: -99_900, Currency: "USD"},
		"¥1,240": {Amount: 1240, Currency: "JPY"}, "CHF\u00a012.50": {Amount: 1250, Currency: "CHF"},
		"KWD\u00a01.250": {Amount: 1250, Currency: "KWD"},
	} {
		if got := Money(m); got != want {
			t.Errorf("Money(%+v) = %q, want %q", m, got, want)
		}
	}
}

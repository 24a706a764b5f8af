package dashboard

import (
	"encoding/json"
	"testing"
	"time"
)

func TestFieldWords(t *testing.T) {
	for field, want := range map[string]string{
		"location": "location", "workflow_status": "workflow status", "pricing.asking_price": "asking price",
		"identification.title": "title", "identification.status": "identification status",
	} {
		if got := fieldWords(field); got != want {
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
		if got := shown(json.RawMessage(value)); got != want {
			t.Errorf("%s: got %q, want %q", value, got, want)
		}
	}
}

func TestRecordedTime(t *testing.T) {
	at := time.Date(2026, 11, 25, 22, 42, 0, 0, time.UTC)
	if got := recordedTime(json.RawMessage(`"2026-11-25T23:42:00+01:00"`)); got == nil || !got.at.Equal(at) {
		t.Errorf("got %v, want %v", got, at)
	}
	for _, value := range []string{"", "null", `"Box 4"`, "2025"} {
		if got := recordedTime(json.RawMessage(value)); got != nil {
			t.Errorf("%s: got %v, want no time", value, got)
		}
	}
}

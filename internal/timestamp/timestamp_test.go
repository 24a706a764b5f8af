package timestamp

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTime_JSON(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 11, 17, 32, 1, 120_000_000, time.FixedZone("CEST", 7200))
	b, err := json.Marshal(Of(at))
	if want := `"2026-05-11T15:32:01.120000Z"`; err != nil || string(b) != want {
		t.Fatalf("Marshal: got %s, %v, want %s", b, err, want)
	}
	var got Time
	if err := json.Unmarshal(b, &got); err != nil || !got.Equal(at) {
		t.Fatalf("Unmarshal: got %v, %v, want %v", got, err, at)
	}
	for _, bad := range []string{`12`, `"yesterday"`, `"2026-05-11T15:32:01"`, `""`} {
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("Unmarshal(%s): got no error", bad)
		}
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	// From the year -2000 to the year 12000.
	seconds, nanoseconds := rapid.Int64Range(-125_000_000_000, 316_000_000_000), rapid.Int64Range(0, 999_999_999)
	zone := time.FixedZone("CEST", 7200)
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(seconds.Draw(t, "seconds"), nanoseconds.Draw(t, "nanoseconds")).In(zone)
		if got, want := Format(at), at.UTC().Format(layout); got != want {
			t.Fatalf("Format(%v): got %s, want %s", at, got, want)
		}
	})
}

func TestOr_Nil(t *testing.T) {
	t.Parallel()
	if got := Or(nil); got != nil {
		t.Errorf("Or(nil): got %v, want nil", got)
	}
}

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

func TestParse(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 11, 15, 32, 1, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2026-05-11T15:32:01Z": at, "2026-05-11t15:32:01z": at,
		"2026-05-11t17:32:01.500+02:00": at.Add(500 * time.Millisecond),
		"2016-12-31T23:59:60Z":          time.Date(2017, 1, 1, 0, 0, 0, 0, time.UTC),
		"2016-12-31t23:59:60.999z":      time.Date(2017, 1, 1, 0, 0, 0, 0, time.UTC),
		"2017-01-01T01:59:60+02:00":     time.Date(2017, 1, 1, 0, 0, 0, 0, time.UTC), "2026-05-11T15:32:01-00:00": at,
	} {
		if got, err := Parse(text); err != nil || !got.Equal(want) {
			t.Errorf("Parse(%s) = %v, %v, want %v", text, got, err, want)
		}
		if got, err := time.Parse(time.RFC3339Nano, Canonical(text)); err != nil || !got.Equal(want) {
			t.Errorf("Canonical(%s) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "2026-05-11", "2026-05-11 15:32:01Z", "2026-05-11T15:32:01", "2026-05-11T15:32:01,5Z",
		"2026-05-11T24:00:00Z",
		"2026-05-11T15:32:60Z", "2016-12-31T23:58:60Z", "2016-12-31T23:59:61Z", "2017-01-01T00:59:60+02:00",
		"2026-05-11T15:32:01+24:00", "2026-02-30T00:00:00Z", "2026-05-11T5:32:01Z",
	} {
		if got, err := Parse(text); err == nil {
			t.Errorf("Parse(%s) = %v, want an error", text, got)
		}
		if got := Canonical(text); got != text {
			t.Errorf("Canonical(%s) = %s, want it unchanged", text, got)
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

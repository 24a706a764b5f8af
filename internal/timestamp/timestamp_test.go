package timestamp

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestJSONKeepsMicrosecondsInUTC(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 11, 17, 32, 1, 120_000_000, time.FixedZone("CEST", 7200))
	b, err := json.Marshal(Of(at))
	if err != nil || string(b) != `"2026-05-11T15:32:01.120000Z"` {
		t.Fatalf("got %s, %v", b, err)
	}
	var back Time
	if err := json.Unmarshal(b, &back); err != nil || !back.Equal(at) {
		t.Fatalf("back %v, %v", back, err)
	}
	for _, bad := range []string{`12`, `"yesterday"`, `"2026-05-11T15:32:01"`, `""`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func TestFormatIsTheLayout(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		// From the year -2000 to the year 12000, and in another zone.
		at := time.Unix(rapid.Int64Range(-125_000_000_000, 316_000_000_000).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds")).
			In(time.FixedZone("CEST", 7200))
		if got, want := Format(at), at.UTC().Format(layout); got != want {
			t.Fatalf("%v: got %s, want %s", at, got, want)
		}
	})
}

func TestOrKeepsAbsence(t *testing.T) {
	t.Parallel()
	if Or(nil) != nil {
		t.Fatal("a missing time must stay missing")
	}
}

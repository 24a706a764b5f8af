package id

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestNewParseTimeRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(0, 1<<48-1).Draw(t, "ms")).UTC()
		made := New(Card, at)
		got, ok := Parse(Card, strings.ToUpper(made))
		if !ok || got != made {
			t.Fatalf("Parse(%q) = %q, %v", made, got, ok)
		}
		if !Time(made).Equal(at) {
			t.Fatalf("Time(%q) = %v, want %v", made, Time(made), at)
		}
	})
}

func TestNewSortsByTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 11, 15, 32, 1, 0, time.UTC)
	seen := map[string]bool{}
	last := ""
	for i := range 1000 {
		made := New(Event, at.Add(time.Duration(i)*time.Millisecond))
		if made <= last || seen[made] {
			t.Fatalf("%q after %q", made, last)
		}
		seen[made], last = true, made
	}
}

func TestRunSortsAsDrawn(t *testing.T) {
	t.Parallel()
	at := time.Now()
	next := Run(Event, at)
	last := next()
	for range 1000 {
		made := next()
		if _, ok := Parse(Event, made); !ok || made <= last || !Time(made).Equal(at.Truncate(time.Millisecond)) {
			t.Fatalf("%q after %q", made, last)
		}
		last = made
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	good := New(Card, time.Now())
	for _, bad := range []string{
		"", "card_", "card", good[:len(good)-1], good + "0", "lst_" + good[5:], "card-" + good[5:],
		"card_8" + good[6:], good[:10] + "u" + good[11:], good[:10] + "\x00" + good[11:], " " + good,
	} {
		if got, ok := Parse(Card, bad); ok {
			t.Errorf("Parse(%q) = %q, want refusal", bad, got)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	at := time.Now()
	for b.Loop() {
		New(Card, at)
	}
}

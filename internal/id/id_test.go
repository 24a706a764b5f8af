package id

import (
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"pgregory.net/rapid"
)

func TestNew_RoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(0, 1<<48-1).Draw(t, "ms")).UTC()
		want := New(Card, at)
		got, ok := Parse(Card, strings.ToUpper(want))
		if !ok || got != want {
			t.Fatalf("Parse: got %q, %v, want %q", got, ok, want)
		}
		if !Time(want).Equal(at) {
			t.Fatalf("Time(%q): got %v, want %v", want, Time(want), at)
		}
	})
}

// Identifiers are stored, so their form never changes.
func TestFormat_Example(t *testing.T) {
	t.Parallel()
	raw := ulid.ULID{0x01, 0x56, 0x3e, 0x3a, 0xb5, 0xd3, 0xd6, 0x76, 0x4c, 0x61, 0xef, 0xb9, 0x93, 0x02, 0xbd, 0x5b}
	const want = "card_01arz3ndektsv4rrffq69g5fav" // the example of the ULID specification
	if got := format(Card, raw); got != want {
		t.Errorf("format: %q, want %q", got, want)
	}
	if got := Time(want).UnixMilli(); got != 1469922850259 {
		t.Errorf("Time: %d ms, want 1469922850259 ms", got)
	}
}

func TestNew_SortsByTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 11, 15, 32, 1, 0, time.UTC)
	seen := map[string]bool{}
	last := ""
	for i := range 1000 {
		next := New(Event, at.Add(time.Duration(i)*time.Millisecond))
		if next <= last || seen[next] {
			t.Fatalf("got %q after %q, want a greater and unique one", next, last)
		}
		seen[next], last = true, next
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	at := time.Now()
	next := Run(Event, at)
	last := next()
	for range 1000 {
		got := next()
		if _, ok := Parse(Event, got); !ok || got <= last || !Time(got).Equal(at.Truncate(time.Millisecond)) {
			t.Fatalf("got %q after %q, want a greater one of the same time", got, last)
		}
		last = got
	}
}

func TestParse_Malformed(t *testing.T) {
	t.Parallel()
	good := New(Card, time.Now())
	for _, bad := range []string{
		"", "card_", "card", good[:len(good)-1], good + "0", "lst_" + good[5:], "card-" + good[5:],
		"card_8" + good[6:], good[:10] + "u" + good[11:], good[:10] + "\x00" + good[11:], " " + good,
	} {
		if got, ok := Parse(Card, bad); ok {
			t.Errorf("Parse(%q): got %q, true, want false", bad, got)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	at := time.Now()
	for b.Loop() {
		New(Card, at)
	}
}

func BenchmarkRun(b *testing.B) {
	at := time.Now()
	for b.Loop() {
		next := Run(Event, at)
		for range 100 {
			next()
		}
	}
}

func BenchmarkParse(b *testing.B) {
	s := New(Card, time.Now())
	for b.Loop() {
		Parse(Card, s)
	}
}

func BenchmarkTime(b *testing.B) {
	s := New(Card, time.Now())
	for b.Loop() {
		Time(s)
	}
}

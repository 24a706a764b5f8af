package main

import (
	"slices"
	"strings"
	"testing"
)

// TestReadRound reads what a build writes, in the words that readRound depends on.
func TestReadRound(t *testing.T) {
	t.Parallel()
	c := costs{publisher: 61_000, engine: 116_000, database: 196_000, sink: 50_000}
	text := "bench: building\n" +
		roundText(1, "32 publishers, an account each", burst{rate: 4067.4, costs: c}) + "\n" +
		roundText(1, lastKind, burst{rate: 20553, costs: costs{sink: 36_000}}) + "\nbench: something else\n"
	got, err := readRound(strings.NewReader(text))
	want := []figure{{"32 publishers, an account each", 4067, c}, {lastKind, 20553, costs{sink: 36_000}}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if _, err := readRound(strings.NewReader(strings.SplitAfterN(text, "each", 2)[0])); err == nil {
		t.Error("a round that was not finished was read")
	}
}

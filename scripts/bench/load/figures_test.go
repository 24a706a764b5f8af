package main

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 2, 9}, 3}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

// The two programs may write times and addresses in their own ways, and nothing else.
func TestDifference(t *testing.T) {
	t.Parallel()
	const card = `{"id":"card_1","priced_at":null,"photos":[{"url":"a"}],"created_at":"2026-01-01T00:00:00.5Z"}`
	for other, same := range map[string]bool{
		card: true,
		`{"id":"card_1","priced_at":null,"photos":[{"url":"b"}],"created_at":"2026-01-01T00:00:00.500000Z"}`: true,
		`{"id":"card_2","priced_at":null,"photos":[{"url":"a"}],"created_at":"2026-01-01T00:00:00.5Z"}`:      false,
		`{"id":"card_1","priced_at":"now","photos":[{"url":"a"}],"created_at":"2026-01-01T00:00:00.5Z"}`:     false,
		`{"id":"card_1","priced_at":null,"photos":[],"created_at":"2026-01-01T00:00:00.5Z"}`:                 false,
		`{"id":"card_1","photos":[{"url":"a"}],"created_at":"2026-01-01T00:00:00.5Z"}`:                       false,
	} {
		var a, b any
		if err := json.Unmarshal([]byte(card), &a); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(other), &b); err != nil {
			t.Fatal(err)
		}
		if where := difference(a, b); (where == "") != same {
			t.Errorf("%s: difference %q, want same: %v", other, where, same)
		}
	}
}

// Every PATCH must change its card: set where there is no price, clear where there is one.
func TestTogglesAlternate(t *testing.T) {
	t.Parallel()
	s := &stock{cards: []string{"a"}, statuses: []string{"identified"}, unpriced: []string{"a", "b"}, priced: []string{"c", "d"}}
	patch := operations(s, settings{connections: 2, token: "t"})[2]
	seen := map[string][]bool{} // by the card's address: whether a price was set
	for _, next := range patch.next {
		for range 3 * 2 {
			r := string(next())
			path := r[:len("PATCH /api/cards/x")]
			seen[path] = append(seen[path], r[len(r)-5:] != "ull}}")
		}
	}
	for path, want := range map[string][]bool{
		"PATCH /api/cards/a": {true, false, true}, "PATCH /api/cards/b": {true, false, true},
		"PATCH /api/cards/c": {false, true, false}, "PATCH /api/cards/d": {false, true, false},
	} {
		if !slices.Equal(seen[path], want) {
			t.Errorf("%s: %v, want %v", path, seen[path], want)
		}
	}
}

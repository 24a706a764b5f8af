package main

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

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
func TestToggles_Alternate(t *testing.T) {
	t.Parallel()
	s := &stock{cards: []string{"a"}, statuses: []string{"identified"}, unpriced: []string{"a", "b"},
		priced: []string{"c", "d"}}
	patch := operations(s, settings{connections: 2}, "t")[2]
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

// Every PATCH gives a card that the connection has for itself a price that it did not have.
func TestReprices(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, next := range reprices(&stock{priced: []string{"a", "b", "c", "d"}}, 2, "t") {
		for range 6 {
			r := string(next())
			if seen[r] || !strings.HasPrefix(r, "PATCH /api/cards/") {
				t.Errorf("again, or no PATCH: %s", r)
			}
			seen[r] = true
		}
	}
}

func TestSpread(t *testing.T) {
	t.Parallel()
	var s sample
	for i := range 10_000 {
		s.took = append(s.took, time.Duration(i+1)*time.Microsecond)
	}
	s.took[0] = time.Second
	if got, want := s.spread(), "5.0 ms, 9.9 ms, 10.0 ms, 1000.0 ms"; got != want {
		t.Errorf("spread = %s, want %s", got, want)
	}
}

// A machine that slows down in one round slows both programs: the ratio stays.
func TestRatio(t *testing.T) {
	t.Parallel()
	a, b := sample{rates: []float64{200, 20, 210}}, sample{rates: []float64{100, 10, 100}}
	if got := a.ratio(b); got != 2 {
		t.Errorf("ratio = %v, want 2", got)
	}
}

func TestCombinations(t *testing.T) {
	t.Parallel()
	all := combinations()
	distinct := map[string]bool{}
	for _, target := range all {
		query, err := url.ParseQuery(target[len("/cards?"):])
		if err != nil || len(query) < 1 || len(query) > len(filters) {
			t.Errorf("%s: %v", target, err)
		}
		distinct[target] = true
	}
	if !distinct["/cards?q=ar"] || !distinct["/cards?game=other&q=ar&status=sold"] || len(distinct) != len(all) {
		t.Errorf("%d combinations, %d distinct", len(all), len(distinct))
	}
}

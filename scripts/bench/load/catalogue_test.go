package main

import (
	"slices"
	"strings"
	"testing"
)

func TestMisspell(t *testing.T) {
	t.Parallel()
	names := slices.Repeat([]string{"Ember Fox", "Flabébé", "Mr. Mime 2"}, 100)
	all := misspell(names)
	for i, one := range all {
		edits, most := distance(one.name, one.misspelled), 1
		if i >= len(all)/2 {
			most = 2
		}
		if one.name != names[i] || edits < 1 || edits > most {
			t.Errorf("%q for %q, search %d: %d edits, want 1 to %d", one.misspelled, one.name, i, edits, most)
		}
	}
	if again := misspell(names); !slices.Equal(all, again) {
		t.Error("a second run has other searches")
	}
}

// distance returns the number of letters to add, remove or replace between two texts.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1) // of the letters of a so far, to each beginning of b
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, q := range y {
			replaced := diagonal
			if r != q {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(y)]
}

func TestSearchRequests(t *testing.T) {
	t.Parallel()
	all := misspell([]string{"Ember Fox", "Frost Fox", "Dusk Heron", "Jade Otter"})
	first := map[string]bool{}
	for _, next := range searchRequests(all, 2, "t") {
		first[string(next())] = true
		for range len(all) - 1 {
			if r := string(next()); !strings.HasPrefix(r, "GET /api/catalog/cards?q=") {
				t.Errorf("request %s", r)
			}
		}
	}
	if len(first) != 2 {
		t.Errorf("two connections begin with %d different searches, want 2", len(first))
	}
}

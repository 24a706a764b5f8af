package clock

import (
	"slices"
	"strings"
	"testing"
)

// TestPick names each writer by its account and its row.
func TestPick(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ waiting, underWay, want string }{
		"nobody":                              {"", "", ""},
		"in the order they came":              {"a1 b1 c1", "", "a1 b1 c1"},
		"the first of each before the second": {"a1 a2 a3 a4 a5 b1 c1", "", "a1 b1 c1 a2"},
		"one row once":                        {"a1 a1 a1 b1", "", "a1 b1"},
		"not beside its own account":          {"a1 b1 a2", "a", "b1"},
	} {
		var writers []*part[string]
		together := &Together[string]{kind: Kind[string]{Most: 4, Row: func(row string) string { return row }}, underWay: map[string]bool{}}
		for _, w := range strings.Fields(tc.waiting) {
			writers = append(writers, &part[string]{account: w[:1], write: w[1:]})
		}
		together.waiting = slices.Clone(writers)
		together.underWay[tc.underWay] = true
		var got []string
		for _, p := range together.pick() {
			got = append(got, p.account+p.write)
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

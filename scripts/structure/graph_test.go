package main

import "testing"

func TestGraph_Back(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		references graph
		want       int
	}{
		"a chain":                  {graph{{"a", "b"}: 3, {"b", "c"}: 2}, 0},
		"the weaker way back":      {graph{{"a", "b"}: 3, {"b", "a"}: 1}, 1},
		"a ring of three":          {graph{{"a", "b"}: 2, {"b", "c"}: 2, {"c", "a"}: 1}, 1},
		"two rings":                {graph{{"a", "b"}: 5, {"b", "a"}: 2, {"c", "d"}: 1, {"d", "c"}: 4}, 3},
		"a file that all need":     {graph{{"a", "z"}: 9, {"b", "z"}: 9, {"z", "a"}: 2, {"a", "b"}: 1}, 2},
		"files without each other": {graph{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.references.back(); got != c.want {
				t.Errorf("%d references to cut, want %d", got, c.want)
			}
		})
	}
}

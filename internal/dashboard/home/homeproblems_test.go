package home

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShorten(t *testing.T) {
	t.Parallel()
	three := []homeProblem{{Name: "1"}, {Name: "2"}, {Name: "3"}}
	want := []homeProblem{{Name: "1"}, {Name: "2"}, {Name: "3"}}
	if diff := cmp.Diff(want, shorten(three, "/all", "All")); diff != "" {
		t.Errorf("three problems (-want +got):\n%s", diff)
	}
	want[2] = homeProblem{Name: "3", More: "/all", MoreText: "All"}
	if diff := cmp.Diff(want, shorten(append(three, homeProblem{Name: "4"}), "/all", "All")); diff != "" {
		t.Errorf("four problems (-want +got):\n%s", diff)
	}
}

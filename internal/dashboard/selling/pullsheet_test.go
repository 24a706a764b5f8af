package selling

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShelves(t *testing.T) {
	t.Parallel()
	var list []Pulled
	for _, location := range []string{
		"", "Box 10/Row 1", "Box 2 b/1", "Box 2/Row 10", "", "Box 2/Row 1", "Box 2/Row 3", "Böx 2/1", "Box 2",
	} {
		list = append(list, Pulled{Location: location})
	}
	got := [][]string{}
	for _, s := range Shelves(list) {
		names := []string{s.Name}
		for _, card := range s.Cards {
			names = append(names, card.Location)
		}
		got = append(got, names)
	}
	want := [][]string{
		{"Box 2", "Box 2", "Box 2/Row 1", "Box 2/Row 3", "Box 2/Row 10"}, {"Böx 2", "Böx 2/1"},
		{"Box 2 b", "Box 2 b/1"}, {"Box 10", "Box 10/Row 1"}, {"", "", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("shelves (-want +got):\n%s", diff)
	}
}

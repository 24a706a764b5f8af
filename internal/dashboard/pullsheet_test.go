package dashboard

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompareLocations(t *testing.T) {
	t.Parallel()
	want := []string{
		"2", "10", "Box 2", "Box 2/Row 1", "Box 2/Row 1/9", "Box 2/Row 1/10", "box 02/Row 2", "Box 10/Row 1", "Case A",
		"case b", "Größe/1",
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compareLocations)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("locations (-want +got):\n%s", diff)
	}
	if compareLocations("", "") != 0 || compareLocations("", "A") >= 0 || compareLocations("A//1", "A/1") >= 0 {
		t.Error("empty parts are not before others")
	}
}

func TestShelves(t *testing.T) {
	t.Parallel()
	var list []pulled
	for _, location := range []string{"", "Box 10/Row 1", "Box 2/Row 3", "", "Box 2/Row 1", "Box 2"} {
		list = append(list, pulled{Location: location})
	}
	got := [][]string{}
	for _, s := range shelves(list) {
		names := []string{s.Name}
		for _, card := range s.Cards {
			names = append(names, card.Location)
		}
		got = append(got, names)
	}
	want := [][]string{
		{"Box 2", "Box 2", "Box 2/Row 1", "Box 2/Row 3"}, {"Box 10", "Box 10/Row 1"}, {"", "", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("shelves (-want +got):\n%s", diff)
	}
}

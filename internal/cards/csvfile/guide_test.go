package csvfile

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/openapi"
)

// tableRow matches a row of the guide's table: | `column` | alias, alias | value |
var tableRow = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([^|]*) \\|")

func TestGuide_ListsColumnsAndAliases(t *testing.T) {
	t.Parallel()
	guide, err := openapi.Guides.ReadFile("guides/cards-and-csv.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[column][]string{}
	for _, match := range tableRow.FindAllStringSubmatch(strings.ReplaceAll(string(guide), "| |", "|  |"), -1) {
		names := []string{}
		for name := range strings.SplitSeq(match[2], ", ") {
			if key := headerKey(name); key != "" {
				names = append(names, key)
			}
		}
		listed[column(match[1])] = names
	}
	known := map[column][]string{}
	for c, names := range aliases { // headerKey removes what distinguishes a column from such an alias
		own := func(name string) bool { return name == headerKey(string(c)) }
		known[c] = append([]string{}, slices.DeleteFunc(slices.Clone(names), own)...)
	}
	if diff := cmp.Diff(known, listed); diff != "" {
		t.Errorf("columns (-program +guide):\n%s", diff)
	}
}

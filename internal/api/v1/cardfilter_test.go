package v1

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/openapi"
)

// Every list of cards, the summary and the filter of a job have the conditions of cards.FilterFields.
func TestFilters_AreTheContracts(t *testing.T) {
	t.Parallel()
	document, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	parameters := func(path string) (names []string) {
		for _, p := range document.Paths.Find(path).Get.Parameters {
			if p.Value.In == "query" {
				names = append(names, p.Value.Name)
			}
		}
		return names
	}
	var job []string
	for name := range document.Components.Schemas["JobFilter"].Value.Properties {
		job = append(job, name)
	}
	page := []string{"limit", "cursor", "sort"}
	for name, tc := range map[string]struct {
		listed         []string
		others, absent []string
	}{
		"GET /cards":              {parameters("/cards"), page, nil},
		"GET /batches/{id}/cards": {parameters("/batches/{id}/cards"), page, []string{"batch"}},
		"GET /cards/summary":      {parameters("/cards/summary"), []string{"group_by"}, []string{"updated_since"}},
		"JobFilter":               {job, nil, []string{"updated_since"}},
	} {
		var want []string
		for _, f := range cards.FilterFields {
			if !slices.Contains(tc.absent, f.Name) {
				want = append(want, f.Name)
			}
		}
		got := slices.DeleteFunc(tc.listed, func(name string) bool { return slices.Contains(tc.others, name) })
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-program +contract):\n%s", name, diff)
		}
	}
}

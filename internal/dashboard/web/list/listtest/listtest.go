// Package listtest tells the tests of lists which filters the API has.
package listtest

import (
	"slices"
	"testing"

	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/openapi"
)

// Filters returns the names of the query parameters that the contract has for a list, without its order, its pages and
// the parameters that a page does not offer.
func Filters(t testing.TB, path string, without ...string) []string {
	t.Helper()
	contract, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	without = append(without, "limit", "cursor", "sort")
	var names []string
	for _, parameter := range contract.Paths.Value(path).Get.Parameters {
		if p := parameter.Value; p.In == "query" && !slices.Contains(without, p.Name) {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Names returns the names of fields in alphabetical order.
func Names(fields []form.Field) []string {
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	slices.Sort(names)
	return names
}

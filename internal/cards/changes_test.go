package cards

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/openapi"
)

// The fields of the contract's Card that a history does not show by their own path, and why.
var notChanges = map[string]string{
	"id":         "never changes",
	"version":    "counts the changes",
	"created_at": "never changes",
	"updated_at": "is the time of the change",
	"title":      "is identification.title",
	"set":        "is identification.set",
	"number":     "is identification.number",
	"photos":     "has a path for each role",
	"metadata":   "has a path for each key",
}

// Each field of a card that clients see is one that a history shows, so that the version of a card rises if and only if
// a client sees a difference.
func TestFields_AreContractsCard(t *testing.T) {
	t.Parallel()
	document, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"photos.front", "photos.back", "photos.listing"}
	for name, schema := range document.Components.Schemas["Card"].Value.Properties {
		switch {
		case notChanges[name] != "":
		case name == "identification" || name == "pricing":
			for field := range schema.Value.Properties {
				want = append(want, name+"."+field)
			}
		default:
			want = append(want, name)
		}
	}
	var got []string
	for _, field := range fields {
		got = append(got, field.name())
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields of the contract's Card (-) and of the history (+):\n%s", diff)
	}
}

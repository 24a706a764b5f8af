package cardquery

import (
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/dashboard/web/list/listtest"
	"github.com/cardvault/cardvault/internal/fault"
)

// Addresses have each filter of the API, except the identifiers of cards, which are a selection, and the time of the
// last change, by which programs follow a list.
func TestAddressFields_AreThoseOfTheAPI(t *testing.T) {
	t.Parallel()
	var got []string
	for _, field := range AddressFields {
		if field.API == nil {
			got = append(got, field.Name)
		}
	}
	slices.Sort(got)
	want := listtest.Filters(t, "/cards", "ids", "updated_since")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("filters (-want +got):\n%s", diff)
	}
}

func TestParse_RefusesBlanks(t *testing.T) {
	t.Parallel()
	for name, text := range blanks {
		for _, field := range AddressFields {
			query := url.Values{field.Name: {text}}
			if _, _, err := Parse(query, "USD"); !fault.Is(err, fault.InvalidRequest) {
				t.Errorf("cards by %s, %s: got %v, want it refused", field.Name, name, err)
			}
			query.Set("all", "true")
			if _, err := ParseSelection(query, "USD"); !fault.Is(err, fault.InvalidRequest) {
				t.Errorf("selection by %s, %s: got %v, want it refused", field.Name, name, err)
			}
		}
	}
}

// blanks are texts that show nothing.
var blanks = map[string]string{
	"spaces": "  ", "tab": "\t", "no-break": "\u00a0", "ideographic": "\u3000", "zero width": "\u200b",
	"selector": "\U000e0100",
}

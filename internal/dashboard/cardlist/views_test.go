package cardlist

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/views"
)

func TestSavedViews(t *testing.T) {
	t.Parallel()
	own := []views.View{
		{Name: "Dear foxes", Query: "q=fox&sort=-price"}, {Name: "Codes", Query: "columns=sku&status=photographed"},
	}
	for query, want := range map[string]string{
		"": "All", "status=needs_review": "Needs review", "status=priced%2Cphotographed": "Priced, not listed",
		"status=photographed": "Ready to list", "status=photographed&q=fox": "", "status=sold": "",
		"status=photographed&sort=price": "Ready to list", "q=fox&sort=-price": "Dear foxes",
		"sort=-price&q=+fox+&cursor=x&set=": "Dear foxes", "q=fox": "",
		"columns=sku&status=photographed": "Codes", "columns=set&status=photographed": "Ready to list",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		current := ""
		for _, view := range savedViews(values, own) {
			if view.Current {
				current += view.Label
			}
		}
		if current != want {
			t.Errorf("%q: current view %q, want %q", query, current, want)
		}
	}
}

// The views that every account has keep the chosen columns. Those of the account have their own.
func TestSavedViews_Columns(t *testing.T) {
	t.Parallel()
	own := []views.View{{Name: "Foxes", Query: "q=fox"}}
	var got []string
	for _, view := range savedViews(url.Values{"columns": {"sku"}, "q": {"owl"}}, own) {
		got = append(got, view.Address)
	}
	want := []string{
		"/cards?columns=sku", "/cards?columns=sku&status=needs_review",
		"/cards?columns=sku&status=priced%2Cphotographed", "/cards?columns=sku&status=photographed", "/cards?q=fox",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
}

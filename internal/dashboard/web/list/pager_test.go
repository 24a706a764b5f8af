package list

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPages(t *testing.T) {
	t.Parallel()
	query := url.Values{"state": {"dropped"}, "event": {""}, "other": {"x"}, "cursor": {"old"}}
	for name, tc := range map[string]struct {
		query url.Values
		next  *string
		want  Pager
	}{
		"middle":          {query, new("a b"), Pager{"/d?cursor=a+b&state=dropped", "/d?state=dropped"}},
		"last":            {query, nil, Pager{First: "/d?state=dropped"}},
		"first":           {url.Values{"event": {"x"}}, new("y"), Pager{Next: "/d?cursor=y&event=x"}},
		"without filters": {url.Values{"other": {"x"}}, new("y"), Pager{Next: "/d?cursor=y"}},
		"only page":       {nil, nil, Pager{}},
	} {
		if diff := cmp.Diff(tc.want, Pages("/d", tc.query, tc.next, "state", "event")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	query := url.Values{"q": {"fox"}, "set": {""}, "cursor": {"x"}, "sort": {"price"}}
	for want, change := range map[string][2]string{
		"/cards?q=fox&sort=price":          {"set", ""},
		"/cards?sort=price":                {"q", ""},
		"/cards?q=fox&sort=title":          {"sort", "title"},
		"/cards?cursor=y&q=fox&sort=price": {"cursor", "y"},
	} {
		if got := Address("/cards", query, change[0], change[1]); got != want {
			t.Errorf("Address(%q) = %q, want %q", change, got, want)
		}
	}
	if got := Address("/cards", nil, "q", ""); got != "/cards" {
		t.Errorf("Address without a query = %q, want /cards", got)
	}
}

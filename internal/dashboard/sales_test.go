package dashboard

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/dashboard/selling"
	"github.com/cardvault/cardvault/internal/sales"
)

// soldTitles returns the titles of the rows of a page of sales.
func soldTitles(a answer) []string {
	var found []string
	link := regexp.MustCompile(`<a href="/sales/sale_\w+">([^<]*)</a>`)
	for _, match := range link.FindAllStringSubmatch(a.body, -1) {
		found = append(found, match[1])
	}
	return found
}

// Each page leads to the next one with the same filters, and the last one to the first.
func TestSales_Pages(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var want []string
	for i := range selling.SalesPerPage + 1 {
		title := "Fox " + strings.Repeat("I", i+1)
		want = append(want, title)
		in := sales.SellInput{Channel: "other", Price: usd(100)}
		if _, err := s.config.Sales.Sell(t.Context(), s.account.ID, s.add(title)[0].ID, in, nil); err != nil {
			t.Fatal(err)
		}
	}
	slices.Reverse(want) // the newest sale comes first
	b := s.logIn(ada)
	first := b.get("/sales?channel=other&currency=USD")
	next := regexp.MustCompile(`<a href="([^"]*)" rel="next">`).FindStringSubmatch(first.body)
	if next == nil {
		t.Fatalf("the first page has no link to the next one:\n%s", first.body)
	}
	second := b.get(strings.ReplaceAll(next[1], "&amp;", "&"))
	b.want(second, http.StatusOK, `<a href="/sales?channel=other&amp;currency=USD">First page</a>`)
	if diff := cmp.Diff(want, append(soldTitles(first), soldTitles(second)...)); diff != "" {
		t.Errorf("titles of all pages (-want +got):\n%s", diff)
	}
	b.want(b.get("/sales?channel=ebay&cursor=x"), http.StatusBadRequest, "cursor")
}

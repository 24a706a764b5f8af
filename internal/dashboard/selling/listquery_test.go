package selling

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/dashboard/web/list/listtest"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/sales"
)

// queryOf returns the filters of an address, whose dates are in Berlin.
func queryOf(address string, fields []form.Field) *list.Query {
	return list.NewQuery(httptest.NewRequest(http.MethodGet, address, nil), "Europe/Berlin", fields)
}

// allMarkets are the marketplaces, and allChannels the channels of sales.
var allMarkets = []string{"ebay", "sandbox"}

var allChannels = []string{"ebay", "sandbox", "own_store", "in_person", "other"}

func init() {
	format.NameMarkets(registry.Markets{{Kind: registry.Kind{Name: "ebay", Label: "eBay"}}})
}

func TestParseSaleFilter(t *testing.T) {
	t.Parallel()
	at := func(text string) *time.Time {
		parsed, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return &parsed
	}
	for query, want := range map[string]sales.Filter{
		"":                       {},
		"channel=&card=":         {},
		"sold_since=2026-05-01":  {SoldSince: at("2026-05-01T00:00:00+02:00")},
		"sold_before=2026-11-01": {SoldBefore: at("2026-11-01T00:00:00+01:00")},
		"sold_since=2026-05-01T09:00:00Z&channel=ebay&status=refunded&currency=USD&card=x": {
			SoldSince: at("2026-05-01T09:00:00Z"), Channel: new("ebay"), Status: new("refunded"), Currency: new("USD"),
			Card: new("x"),
		},
		"updated_since=2026-05-01T09:00:00%2B02:00": {UpdatedSince: at("2026-05-01T07:00:00Z")},
	} {
		q := queryOf("/sales?"+query, saleFields(allChannels))
		got, err := saleFilter(q), q.Err()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", query, err, diff)
		}
	}
}

func TestParseFilters_Blank(t *testing.T) {
	t.Parallel()
	for name, text := range blanks {
		query := url.Values{"card": {text}}
		q := queryOf("/sales?"+query.Encode(), saleFields(allChannels))
		if saleFilter(q); !fault.Is(q.Err(), fault.InvalidRequest) {
			t.Errorf("sales, %s: got %v, want it refused", name, q.Err())
		}
		q = queryOf("/listings?"+query.Encode(), listingFields(allMarkets))
		if listingFilter(q); !fault.Is(q.Err(), fault.InvalidRequest) {
			t.Errorf("listings, %s: got %v, want it refused", name, q.Err())
		}
	}
}

// blanks are texts that show nothing.
var blanks = map[string]string{
	"spaces": "  ", "tab": "\t", "no-break": "\u00a0", "ideographic": "\u3000", "zero width": "\u200b",
	"selector": "\U000e0100",
}

// A date stands for the first moment of the day, where midnight is skipped too.
func TestListQuery_DateBegins(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ zone, date, want string }{
		{"America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"},
		{"Asia/Beirut", "2024-03-31", "2024-03-30T22:00:00Z"},
		{"Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/sales?sold_since="+tc.date, nil)
		q := list.NewQuery(r, tc.zone, saleFields(allChannels))
		if at := q.Time("sold_since"); q.Err() != nil || at == nil || at.UTC().Format(time.RFC3339) != tc.want {
			t.Errorf("%s in %s: %v, %v, want %s", tc.date, tc.zone, at, q.Err(), tc.want)
		}
	}
}

func TestParseListingFilter(t *testing.T) {
	t.Parallel()
	q := queryOf("/listings?status=live,sold&marketplace=sandbox&card=x", listingFields(allMarkets))
	got, err := listingFilter(q), q.Err()
	want := listings.Filter{
		Statuses: []listings.Status{listings.Live, listings.Sold}, Marketplace: new("sandbox"), Card: new("x"),
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestListQuery_Refuses(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"channel=fair":                      "channel: must be one of ebay, sandbox",
		"status=sold":                       "status: must be one of completed, refunded",
		"sold_since=yesterday":              "sold_since: must be a date such as",
		"sold_since=2026-02-30":             "sold_since: must be a date such as",
		"card=" + strings.Repeat("x", 201):  "card: must be at most 200 characters",
		"card=" + url.QueryEscape("a\x00b"): "card: must be at most 200 characters",
		"card=" + url.QueryEscape("a\xff"):  "card: must be at most 200 characters",
	} {
		q := queryOf("/sales?"+query, saleFields(allChannels))
		filter := saleFilter(q)
		if q.Err() == nil || !strings.Contains(q.Err().Error(), want) {
			t.Errorf("%q: %+v, %v, want %q", query, filter, q.Err(), want)
			continue
		}
		_, shown, status, err := list.Load(q, 1, func(paging.Request) (paging.Page[sales.Sale], error) {
			return paging.Page[sales.Sale]{}, errors.New("a list with a refused filter is read")
		})
		if err != nil || status != http.StatusBadRequest {
			t.Fatalf("%q: status %d, %v", query, status, err)
		}
		for _, field := range shown.Fields {
			name, reason, _ := strings.Cut(want, ": ")
			if (field.Name == name) != strings.HasPrefix(field.Error, reason) || shown.Failed != list.Marked {
				t.Errorf("%q: %q beside %s, %q above the list", query, field.Error, field.Name, shown.Failed)
			}
		}
	}
	q := queryOf("/listings?status=live,gone", listingFields(allMarkets))
	if listingFilter(q); q.Err() == nil {
		t.Error("an unknown status among others is accepted")
	}
}

func TestListQuery_Shown(t *testing.T) {
	t.Parallel()
	q := queryOf("/sales?channel=ebay&card=&sold_since=2026-05-01T09:00:00Z&cursor=x", saleFields(allChannels))
	next := "y"
	shown := q.Shown(&next)
	const kept = "channel=ebay&sold_since=2026-05-01T09%3A00%3A00Z"
	want := []list.Active{
		{Label: "Sold since", Value: "2026-05-01T09:00:00Z", Without: "/sales?channel=ebay"},
		{Label: "Channel", Value: "eBay", Without: "/sales?sold_since=2026-05-01T09%3A00%3A00Z"},
	}
	if diff := cmp.Diff(want, shown.Active); diff != "" {
		t.Errorf("active filters (-want +got):\n%s", diff)
	}
	addresses := []string{shown.Path, shown.Here, shown.Next, shown.First}
	wanted := []string{"/sales", "/sales?channel=ebay&cursor=x&" + kept[len("channel=ebay&"):],
		"/sales?channel=ebay&cursor=y&" + kept[len("channel=ebay&"):], "/sales?" + kept}
	if diff := cmp.Diff(wanted, addresses); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
	for _, field := range shown.Fields {
		calendar := field.Type() == "date"
		if want := field.Name == "sold_before" || field.Name == "updated_since"; calendar != want {
			t.Errorf("%s with %q: calendar %t, want %t", field.Name, field.Value, calendar, want)
		}
	}
}

// The pages have each filter of the API. The pull sheet has the sales that are still to be shipped.
func TestListFields_AreThoseOfTheAPI(t *testing.T) {
	t.Parallel()
	for path, fields := range map[string][]form.Field{
		"/listings": listingFields(allMarkets), "/sales": saleFields(allChannels),
	} {
		if diff := cmp.Diff(listtest.Filters(t, path, "to_ship"), listtest.Names(fields)); diff != "" {
			t.Errorf("filters of %s (-want +got):\n%s", path, diff)
		}
	}
}

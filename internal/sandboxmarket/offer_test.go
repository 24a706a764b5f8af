package sandboxmarket

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/ebay"
)

// fitOffer returns a publishable offer, modified by change.
func fitOffer(t *testing.T, change func(*ebay.InventoryItem, *ebay.OfferTerms)) *offer {
	t.Helper()
	item := ebay.InventoryItem{
		Product:              ebay.Product{Title: "Charizard", ImageURLs: []string{"https://photos.example/1.jpg"}},
		Condition:            ebay.Ungraded,
		ConditionDescriptors: []ebay.ConditionDescriptor{{Name: ebay.DescriptorCardCondition, Values: []string{"400010"}}},
	}
	item.Availability.ShipToLocationAvailability.Quantity = 1
	terms := ebay.OfferTerms{AvailableQuantity: 1, CategoryID: ebay.CategoryCCG, ListingDescription: "A card",
		ListingDuration: "GTC", MerchantLocationKey: "home",
		ListingPolicies: ebay.ListingPolicies{FulfillmentPolicyID: "1", PaymentPolicyID: "2", ReturnPolicyID: "3"},
		PricingSummary:  ebay.PricingSummary{Price: &ebay.Amount{Value: "12.50", Currency: "USD"}}}
	change(&item, &terms)
	o := &offer{SKU: "lst1", State: draft}
	if err := errors.Join(o.replaceItem(item), o.create("7", terms)); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOffer_CheckPublishable(t *testing.T) {
	t.Parallel()
	type change = func(*ebay.InventoryItem, *ebay.OfferTerms)
	for name, tc := range map[string]struct {
		change change
		ids    []int // of the errors, in order
	}{
		"good":           {func(*ebay.InventoryItem, *ebay.OfferTerms) {}, nil},
		"no title":       {func(i *ebay.InventoryItem, _ *ebay.OfferTerms) { i.Product.Title = "" }, []int{25016}},
		"long title":     {func(i *ebay.InventoryItem, _ *ebay.OfferTerms) { i.Product.Title = strings.Repeat("x", 81) }, []int{25016}},
		"no description": {func(_ *ebay.InventoryItem, o *ebay.OfferTerms) { o.ListingDescription = "" }, []int{25016}},
		"no picture":     {func(i *ebay.InventoryItem, _ *ebay.OfferTerms) { i.Product.ImageURLs = nil }, []int{25014}},
		"25 pictures": {func(i *ebay.InventoryItem, _ *ebay.OfferTerms) {
			i.Product.ImageURLs = slices.Repeat(i.Product.ImageURLs, 25)
		}, []int{25014}},
		"picture nowhere":   {func(i *ebay.InventoryItem, _ *ebay.OfferTerms) { i.Product.ImageURLs = []string{"javascript:x"} }, []int{25015}},
		"no condition":      {func(i *ebay.InventoryItem, _ *ebay.OfferTerms) { i.Condition = "" }, []int{25021}},
		"graded, no grader": {func(i *ebay.InventoryItem, _ *ebay.OfferTerms) { i.Condition = ebay.Graded }, []int{25021}},
		"long certificate": {func(i *ebay.InventoryItem, _ *ebay.OfferTerms) {
			i.ConditionDescriptors = append(i.ConditionDescriptors, ebay.ConditionDescriptor{Name: "27503", AdditionalInfo: strings.Repeat("1", 31)})
		}, []int{25021}},
		"no price":       {func(_ *ebay.InventoryItem, o *ebay.OfferTerms) { o.PricingSummary.Price = nil }, []int{25003}},
		"price of zero":  {func(_ *ebay.InventoryItem, o *ebay.OfferTerms) { o.PricingSummary.Price.Value = "0.00" }, []int{25003}},
		"odd price":      {func(_ *ebay.InventoryItem, o *ebay.OfferTerms) { o.PricingSummary.Price.Value = "1.005" }, []int{25003}},
		"odd currency":   {func(_ *ebay.InventoryItem, o *ebay.OfferTerms) { o.PricingSummary.Price.Currency = "???" }, []int{25003}},
		"other category": {func(_ *ebay.InventoryItem, o *ebay.OfferTerms) { o.CategoryID = "1" }, []int{25005}},
		"thirty days":    {func(_ *ebay.InventoryItem, o *ebay.OfferTerms) { o.ListingDuration = "DAYS_30" }, []int{25006}},
		"no policies":    {func(_ *ebay.InventoryItem, o *ebay.OfferTerms) { o.ListingPolicies = ebay.ListingPolicies{} }, []int{25007, 25008, 25009}},
		"no location":    {func(_ *ebay.InventoryItem, o *ebay.OfferTerms) { o.MerchantLocationKey = "" }, []int{25012}},
		"nothing there":  {func(i *ebay.InventoryItem, _ *ebay.OfferTerms) { i.Availability = ebay.Availability{} }, []int{25004}},
		"nothing on sale": {func(_ *ebay.InventoryItem, o *ebay.OfferTerms) {
			o.AvailableQuantity, o.PricingSummary.Price = 0, nil
		}, []int{25003, 25004}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := fitOffer(t, tc.change)
			err := o.publish("110")
			if got := errorIDs(err); !reflect.DeepEqual(got, tc.ids) {
				t.Errorf("publish is refused by %v (%v), want %v", got, err, tc.ids)
			}
			if want := map[bool]string{true: live, false: draft}[tc.ids == nil]; o.State != want {
				t.Errorf("the offer is %s, want %s", o.State, want)
			}
		})
	}
}

func errorIDs(err error) (ids []int) {
	var apiErr *apiError
	if errors.As(err, &apiErr) {
		for _, reason := range apiErr.errors {
			ids = append(ids, reason.ErrorID)
		}
	}
	return ids
}

// The result of each action in each state; "" means that it is refused.
func TestOffer_States(t *testing.T) {
	t.Parallel()
	acts := map[string]func(*offer) error{
		"publish":  func(o *offer) error { return o.publish("220") },
		"withdraw": func(o *offer) error { return o.close(withdrawn) },
		"end":      func(o *offer) error { return o.close(ended) },
		"buy":      func(o *offer) error { return o.close(sold) },
		"create":   func(o *offer) error { return o.create("8", ebay.OfferTerms{}) },
	}
	want := map[string]map[string]string{
		draft:     {"publish": live},
		live:      {"withdraw": withdrawn, "end": ended, "buy": sold},
		withdrawn: {"publish": live},
		ended:     {"publish": live},
		sold:      {},
	}
	for from, moves := range want {
		for act, do := range acts {
			t.Run(from+"/"+act, func(t *testing.T) {
				t.Parallel()
				o := fitOffer(t, func(*ebay.InventoryItem, *ebay.OfferTerms) {})
				listing := "110"
				o.State, o.ListingID = from, &listing
				err := do(o)
				to, allowed := moves[act]
				if allowed != (err == nil) || allowed && o.State != to || !allowed && o.State != from {
					t.Errorf("%s of an offer that is %s: state %s, error %v; want %q", act, from, o.State, err, to)
				}
			})
		}
	}
}

func TestOffer_StaysPublishableWhileLive(t *testing.T) {
	t.Parallel()
	o := fitOffer(t, func(*ebay.InventoryItem, *ebay.OfferTerms) {})
	if err := o.publish("110"); err != nil {
		t.Fatal(err)
	}
	if ids := errorIDs(o.replaceTerms(ebay.OfferTerms{})); len(ids) == 0 {
		t.Error("a live listing lost its price and policies")
	}
}

func TestParseFilter(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	for filter, tc := range map[string]struct {
		want period
		id   int
	}{
		"": {period{"created_at", at.Add(-90 * 24 * time.Hour), at}, 0},
		"lastmodifieddate:[2026-11-01T00:00:00.000Z..]":                                           {period{"modified_at", day(1), at}, 0},
		"creationdate:[2026-11-01T00:00:00.000Z..2026-11-02T00:00:00.000Z]":                       {period{"created_at", day(1), day(2)}, 0},
		"lastmodifieddate:[2026-11-01T00:00:00.000Z..],creationdate:[2026-11-03T00:00:00.000Z..]": {period{"created_at", day(3), at}, 0},
		"orderfulfillmentstatus:{NOT_STARTED}":                                                    {id: 30700},
		"creationdate:2026-11-01T00:00:00.000Z":                                                   {id: 30800},
		"creationdate:[yesterday..]":                                                              {id: 30810},
		"creationdate:[2026-11-01T00:00:00.000Z..today]":                                          {id: 30810},
		"creationdate:[..2026-11-01T00:00:00.000Z]":                                               {id: 30820},
		"creationdate:[2026-11-03T00:00:00.000Z..2026-11-02T00:00:00.000Z]":                       {id: 30840},
		"creationdate:[2027-11-03T00:00:00.000Z..]":                                               {id: 30850},
		"creationdate:[2026-11-03T00:00:00.000Z..2027-11-02T00:00:00.000Z]":                       {id: 30850},
	} {
		got, err := parseFilter(filter, at)
		if ids := errorIDs(err); tc.id != 0 && !slices.Equal(ids, []int{tc.id}) || tc.id == 0 && err != nil {
			t.Errorf("%q: error %v, want %d", filter, err, tc.id)
		}
		if tc.id == 0 && got != tc.want {
			t.Errorf("%q: got %+v, want %+v", filter, got, tc.want)
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for range 1000 {
		if n := number(12); len(n) != 12 || n[0] == '0' {
			t.Fatalf("%q is not a number of 12 digits", n)
		}
	}
}

package sandboxmarket

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// publishableOffer returns an offer that can be published, modified by change.
func publishableOffer(t *testing.T, change func(*wire.InventoryItem, *wire.OfferTerms)) *offer {
	t.Helper()
	item := wire.InventoryItem{
		Product:   wire.Product{Title: "Charizard", ImageURLs: []string{"https://photos.example/1.jpg"}},
		Condition: wire.Ungraded,
		ConditionDescriptors: []wire.ConditionDescriptor{
			{Name: wire.DescriptorCardCondition, Values: []string{"400010"}},
		},
	}
	item.Availability.ShipToLocationAvailability.Quantity = 1
	terms := wire.OfferTerms{
		AvailableQuantity: 1, CategoryID: wire.CategoryCCG, ListingDescription: "A card",
		ListingDuration: "GTC", MerchantLocationKey: "sandbox",
		ListingPolicies: wire.ListingPolicies{FulfillmentPolicyID: "1", PaymentPolicyID: "1", ReturnPolicyID: "1"},
		PricingSummary:  wire.PricingSummary{Price: &wire.Amount{Value: "12.50", Currency: "USD"}},
	}
	change(&item, &terms)
	o := &offer{SKU: "lst1", State: draft}
	if err := errors.Join(o.replaceItem(item), o.create("7", defaultSite, terms)); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOffer_CheckPublishable(t *testing.T) {
	t.Parallel()
	type change = func(*wire.InventoryItem, *wire.OfferTerms)
	item := func(change func(*wire.InventoryItem)) change {
		return func(i *wire.InventoryItem, _ *wire.OfferTerms) { change(i) }
	}
	terms := func(change func(*wire.OfferTerms)) change {
		return func(_ *wire.InventoryItem, o *wire.OfferTerms) { change(o) }
	}
	for name, tc := range map[string]struct {
		change change
		ids    []int // of the errors, in order
	}{
		"publishable": {func(*wire.InventoryItem, *wire.OfferTerms) {}, nil},
		"no title":    {item(func(i *wire.InventoryItem) { i.Product.Title = "" }), []int{25016}},
		"long title": {item(func(i *wire.InventoryItem) {
			i.Product.Title = strings.Repeat("x", 81)
		}), []int{25016}},
		"no description": {terms(func(o *wire.OfferTerms) { o.ListingDescription = "" }), []int{25016}},
		"no picture":     {item(func(i *wire.InventoryItem) { i.Product.ImageURLs = nil }), []int{25014}},
		"25 pictures": {item(func(i *wire.InventoryItem) {
			i.Product.ImageURLs = slices.Repeat(i.Product.ImageURLs, 25)
		}), []int{25014}},
		"picture URL": {item(func(i *wire.InventoryItem) {
			i.Product.ImageURLs = []string{"javascript:x"}
		}), []int{25015}},
		"no condition":      {item(func(i *wire.InventoryItem) { i.Condition = "" }), []int{25021}},
		"graded, no grader": {item(func(i *wire.InventoryItem) { i.Condition = wire.Graded }), []int{25021}},
		"long certificate": {item(func(i *wire.InventoryItem) {
			i.ConditionDescriptors = append(i.ConditionDescriptors,
				wire.ConditionDescriptor{Name: wire.DescriptorCertificate, AdditionalInfo: strings.Repeat("1", 31)})
		}), []int{25021}},
		"no price":         {terms(func(o *wire.OfferTerms) { o.PricingSummary.Price = nil }), []int{25003}},
		"price of zero":    {terms(func(o *wire.OfferTerms) { o.PricingSummary.Price.Value = "0.00" }), []int{25003}},
		"fraction of cent": {terms(func(o *wire.OfferTerms) { o.PricingSummary.Price.Value = "1.005" }), []int{25003}},
		"unknown currency": {terms(func(o *wire.OfferTerms) { o.PricingSummary.Price.Currency = "???" }), []int{25003}},
		"other category":   {terms(func(o *wire.OfferTerms) { o.CategoryID = "1" }), []int{25005}},
		"condition of sports": {item(func(i *wire.InventoryItem) {
			i.ConditionDescriptors[0].Values = []string{"400011"}
		}), []int{25021}},
		"unknown policy": {terms(func(o *wire.OfferTerms) {
			o.ListingPolicies.PaymentPolicyID = "9"
		}), []int{25008}},
		"unknown location": {terms(func(o *wire.OfferTerms) { o.MerchantLocationKey = "home" }), []int{25012}},
		"thirty days":      {terms(func(o *wire.OfferTerms) { o.ListingDuration = "DAYS_30" }), []int{25006}},
		"no policies": {terms(func(o *wire.OfferTerms) {
			o.ListingPolicies = wire.ListingPolicies{}
		}), []int{25007, 25008, 25009}},
		"no location":  {terms(func(o *wire.OfferTerms) { o.MerchantLocationKey = "" }), []int{25012}},
		"out of stock": {item(func(i *wire.InventoryItem) { i.Availability = wire.Availability{} }), []int{25004}},
		"several errors": {terms(func(o *wire.OfferTerms) {
			o.AvailableQuantity, o.PricingSummary.Price = 0, nil
		}), []int{25003, 25004}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := publishableOffer(t, tc.change)
			err := o.publish("110")
			if diff := cmp.Diff(tc.ids, errorIDs(err)); diff != "" {
				t.Errorf("publish: %v, errors (-want +got):\n%s", err, diff)
			}
			if want := map[bool]string{true: live, false: draft}[tc.ids == nil]; o.State != want {
				t.Errorf("state is %s, want %s", o.State, want)
			}
		})
	}
}

// errorIDs returns the identifiers of the errors in an apiError.
func errorIDs(err error) (ids []int) {
	var apiErr *apiError
	if errors.As(err, &apiErr) {
		for _, reason := range apiErr.errors {
			ids = append(ids, reason.ErrorID)
		}
	}
	return ids
}

func TestOffer_States(t *testing.T) {
	t.Parallel()
	acts := map[string]func(*offer) error{
		"publish":  func(o *offer) error { return o.publish("220") },
		"withdraw": func(o *offer) error { return o.close(withdrawn) },
		"end":      func(o *offer) error { return o.close(ended) },
		"buy":      func(o *offer) error { return o.close(sold) },
		"create":   func(o *offer) error { return o.create("8", defaultSite, wire.OfferTerms{}) },
	}
	want := map[string]map[string]string{ // from a state by an action to a state; other actions are refused
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
				o := publishableOffer(t, func(*wire.InventoryItem, *wire.OfferTerms) {})
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
	o := publishableOffer(t, func(*wire.InventoryItem, *wire.OfferTerms) {})
	if err := o.publish("110"); err != nil {
		t.Fatal(err)
	}
	if ids := errorIDs(o.replaceTerms(wire.OfferTerms{})); len(ids) == 0 {
		t.Error("replacing the terms of a live offer by empty ones returns no error")
	}
}

func TestParseFilter(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	for name, tc := range map[string]struct {
		filter string
		want   period
		id     int // of the error
	}{
		"none":  {"", period{"created_at", at.Add(-90 * 24 * time.Hour), at}, 0},
		"start": {"lastmodifieddate:[2026-11-01T00:00:00.000Z..]", period{"modified_at", day(1), at}, 0},
		"start and end": {"creationdate:[2026-11-01T00:00:00.000Z..2026-11-02T00:00:00.000Z]",
			period{"created_at", day(1), day(2)}, 0},
		"two dates": {"lastmodifieddate:[2026-11-01T00:00:00.000Z..],creationdate:[2026-11-03T00:00:00.000Z..]",
			period{"created_at", day(3), at}, 0},
		"unknown name":        {"orderfulfillmentstatus:{NOT_STARTED}", period{}, 30700},
		"no range":            {"creationdate:2026-11-01T00:00:00.000Z", period{}, 30800},
		"malformed start":     {"creationdate:[yesterday..]", period{}, 30810},
		"malformed end":       {"creationdate:[2026-11-01T00:00:00.000Z..today]", period{}, 30810},
		"no start":            {"creationdate:[..2026-11-01T00:00:00.000Z]", period{}, 30820},
		"end before start":    {"creationdate:[2026-11-03T00:00:00.000Z..2026-11-02T00:00:00.000Z]", period{}, 30840},
		"start in the future": {"creationdate:[2027-11-03T00:00:00.000Z..]", period{}, 30850},
		"end in the future":   {"creationdate:[2026-11-03T00:00:00.000Z..2027-11-02T00:00:00.000Z]", period{}, 30850},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parseFilter(tc.filter, at)
			if ids := errorIDs(err); tc.id != 0 && !slices.Equal(ids, []int{tc.id}) || tc.id == 0 && err != nil {
				t.Errorf("error %v, want %d", err, tc.id)
			}
			if tc.id == 0 && got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
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

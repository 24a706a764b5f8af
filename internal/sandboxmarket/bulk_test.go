package sandboxmarket_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
)

// item and terms are an inventory item and an offer that can be published.
var (
	item = wire.InventoryItem{
		Product: wire.Product{
			Title: "Charizard", Description: "A card", ImageURLs: []string{"https://photos.example/1.jpg"},
			Aspects: map[string][]string{"Game": {"Pokémon TCG"}},
		},
		Condition: wire.Ungraded,
		ConditionDescriptors: []wire.ConditionDescriptor{
			{Name: wire.DescriptorCardCondition, Values: []string{"400010"}},
		},
		Availability: wire.Availability{ShipToLocationAvailability: wire.ShipToLocationAvailability{Quantity: 1}},
	}
	terms = wire.OfferTerms{
		AvailableQuantity: 1, CategoryID: wire.CategoryCCG, ListingDuration: wire.GoodTillCancelled,
		MerchantLocationKey: "sandbox",
		ListingPolicies: wire.ListingPolicies{
			FulfillmentPolicyID: "1", PaymentPolicyID: "1", ReturnPolicyID: "1",
		},
		PricingSummary: wire.PricingSummary{Price: &wire.Amount{Value: "12.50", Currency: "USD"}},
	}
)

func newTerms(sku string) wire.NewOffer {
	return wire.NewOffer{SKU: sku, MarketplaceID: "EBAY_US", Format: wire.FixedPrice, OfferTerms: terms}
}

// bulk makes a bulk call of the Inventory API and returns the status and the results.
func (m *market) bulk(t *testing.T, name string, body any) (int, []wire.BulkResponse) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	status, answer := m.call(t, "acc_seller", http.MethodPost, wire.InventoryPath+"/"+name, string(data))
	var all wire.BulkResponses
	if err := json.Unmarshal([]byte(answer), &all); err != nil {
		t.Fatalf("%s: %d %s", name, status, answer)
	}
	return status, all.Responses
}

// list lists cards by bulk calls and returns the identifiers of their offers.
func (m *market) list(t *testing.T, skus ...string) (offers []string) {
	t.Helper()
	var items wire.BulkItems
	var made wire.BulkOffers
	var publish wire.BulkPublish
	for _, sku := range skus {
		items.Requests = append(items.Requests, wire.BulkItem{SKU: sku, Locale: "en_US", InventoryItem: item})
		made.Requests = append(made.Requests, newTerms(sku))
	}
	status, _ := m.bulk(t, "bulk_create_or_replace_inventory_item", items)
	created, responses := m.bulk(t, "bulk_create_offer", made)
	for _, r := range responses {
		offers = append(offers, r.OfferID)
		publish.Requests = append(publish.Requests, wire.OfferCreated{OfferID: r.OfferID})
	}
	published, results := m.bulk(t, "bulk_publish_offer", publish)
	if status != 200 || created != 200 || published != 200 || len(results) != len(skus) || results[0].ListingID == "" {
		t.Fatalf("bulk calls: %d, %d, %d %+v", status, created, published, results)
	}
	return offers
}

func TestBulk_ReportsEachElement(t *testing.T) {
	t.Parallel()
	m := setup(t)
	offers := m.list(t, "a1", "a2")
	invalid := item
	invalid.Availability = wire.Availability{}
	price, zero := wire.Amount{Value: "9.99", Currency: "USD"}, wire.Amount{Value: "0.00", Currency: "USD"}
	for name, tc := range map[string]struct {
		body any
		want []string // status, and the error or what was changed
	}{
		"bulk_get_inventory_item": {wire.BulkSKUs{Requests: []wire.SKURequest{{SKU: "a1"}, {SKU: "none"}}},
			[]string{"200 a1 Charizard", "404 25702"}},
		"bulk_create_or_replace_inventory_item": {wire.BulkItems{Requests: []wire.BulkItem{
			{SKU: "a3", Locale: "en_US", InventoryItem: item}, {SKU: "a_4", Locale: "en_US", InventoryItem: item},
		}}, []string{"201 a3", "400 25707"}},
		"bulk_create_offer": {wire.BulkOffers{Requests: []wire.NewOffer{newTerms("a1"), newTerms("none")}},
			[]string{"400 25002", "400 25702"}},
		"bulk_publish_offer": {wire.BulkPublish{Requests: []wire.OfferCreated{{OfferID: offers[0]}, {OfferID: "1"}}},
			[]string{"400 25002", "404 25713"}},
		"bulk_update_price_quantity": {wire.BulkPrices{Requests: []wire.PriceQuantity{
			{SKU: "a1", Offers: []wire.OfferPrice{{OfferID: offers[0], Price: &price}}},
			{Offers: []wire.OfferPrice{{OfferID: offers[1], Price: &zero}}},
			{SKU: "a2", ShipToLocationAvailability: &wire.ShipToLocationAvailability{Quantity: 0}},
		}}, []string{"200 a1", "400 25003", "400 25004"}},
	} {
		status, results := m.bulk(t, name, tc.body)
		var got []string
		for _, r := range results {
			what := r.SKU
			if r.InventoryItem != nil {
				what += " " + r.InventoryItem.Product.Title
			}
			if len(r.Errors) > 0 {
				what = fmt.Sprint(r.Errors[0].ErrorID)
			}
			got = append(got, fmt.Sprintf("%d %s", r.StatusCode, what))
		}
		if diff := cmp.Diff(tc.want, got); status != http.StatusMultiStatus || diff != "" {
			t.Errorf("%s: %d, want 207; results (-want +got):\n%s", name, status, diff)
		}
	}
	_, answer := m.call(t, "acc_seller", "GET", wire.InventoryPath+"/offer/"+offers[0], "")
	if !strings.Contains(answer, `"value":"9.99"`) {
		t.Errorf("the offer after the change of the price: %s", answer)
	}
}

func TestBulk_RefusesRequests(t *testing.T) {
	t.Parallel()
	m := setup(t)
	many := make([]wire.OfferCreated, 26)
	for i := range many {
		many[i].OfferID = fmt.Sprint(i)
	}
	for name, tc := range map[string]struct {
		call string
		body any
		id   int
	}{
		"too many offers": {"bulk_publish_offer", wire.BulkPublish{Requests: many}, 25730},
		"one offer twice": {"bulk_publish_offer", wire.BulkPublish{Requests: []wire.OfferCreated{{}, {}}}, 25731},
		"one SKU twice": {"bulk_create_offer",
			wire.BulkOffers{Requests: []wire.NewOffer{newTerms("a"), newTerms("a")}}, 25729},
		"one SKU twice, reading": {"bulk_get_inventory_item",
			wire.BulkSKUs{Requests: []wire.SKURequest{{SKU: "a"}, {SKU: "a"}}}, 25734},
		"no locale": {"bulk_create_or_replace_inventory_item",
			wire.BulkItems{Requests: []wire.BulkItem{{SKU: "a"}}}, 25733},
		"no elements": {"bulk_update_price_quantity", wire.BulkPrices{Requests: []wire.PriceQuantity{}}, 25709},
	} {
		data, err := json.Marshal(tc.body)
		if err != nil {
			t.Fatal(err)
		}
		status, answer := m.call(t, "s", http.MethodPost, wire.InventoryPath+"/"+tc.call, string(data))
		if status != http.StatusBadRequest || !strings.Contains(answer, fmt.Sprintf(`"errorId":%d`, tc.id)) {
			t.Errorf("%s: %d %s, want 400 with error %d", name, status, answer, tc.id)
		}
	}
}

func TestMarket_LimitsRevisions(t *testing.T) {
	t.Parallel()
	m := setup(t)
	offers := m.list(t, "a1")
	reprice := func(value string) wire.BulkResponse {
		_, results := m.bulk(t, "bulk_update_price_quantity", wire.BulkPrices{Requests: []wire.PriceQuantity{
			{Offers: []wire.OfferPrice{{OfferID: offers[0], Price: &wire.Amount{Value: value, Currency: "USD"}}}}}})
		return results[0]
	}
	if got := reprice("1.00"); got.StatusCode != http.StatusOK {
		t.Errorf("first revision: %+v", got)
	}
	m.mustExec(t, "UPDATE market.offers SET revisions = 250")
	if got := reprice("2.00"); got.StatusCode != http.StatusBadRequest || got.Errors[0].ErrorID != wire.UserError {
		t.Errorf("revision 251: %+v, want error 25002", got)
	}
	m.mustExec(t, "UPDATE market.offers SET revised_on = '2026-01-01'")
	if got := reprice("3.00"); got.StatusCode != http.StatusOK {
		t.Errorf("revision on the next day: %+v", got)
	}
}

func TestMarket_LimitsCallsPerDay(t *testing.T) {
	t.Parallel()
	m := setup(t, sandboxmarket.WithDailyCalls(2))
	for i, want := range []int{200, 200, 429} {
		status, body := m.call(t, "ada", "GET", wire.FulfillmentPath+"/order", "")
		if status != want || want == 429 && !strings.Contains(body, `"errorId":2001,"domain":"ACCESS"`) {
			t.Errorf("call %d: %d %s, want %d", i, status, body, want)
		}
	}
	if status, _ := m.call(t, "ben", "GET", wire.FulfillmentPath+"/order", ""); status != http.StatusOK {
		t.Errorf("the other seller's call: %d", status)
	}
	m.mustExec(t, "UPDATE market.calls SET day = '2026-01-01' WHERE caller = 'ada'")
	if status, _ := m.call(t, "ada", "GET", wire.FulfillmentPath+"/order", ""); status != http.StatusOK {
		t.Errorf("call on the next day: %d", status)
	}
}

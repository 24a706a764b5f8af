package sandboxmarket_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

func TestAccount_HasPoliciesAndLocation(t *testing.T) {
	t.Parallel()
	m := setup(t)
	for _, marketplace := range []string{"EBAY_US", "EBAY_GB", "EBAY_DE", "EBAY_AU", "EBAY_CA"} {
		var all wire.Policies
		for _, kind := range []string{"fulfillment", "payment", "return"} {
			m.read(t, wire.AccountPath+"/"+kind+"_policy?marketplace_id="+marketplace, &all)
		}
		for kind, list := range map[string][]wire.Policy{
			"fulfillment": all.FulfillmentPolicies, "payment": all.PaymentPolicies, "return": all.ReturnPolicies,
		} {
			if len(list) == 0 || !list[0].CategoryTypes[0].Default || list[0].MarketplaceID != marketplace {
				t.Errorf("%s policies of %s: %+v, want a default first", kind, marketplace, list)
			}
		}
	}
	var found wire.Locations
	m.read(t, wire.InventoryPath+"/location", &found)
	if found.Total != 1 || found.Locations[0].MerchantLocationKey != "sandbox" {
		t.Errorf("locations: %+v", found)
	}
	for query, id := range map[string]int{"": 20401, "?marketplace_id=EBAY_XX": 20403} {
		status, body := m.call(t, "s", http.MethodGet, wire.AccountPath+"/return_policy"+query, "")
		if status != http.StatusBadRequest || !strings.Contains(body, fmt.Sprintf(`"errorId":%d`, id)) {
			t.Errorf("policies%s: %d %s, want 400 with error %d", query, status, body, id)
		}
	}
}

func TestConditionPolicies(t *testing.T) {
	t.Parallel()
	m := setup(t)
	path := wire.MetadataPath + "/marketplace/EBAY_US/get_item_condition_policies"
	for filter, want := range map[string]string{
		"":                               "183454 183050 261328 warnings 0",
		"?filter=categoryIds:{261328}":   "261328 warnings 0",
		"?filter=categoryIds:{261328|1}": "261328 warnings 1",
		"?filter=categories":             "warnings 1",
	} {
		var found wire.ConditionPolicies
		m.read(t, path+strings.NewReplacer("{", "%7B", "}", "%7D", "|", "%7C").Replace(filter), &found)
		got := ""
		for _, p := range found.ItemConditionPolicies {
			got += p.CategoryID + " "
			if len(p.ItemConditions) != 2 || len(p.ItemConditions[0].ConditionDescriptors) != 3 {
				t.Errorf("conditions of %s: %+v", p.CategoryID, p)
			}
		}
		if got += fmt.Sprint("warnings ", len(found.Warnings)); got != want {
			t.Errorf("%q: got %q, want %q", filter, got, want)
		}
	}
	other := strings.Replace(path, "EBAY_US", "EBAY_XX", 1)
	if status, body := m.call(t, "s", http.MethodGet, other, ""); status != 400 || !strings.Contains(body, "46001") {
		t.Errorf("unknown marketplace: %d %s, want 400 with error 46001", status, body)
	}
}

// An offer on another site than EBAY_US is in the currency of the site.
func TestOffer_CurrencyOfSite(t *testing.T) {
	t.Parallel()
	m := setup(t)
	for marketplace, tc := range map[string]struct {
		currency string
		status   int
	}{"EBAY_GB": {"GBP", 200}, "EBAY_DE": {"USD", 400}, "EBAY_US": {"EUR", 200}} {
		sku := strings.ReplaceAll(marketplace, "_", "")
		m.bulk(t, "bulk_create_or_replace_inventory_item", wire.BulkItems{Requests: []wire.BulkItem{
			{SKU: sku, Locale: "en_US", InventoryItem: item}}})
		made := newTerms(sku)
		made.MarketplaceID = marketplace
		made.PricingSummary.Price = &wire.Amount{Value: "1.00", Currency: tc.currency}
		_, created := m.bulk(t, "bulk_create_offer", wire.BulkOffers{Requests: []wire.NewOffer{made}})
		_, got := m.bulk(t, "bulk_publish_offer", wire.BulkPublish{Requests: []wire.OfferCreated{
			{OfferID: created[0].OfferID}}})
		if got[0].StatusCode != tc.status {
			t.Errorf("%s in %s: %+v, want %d", marketplace, tc.currency, got, tc.status)
		}
	}
}

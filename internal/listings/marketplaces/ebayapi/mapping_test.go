package ebayapi

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/ebay"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
)

func TestConditions(t *testing.T) {
	t.Parallel()
	ungraded := func(value string) []ebay.ConditionDescriptor {
		return []ebay.ConditionDescriptor{{Name: "40001", Values: []string{value}}}
	}
	for name, tc := range map[string]struct {
		offer       marketplaces.Offer
		condition   string
		descriptors []ebay.ConditionDescriptor
		code        string
	}{
		"near mint":            {marketplaces.Offer{Game: "pokemon", Condition: "NM"}, "USED_VERY_GOOD", ungraded("400010"), ""},
		"lightly played":       {marketplaces.Offer{Game: "magic", Condition: "LP"}, "USED_VERY_GOOD", ungraded("400015"), ""},
		"lightly played sport": {marketplaces.Offer{Game: "sports", Condition: "LP"}, "USED_VERY_GOOD", ungraded("400011"), ""},
		"damaged":              {marketplaces.Offer{Condition: "DMG"}, "USED_VERY_GOOD", ungraded("400017"), ""},
		"none":                 {marketplaces.Offer{}, "", nil, marketplaces.CodeCondition},
		"graded": {marketplaces.Offer{Condition: "NM", Grade: &marketplaces.Grade{Company: "psa", Value: "9.0", CertNumber: "123"}},
			"LIKE_NEW", []ebay.ConditionDescriptor{{Name: "27501", Values: []string{"275010"}}, {Name: "27502", Values: []string{"275022"}},
				{Name: "27503", AdditionalInfo: "123"}}, ""},
		"graded by a company eBay does not know": {marketplaces.Offer{Grade: &marketplaces.Grade{Company: "XYZ", Value: "Authentic"}},
			"LIKE_NEW", []ebay.ConditionDescriptor{{Name: "27501", Values: []string{"2750123"}}, {Name: "27502", Values: []string{"2750219"}}}, ""},
		"a grade eBay does not know": {marketplaces.Offer{Grade: &marketplaces.Grade{Company: "PSA", Value: "9.3"}}, "", nil, marketplaces.CodeGrade},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			condition, descriptors, err := New(Config{}).condition(tc.offer)
			refusal, refused := marketplaces.AsRefusal(err)
			if refused != (tc.code != "") || refused && refusal.Code != tc.code {
				t.Fatalf("got error %v, want code %q", err, tc.code)
			}
			if condition != tc.condition || !reflect.DeepEqual(descriptors, tc.descriptors) {
				t.Errorf("got %s %v, want %s %v", condition, descriptors, tc.condition, tc.descriptors)
			}
		})
	}
}

func TestCondition_AssumesConfiguredOne(t *testing.T) {
	t.Parallel()
	condition, _, err := New(Config{AssumedCondition: "NM"}).condition(marketplaces.Offer{})
	if err != nil || condition != ebay.Ungraded {
		t.Errorf("got %q, %v, want %s", condition, err, ebay.Ungraded)
	}
}

func TestSKU_IsReversible(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		listing := id.New(id.Listing, time.UnixMilli(rapid.Int64Range(0, 1<<47).Draw(t, "ms")))
		sku := ebay.SKU(listing)
		if len(sku) > 50 || strings.Trim(sku, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			t.Fatalf("eBay refuses the SKU %q (25707)", sku)
		}
		if back, ok := parseSKU(sku); !ok || back != listing {
			t.Fatalf("%s comes back as %q, %v", listing, back, ok)
		}
	})
}

func TestParseSKU_RefusesForeignSKUs(t *testing.T) {
	t.Parallel()
	for _, sku := range []string{"", "lst", "lst_01", "GP-Cam-01", "lstabc", "card01jz0000000000000000000000"} {
		if listing, ok := parseSKU(sku); ok {
			t.Errorf("%q is taken for our listing %s", sku, listing)
		}
	}
}

func TestAmount_RoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		price := money.Money{Amount: rapid.Int64Range(1, money.Max).Draw(t, "amount"),
			Currency: rapid.SampledFrom([]string{"USD", "EUR", "JPY", "KWD"}).Draw(t, "currency")}
		wire := amount(price)
		if back, err := money.Parse(wire.Value, wire.Currency); err != nil || back != price {
			t.Fatalf("%v goes as %v and comes back as %v, %v", price, wire, back, err)
		}
	})
}

func TestDescription_EscapesHTML(t *testing.T) {
	t.Parallel()
	got := description(marketplaces.Offer{Title: "T", Description: "Mint & <b>clean</b>\nShips boxed"})
	if want := "Mint &amp; &lt;b&gt;clean&lt;/b&gt;<br>Ships boxed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := description(marketplaces.Offer{Title: "Title <1>"}); got != "Title &lt;1&gt;" {
		t.Errorf("without a description: %q", got)
	}
}

// The responses of eBay for an offer in each state, as sellers have observed them.
func TestOfferStates(t *testing.T) {
	t.Parallel()
	listing := func(status string, sold int) *ebay.ListingDetails {
		return &ebay.ListingDetails{ListingID: "110", ListingStatus: status, SoldQuantity: sold}
	}
	for name, tc := range map[string]struct {
		offer  *ebay.Offer
		state  marketplaces.State
		reason string
	}{
		"none":                       {nil, marketplaces.Unknown, ""},
		"live":                       {&ebay.Offer{Status: "PUBLISHED", Listing: listing("ACTIVE", 0)}, marketplaces.Live, ""},
		"in somebody's cart":         {&ebay.Offer{Status: "PUBLISHED", Listing: listing("OUT_OF_STOCK", 0)}, marketplaces.Live, ""},
		"sold":                       {&ebay.Offer{Status: "PUBLISHED", Listing: listing("ENDED", 1)}, marketplaces.Sold, ""},
		"sold and still shown":       {&ebay.Offer{Status: "PUBLISHED", Listing: listing("OUT_OF_STOCK", 1)}, marketplaces.Sold, ""},
		"withdrawn":                  {&ebay.Offer{Status: "UNPUBLISHED"}, marketplaces.Ended, marketplaces.Withdrawn},
		"ended by eBay":              {&ebay.Offer{Status: "UNPUBLISHED", Listing: listing("ENDED", 0)}, marketplaces.Ended, marketplaces.EndedAtMarketplace},
		"ended, and still published": {&ebay.Offer{Status: "PUBLISHED", Listing: listing("ENDED", 0)}, marketplaces.Ended, marketplaces.EndedAtMarketplace},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := New(Config{}).status("lst_1", tc.offer)
			if got.State != tc.state || got.EndReason != tc.reason || got.ListingID != "lst_1" {
				t.Errorf("got %+v, want %s %q", got, tc.state, tc.reason)
			}
		})
	}
}

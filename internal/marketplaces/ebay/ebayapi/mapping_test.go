package ebayapi

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/money"
)

func TestConditions(t *testing.T) {
	t.Parallel()
	type descriptors = []wire.ConditionDescriptor
	ungraded := func(value string) descriptors { return descriptors{{Name: "40001", Values: []string{value}}} }
	for name, tc := range map[string]struct {
		offer       marketplaces.Offer
		condition   string
		descriptors descriptors
		code        string // of the refusal; "" means none
	}{
		"near mint": {
			marketplaces.Offer{Game: "pokemon", Condition: "NM"}, "USED_VERY_GOOD", ungraded("400010"), "",
		},
		"lightly played": {
			marketplaces.Offer{Game: "magic", Condition: "LP"}, "USED_VERY_GOOD", ungraded("400015"), "",
		},
		"lightly played sport": {
			marketplaces.Offer{Game: "sports", Condition: "LP"}, "USED_VERY_GOOD", ungraded("400011"), "",
		},
		"damaged": {marketplaces.Offer{Condition: "DMG"}, "USED_VERY_GOOD", ungraded("400017"), ""},
		"none":    {marketplaces.Offer{}, "", nil, marketplaces.CodeCondition},
		"graded": {
			marketplaces.Offer{
				Condition: "NM", Grade: &marketplaces.Grade{Company: "psa", Value: "9.0", CertNumber: "123"},
			},
			"LIKE_NEW", descriptors{
				{Name: "27501", Values: []string{"275010"}},
				{Name: "27502", Values: []string{"275022"}},
				{Name: "27503", AdditionalInfo: "123"},
			}, "",
		},
		"unknown grading company": {
			marketplaces.Offer{Grade: &marketplaces.Grade{Company: "XYZ", Value: "Authentic"}},
			"LIKE_NEW", descriptors{
				{Name: "27501", Values: []string{"2750123"}},
				{Name: "27502", Values: []string{"2750219"}},
			}, "",
		},
		"unknown grade": {
			marketplaces.Offer{Grade: &marketplaces.Grade{Company: "PSA", Value: "9.3"}},
			"", nil, marketplaces.CodeGrade,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			condition, got, err := New(Config{}).condition(tc.offer)
			refusal, refused := marketplaces.AsRefusal(err)
			if refused != (tc.code != "") || refused && refusal.Code != tc.code {
				t.Fatalf("got error %v, want code %q", err, tc.code)
			}
			if condition != tc.condition {
				t.Errorf("condition: got %s, want %s", condition, tc.condition)
			}
			if diff := cmp.Diff(tc.descriptors, got); diff != "" {
				t.Errorf("descriptors (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCondition_AssumesConfiguredOne(t *testing.T) {
	t.Parallel()
	condition, _, err := New(Config{AssumedCondition: "NM"}).condition(marketplaces.Offer{})
	if err != nil || condition != wire.Ungraded {
		t.Errorf("got %q, %v, want %s", condition, err, wire.Ungraded)
	}
}

func TestSKU_IsReversible(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		listing := id.New(id.Listing, time.UnixMilli(rapid.Int64Range(0, 1<<47).Draw(t, "ms")))
		sku := wire.SKU(listing)
		if len(sku) > 50 || strings.Trim(sku, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			t.Fatalf("SKU: got %q, which eBay refuses with error 25707", sku)
		}
		if got, ok := parseSKU(sku); !ok || got != listing {
			t.Fatalf("parseSKU(%q): got %q, %v, want %s", sku, got, ok, listing)
		}
	})
}

func TestParseSKU_ForeignSKUs(t *testing.T) {
	t.Parallel()
	for _, sku := range []string{"", "lst", "lst_01", "GP-Cam-01", "lstabc", "card01jz0000000000000000000000"} {
		if listing, ok := parseSKU(sku); ok {
			t.Errorf("parseSKU(%q): got %s, true, want false", sku, listing)
		}
	}
}

func TestAmount_RoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		price := money.Money{
			Amount:   rapid.Int64Range(1, money.Max).Draw(t, "amount"),
			Currency: rapid.SampledFrom([]string{"USD", "EUR", "JPY", "KWD"}).Draw(t, "currency"),
		}
		wire := amount(price)
		if got, err := money.Parse(wire.Value, wire.Currency); err != nil || got != price {
			t.Fatalf("Parse of %v: got %v, %v, want %v", wire, got, err, price)
		}
	})
}

// The offers are responses of eBay that sellers have observed.
func TestSeller_OfferStates(t *testing.T) {
	t.Parallel()
	published := func(listingStatus string, sold int) *wire.Offer {
		listing := &wire.ListingDetails{ListingID: "110", ListingStatus: listingStatus, SoldQuantity: sold}
		return &wire.Offer{Status: "PUBLISHED", Listing: listing}
	}
	endedByEBay := published("ENDED", 0)
	endedByEBay.Status = "UNPUBLISHED"
	for name, tc := range map[string]struct {
		offer  *wire.Offer
		state  marketplaces.State
		reason string
	}{
		"none":                       {nil, marketplaces.Unknown, ""},
		"live":                       {published("ACTIVE", 0), marketplaces.Live, ""},
		"in a buyer's cart":          {published("OUT_OF_STOCK", 0), marketplaces.Live, ""},
		"sold":                       {published("ENDED", 1), marketplaces.Sold, ""},
		"sold and still shown":       {published("OUT_OF_STOCK", 1), marketplaces.Sold, ""},
		"withdrawn":                  {&wire.Offer{Status: "UNPUBLISHED"}, marketplaces.Ended, marketplaces.Withdrawn},
		"ended by eBay":              {endedByEBay, marketplaces.Ended, marketplaces.EndedAtMarketplace},
		"ended, and still published": {published("ENDED", 0), marketplaces.Ended, marketplaces.EndedAtMarketplace},
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

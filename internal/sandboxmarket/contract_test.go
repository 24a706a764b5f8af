package sandboxmarket_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
	"github.com/cardvault/cardvault/internal/sandboxmarket/markettest"
)

// tally counts the checked calls by operation and status, such as "createOffer 201".
type tally struct {
	mu   sync.Mutex
	seen map[string]int
}

// conforming returns a market and the tally of its calls. setup checks every call too, if the contracts are there.
func conforming(t *testing.T) (*market, *tally) {
	t.Helper()
	markettest.All(t)
	m, c := setup(t), &tally{seen: map[string]int{}}
	count := func(operationID string, status int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.seen[fmt.Sprintf("%s %d", operationID, status)]++
	}
	intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		markettest.Validate(t, next, count).ServeHTTP(w, r)
	}
	m.intercept.Store(&intercept)
	return m, c
}

// checked reports which of the calls were not made.
func (c *tally) checked(t *testing.T, calls ...string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range calls {
		if c.seen[call] == 0 {
			t.Errorf("%q was not checked, only %v", call, c.seen)
		}
	}
}

// Each call of the marketplace was made with success, so that its response was checked.
func (c *tally) complete(t *testing.T) {
	t.Helper()
	for _, call := range sandboxmarket.Operations() {
		if c.seen[call.Name+" 200"]+c.seen[call.Name+" 201"]+c.seen[call.Name+" 204"]+
			c.seen[call.Name+" 207"] == 0 {
			t.Errorf("%s was not checked, only %v", call.Name, c.seen)
		}
	}
}

func TestMarket_ConformsToContracts(t *testing.T) {
	t.Parallel()
	m, calls := conforming(t)
	sold, withdrawn, graded := newOffer(), newOffer(), newOffer()
	hosted := m.upload(t, picture(t))
	withdrawn.ImageURLs = []string{hosted.URL}
	m.read(t, imagePath(hosted.URL), new(any))
	graded.Condition, graded.Grade = "", &marketplaces.Grade{Company: "PSA", Value: "9", CertNumber: "12345678"}
	for _, o := range []marketplaces.Offer{sold, withdrawn, graded, sold} {
		publish(t, m, o)
	}
	sold.Title, sold.Price.Amount = "Charizard Base", 99900
	if _, err := marketplacetest.Revise(t.Context(), m.seller, sold); err != nil {
		t.Error(err)
	}
	m.mustPost(t, buyPath(sold.ListingID), "")
	m.mustPost(t, endPath(graded.ListingID), "")
	ref := marketplaces.Ref{ListingID: withdrawn.ListingID}
	if _, err := marketplacetest.End(t.Context(), m.seller, ref); err != nil {
		t.Error(err)
	}
	for _, o := range []marketplaces.Offer{sold, withdrawn, graded} {
		m.status(t, o.ListingID)
	}
	if sales, err := m.seller.Sales(t.Context(), time.Now().Add(-time.Hour)); err != nil || len(sales.Sold) != 1 {
		t.Errorf("Sales = %+v, %v, want one sale", sales, err)
	}
	o := m.sold(t, "a1")
	m.list(t, "a2")
	for _, path := range []string{
		wire.AccountPath + "/fulfillment_policy?marketplace_id=EBAY_US", wire.InventoryPath + "/location",
		wire.AccountPath + "/payment_policy?marketplace_id=EBAY_US",
		wire.AccountPath + "/return_policy?marketplace_id=EBAY_US",
		wire.MetadataPath + "/marketplace/EBAY_US/get_item_condition_policies",
		wire.FulfillmentPath + "/order/" + o.OrderID,
	} {
		m.read(t, path, new(any))
	}
	offers := m.list(t, "a3")
	m.read(t, wire.InventoryPath+"/offer/"+offers[0], new(any))
	price := wire.Amount{Value: "3.00", Currency: "USD"}
	m.bulk(t, "bulk_update_price_quantity", wire.BulkPrices{Requests: []wire.PriceQuantity{
		{SKU: "a3", Offers: []wire.OfferPrice{{OfferID: offers[0], Price: &price}}}}})
	m.bulk(t, "bulk_get_inventory_item", wire.BulkSKUs{Requests: []wire.SKURequest{{SKU: "a3"}, {SKU: "none"}}})
	m.call(t, "acc_seller", http.MethodPost, wire.FulfillmentPath+"/order/"+o.OrderID+"/issue_refund",
		refundOf("1.00", "USD"))
	e := newEndpoint(t)
	subscription := m.subscribe(t, e)
	m.sold(t, "a4")
	e.next(t, m)
	m.notifications(t, "acc_seller", "DELETE", "/subscription/"+subscription, nil)
	calls.complete(t)
	calls.checked(t,
		"getOffers 404", "getOffers 200", "createOrReplaceInventoryItem 201", "createOrReplaceInventoryItem 204",
		"getInventoryItem 200", "createOffer 201", "publishOffer 200", "withdrawOffer 200", "updateOffer 200",
		"getOrders 200", "createImageFromFile 201", "getImage 200")
}

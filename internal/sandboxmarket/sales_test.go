package sandboxmarket_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/money"
)

// fillOrders inserts n sold listings into the database, one per second from start, and returns their identifiers.
func fillOrders(t *testing.T, m *market, n int, start time.Time) (listingIDs []string) {
	t.Helper()
	m.get(t, "/") // creates the tables
	skus := make([]string, n)
	for i := range n {
		listingIDs = append(listingIDs, id.New(id.Listing, start.Add(time.Duration(i)*time.Second)))
		skus[i] = wire.SKU(listingIDs[i])
	}
	_, err := m.db.Exec(t.Context(), `
		INSERT INTO market.orders
			(order_id, seller, sku, listing_id, title, buyer, amount, currency, created_at, modified_at)
		SELECT 'order-' || i - 1, 'acc_seller', sku, 109999 + i, 'A card', 'ann', 999 + i, 'USD', at, at
		FROM unnest($1::text[]) WITH ORDINALITY AS n (sku, i),
			LATERAL (SELECT $2::timestamptz + (i - 1) * interval '1 second') l (at)`,
		pq.Array(skus), start)
	if err != nil {
		t.Fatal(err)
	}
	return listingIDs
}

// countOrders counts the calls of getOrders.
func (m *market) countOrders() *atomic.Int64 {
	var calls atomic.Int64
	intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasSuffix(r.URL.Path, "/order") {
			calls.Add(1)
		}
		next.ServeHTTP(w, r)
	}
	m.intercept.Store(&intercept)
	return &calls
}

func TestSales_ReadsAllPages(t *testing.T) {
	t.Parallel()
	m := setup(t)
	start := time.Now().UTC().Truncate(time.Millisecond).Add(-24 * time.Hour)
	listingIDs := fillOrders(t, m, 450, start)
	calls := m.countOrders()
	sales, err := m.seller.Sales(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]marketplaces.Status{}
	for _, sale := range sales.Sold {
		found[sale.ListingID] = sale
	}
	if len(sales.Sold) != 450 || calls.Load() != 3 {
		t.Fatalf("%d sales in %d calls, want 450 in 3", len(sales.Sold), calls.Load())
	}
	want := map[string]marketplaces.Status{}
	for i, listingID := range listingIDs {
		at, externalID := start.Add(time.Duration(i)*time.Second), strconv.Itoa(110000+i)
		want[listingID] = marketplaces.Status{
			ListingID: listingID, State: marketplaces.Sold, ExternalID: externalID, URL: m.url + "/itm/" + externalID,
			SoldPrice: &money.Money{Amount: int64(1000 + i), Currency: "USD"}, SoldAt: &at,
			BuyerReference: "order-" + strconv.Itoa(i), Order: &marketplaces.Order{Fee: new(int64)},
		}
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Fatalf("sales (-want +got):\n%s", diff)
	}
	if last := start.Add(449 * time.Second); !sales.Through.Equal(last) {
		t.Errorf("Through is %s, want %s", sales.Through, last)
	}
}

func TestSales_StartsAtTime(t *testing.T) {
	t.Parallel()
	m := setup(t)
	start := time.Now().UTC().Truncate(time.Millisecond).Add(-time.Hour)
	fillOrders(t, m, 1000, start)
	first, err := m.seller.Sales(t.Context(), start.Add(900*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	// Sales reads ten minutes more than requested: from second 300 to second 999.
	if len(first.Sold) != 700 {
		t.Errorf("%d sales, want 700", len(first.Sold))
	}
	o := newOffer()
	publish(t, m, o)
	m.mustPost(t, buyPath(o.ListingID), "")
	next, err := m.seller.Sales(t.Context(), first.Through)
	if err != nil {
		t.Fatal(err)
	}
	newest := next.Sold[len(next.Sold)-1]
	if newest.ListingID != o.ListingID || *newest.SoldPrice != o.Price || !next.Through.After(first.Through) {
		t.Errorf("the last sale is %+v, through %s, want the sale of %s", newest, next.Through, o.ListingID)
	}
}

// Sales returns each order once, also if orders arrive while it reads the pages.
func TestSales_IncludesOrdersThatArriveWhileReading(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	fillOrders(t, m, 250, time.Now().Add(-time.Hour))
	publish(t, m, o)
	var calls atomic.Int64
	intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(w, r)
		if strings.HasSuffix(r.URL.Path, "/order") && calls.Add(1) == 1 {
			m.intercept.Store(nil)
			m.mustPost(t, buyPath(o.ListingID), "")
		}
	}
	m.intercept.Store(&intercept)
	sales, err := m.seller.Sales(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, sale := range sales.Sold {
		found[sale.ListingID]++
	}
	if len(sales.Sold) != 251 || found[o.ListingID] != 1 {
		t.Errorf("%d sales, the new one %d times, want 251 and once", len(sales.Sold), found[o.ListingID])
	}
}

func TestSales_EndsWhileOrdersKeepArriving(t *testing.T) {
	t.Parallel()
	m := setup(t)
	fillOrders(t, m, 201, time.Now().Add(-time.Hour))
	var total atomic.Int64
	intercept := func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Write([]byte(`{"total":` + strconv.FormatInt(1000+total.Add(1), 10) + `,"orders":[{"orderId":"1"}]}`))
	}
	m.intercept.Store(&intercept)
	if _, err := m.seller.Sales(t.Context(), time.Time{}); !fault.Is(err, fault.UpstreamError) {
		t.Errorf("got %v, want upstream_error", err)
	}
}

func TestStatus_FindsOrderOfSoldListing(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	fillOrders(t, m, 250, time.Now().Add(-time.Hour))
	publish(t, m, o)
	m.mustPost(t, buyPath(o.ListingID), "")
	calls := m.countOrders()
	got := m.status(t, o.ListingID)
	if got.State != marketplaces.Sold || got.SoldPrice == nil || *got.SoldPrice != o.Price || calls.Load() != 1 {
		t.Errorf("Status = %+v in %d calls of getOrders, want the sale in 1", got, calls.Load())
	}
	m.intercept.Store(nil)
	if _, err := m.db.Exec(t.Context(), "DELETE FROM market.orders WHERE sku = $1", wire.SKU(o.ListingID)); err != nil {
		t.Fatal(err)
	}
	if got := m.status(t, o.ListingID); got.State != marketplaces.Sold || got.SoldPrice != nil {
		t.Errorf("Status without the order = %+v, want sold and no price", got)
	}
}

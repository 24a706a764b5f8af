package sandboxmarket_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// Publish reads the items of several cards, creates them, creates the offers and publishes them. After a fault in any
// of these calls, a second Publish results in one listing of each card.
func TestPublishMany_SucceedsAfterEveryFault(t *testing.T) {
	t.Parallel()
	m := setup(t)
	bulk := m.seller
	for step := int64(1); step <= 4; step++ {
		for how := range breaks {
			offers := []marketplaces.Offer{newOffer(), newOffer(), newOffer()}
			before := m.listed.Load()
			broken := m.breakNth(step, how)
			for _, r := range bulk.Publish(t.Context(), offers) {
				if !fault.Is(r.Err, fault.UpstreamError) {
					t.Errorf("%s at call %d: got %v, want upstream_error", how, step, r.Err)
				}
			}
			if !broken.Load() {
				t.Fatalf("PublishMany did not make call %d", step)
			}
			for i, r := range bulk.Publish(t.Context(), offers) {
				if got := m.status(t, offers[i].ListingID); r.Err != nil || got.State != marketplaces.Live ||
					got.ExternalID != r.ExternalID {
					t.Errorf("%s at call %d: PublishMany = %+v, but Status = %+v", how, step, r, got)
				}
			}
			if n := m.listed.Load() - before; n != 3 {
				t.Errorf("%s at call %d: %d listings were created, want 3", how, step, n)
			}
		}
	}
}

// calls returns the bulk calls and the number of the other ones that do makes.
func (m *market) calls(do func()) (bulk []string, others int64) {
	var count atomic.Int64
	intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if _, name, ok := strings.Cut(r.URL.Path, "/bulk_"); ok {
			bulk = append(bulk, name)
		} else {
			count.Add(1)
		}
		next.ServeHTTP(w, r)
	}
	m.intercept.Store(&intercept)
	do()
	m.intercept.Store(nil)
	return bulk, count.Load()
}

func TestPublishMany_Calls(t *testing.T) {
	t.Parallel()
	m := setup(t)
	seller := m.seller
	var offers []marketplaces.Offer
	for range wire.MaxBulk {
		offers = append(offers, newOffer())
	}
	bulk, others := m.calls(func() {
		for _, r := range seller.Publish(t.Context(), offers) {
			if r.Err != nil {
				t.Error(r.Err)
			}
		}
	})
	want := []string{"get_inventory_item", "create_or_replace_inventory_item", "create_offer", "publish_offer"}
	if diff := cmp.Diff(want, bulk); diff != "" || others != 0 {
		t.Errorf("calls that publish 25 cards (-want +got), and %d others:\n%s", others, diff)
	}
	for i := range offers {
		offers[i].Price.Amount++
	}
	bulk, others = m.calls(func() {
		for _, r := range seller.Revise(t.Context(), offers) {
			if r.Err != nil {
				t.Error(r.Err)
			}
		}
	})
	// eBay has no bulk call that reads offers.
	want = []string{"get_inventory_item", "update_price_quantity"}
	if diff := cmp.Diff(want, bulk); diff != "" || others != wire.MaxBulk {
		t.Errorf("calls that revise 25 prices (-want +got), and %d others, want 25:\n%s", others, diff)
	}
}

// eBay refuses whole bulk calls because of one element. Then each card has the result that it has by itself.
func TestBulk_RefusedAsAWhole(t *testing.T) {
	t.Parallel()
	m := setup(t)
	seller := m.seller
	for _, call := range []string{
		"get_inventory_item", "create_or_replace_inventory_item", "create_offer", "publish_offer",
		"update_price_quantity",
	} {
		intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			if strings.HasSuffix(r.URL.Path, "/bulk_"+call) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				w.Write([]byte(`{"errors":[{"errorId":25709,"domain":"API_INVENTORY","category":"REQUEST",
					"message":"Invalid value."}]}`))
				return
			}
			next.ServeHTTP(w, r)
		}
		m.intercept.Store(&intercept)
		offers := []marketplaces.Offer{newOffer(), newOffer(), newOffer()}
		offers[1].ImageURLs = []string{"ftp://photos.example/1.jpg"}
		results := seller.Publish(t.Context(), offers)
		for i, r := range results {
			_, refused := marketplaces.AsRefusal(r.Err)
			if refused != (i == 1) || !refused && r.Err != nil {
				t.Errorf("%s refused: offer %d = %+v", call, i, r)
			}
		}
		offers[0].Price.Amount, offers[2].Price.Amount = 700, 800
		for i, r := range seller.Revise(t.Context(), []marketplaces.Offer{offers[0], offers[2]}) {
			if r.Err != nil || r.State != marketplaces.Live {
				t.Errorf("%s refused: revision %d = %+v", call, i, r)
			}
		}
		m.intercept.Store(nil)
		for i, want := range map[int]int64{0: 700, 2: 800} {
			m.mustPost(t, buyPath(offers[i].ListingID), "")
			if got := m.status(t, offers[i].ListingID); got.SoldPrice == nil || got.SoldPrice.Amount != want {
				t.Errorf("%s refused: offer %d was sold for %v, want %d", call, i, got.SoldPrice, want)
			}
		}
	}
}

// A buyer buys one of the cards between the call that reads the offers and the one that revises the prices. The others
// are revised.
func TestReviseMany_LosesToBuyer(t *testing.T) {
	t.Parallel()
	m := setup(t)
	seller := m.seller
	offers := []marketplaces.Offer{newOffer(), newOffer()}
	seller.Publish(t.Context(), offers)
	intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasSuffix(r.URL.Path, "/bulk_update_price_quantity") {
			buy := httptest.NewRequest(http.MethodPost, buyPath(offers[0].ListingID), nil)
			next.ServeHTTP(httptest.NewRecorder(), buy)
		}
		next.ServeHTTP(w, r)
	}
	m.intercept.Store(&intercept)
	revised := slices.Clone(offers)
	revised[0].Price.Amount, revised[1].Price.Amount = 10, 20
	results := seller.Revise(t.Context(), revised)
	if got := results[0]; got.Err != nil || got.SoldPrice == nil || *got.SoldPrice != offers[0].Price {
		t.Errorf("ReviseMany of the sold card = %+v, want it sold at %v", got, offers[0].Price)
	}
	if got := results[1]; got.Err != nil || got.State != marketplaces.Live {
		t.Errorf("ReviseMany of the other card = %+v, want it live", got)
	}
}

package sandboxmarket_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
	"github.com/cardvault/cardvault/internal/money"
)

// revised returns the offer with another price and, if title is not "", another title.
func revised(o marketplaces.Offer, amount int64, title string) marketplaces.Offer {
	o.Price.Amount, o.Description = amount, ""
	if title != "" {
		o.Title = title
	}
	return o
}

// sale returns the title and the price at which the listing sells.
func (m *market) sale(t *testing.T, o marketplaces.Offer) (title string, price money.Money) {
	t.Helper()
	m.mustPost(t, buyPath(o.ListingID), "")
	sold := m.status(t, o.ListingID)
	if sold.State != marketplaces.Sold || sold.SoldPrice == nil {
		t.Fatalf("Status = %+v, want a sale", sold)
	}
	if err := m.db.Get(t.Context(), &title, `SELECT title FROM market.orders WHERE sku = $1`,
		wire.SKU(o.ListingID)); err != nil {
		t.Fatal(err)
	}
	return title, *sold.SoldPrice
}

// writes records the method and the kind of resource of each request that writes.
func (m *market) writes() *[]string {
	var mu sync.Mutex
	seen := &[]string{}
	intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method != http.MethodGet {
			resource, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, wire.InventoryPath+"/"), "/")
			mu.Lock()
			*seen = append(*seen, r.Method+" "+resource)
			mu.Unlock()
		}
		next.ServeHTTP(w, r)
	}
	m.intercept.Store(&intercept)
	return seen
}

func TestRevise_WritesWhatDiffers(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		amount int64
		title  string
		writes []string
	}{
		"price":           {99900, "", []string{"PUT offer"}},
		"title":           {125000, "Charizard Base", []string{"PUT inventory_item", "PUT offer"}},
		"price and title": {99900, "Charizard Base", []string{"PUT inventory_item", "PUT offer"}},
		"nothing":         {125000, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, o := setup(t), newOffer()
			o.Description = ""
			published := publish(t, m, o)
			writes, change := m.writes(), revised(o, tc.amount, tc.title)
			for range 2 {
				got, err := marketplacetest.Revise(t.Context(), m.seller, change)
				if err != nil || got.State != marketplaces.Live || got.ExternalID != published.ExternalID {
					t.Fatalf("Revise = %+v, %v, want the listing %s live", got, err, published.ExternalID)
				}
			}
			if diff := cmp.Diff(tc.writes, *writes, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("writes of two equal calls (-want +got):\n%s", diff)
			}
			m.intercept.Store(nil)
			if title, price := m.sale(t, o); title != change.Title || price != change.Price {
				t.Errorf("sold as %q at %v, want %q at %v", title, price, change.Title, change.Price)
			}
		})
	}
}

func TestRevise_ListingThatIsNotLive(t *testing.T) {
	t.Parallel()
	m := setup(t)
	sold, ended, withdrawn, unknown := newOffer(), newOffer(), newOffer(), newOffer()
	for _, o := range []marketplaces.Offer{sold, ended, withdrawn} {
		publish(t, m, o)
	}
	m.mustPost(t, buyPath(sold.ListingID), "")
	m.mustPost(t, endPath(ended.ListingID), "")
	ref := marketplaces.Ref{ListingID: withdrawn.ListingID}
	if _, err := marketplacetest.End(t.Context(), m.seller, ref); err != nil {
		t.Fatal(err)
	}
	writes := m.writes()
	for state, o := range map[marketplaces.State][]marketplaces.Offer{
		marketplaces.Sold: {sold}, marketplaces.Ended: {ended, withdrawn}, marketplaces.Unknown: {unknown},
	} {
		for _, o := range o {
			got, err := marketplacetest.Revise(t.Context(), m.seller, revised(o, 1, "Other"))
			if err != nil || got.State != state {
				t.Errorf("Revise = %+v, %v, want %s", got, err, state)
			}
			if state == marketplaces.Sold && (got.SoldPrice == nil || *got.SoldPrice != o.Price) {
				t.Errorf("Revise of a sold listing = %+v, want its sale at %v", got, o.Price)
			}
		}
	}
	if len(*writes) > 0 {
		t.Errorf("Revise wrote %v, want nothing", *writes)
	}
}

func TestRevise_Refusals(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	publish(t, m, o)
	intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method != http.MethodPut {
			next.ServeHTTP(w, r)
			return
		}
		w.WriteHeader(http.StatusBadRequest)
		w.Write([]byte(`{"errors":[{"errorId":25002,"longMessage":"Too many revisions."}]}`))
	}
	m.intercept.Store(&intercept)
	for code, change := range map[string]marketplaces.Offer{
		"ebay_25002":           revised(o, 1, ""),
		marketplaces.CodePrice: revised(o, 0, ""),
		marketplaces.CodeTitle: revised(o, 1, strings.Repeat("x", 81)),
	} {
		_, err := marketplacetest.Revise(t.Context(), m.seller, change)
		if refusal, ok := marketplaces.AsRefusal(err); !ok || refusal.Code != code {
			t.Errorf("Revise: got %v, want the refusal %s", err, code)
		}
	}
}

// A buyer buys between a read of Revise and its first write. The sale stays as it is, at the price before, and the
// card is not for sale again.
func TestRevise_LosesToEarlierBuyer(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"", "Other"} {
		t.Run("title "+title, func(t *testing.T) {
			t.Parallel()
			m, o := setup(t), newOffer()
			publish(t, m, o)
			var once sync.Once
			intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if r.Method == http.MethodPut {
					once.Do(func() {
						buy := httptest.NewRequest(http.MethodPost, buyPath(o.ListingID), nil)
						next.ServeHTTP(httptest.NewRecorder(), buy)
					})
				}
				next.ServeHTTP(w, r)
			}
			m.intercept.Store(&intercept)
			if _, err := marketplacetest.Revise(t.Context(), m.seller, revised(o, 1, title)); err != nil {
				t.Errorf("Revise: %v", err)
			}
			got, err := marketplacetest.Revise(t.Context(), m.seller, revised(o, 1, title))
			if err != nil || got.State != marketplaces.Sold || *got.SoldPrice != o.Price {
				t.Errorf("Revise after the sale = %+v, %v, want sold at %v", got, err, o.Price)
			}
		})
	}
}

// Revise reads the offer and the item, and writes the item and the offer. After a fault in any of these calls, a second
// Revise completes the change.
func TestRevise_SucceedsAfterEveryFault(t *testing.T) {
	t.Parallel()
	for step := int64(1); step <= 4; step++ {
		for _, how := range []string{"request lost", "response lost"} {
			t.Run(fmt.Sprintf("%s at call %d", how, step), func(t *testing.T) {
				t.Parallel()
				m, o := setup(t), newOffer()
				publish(t, m, o)
				change := revised(o, 99900, "Other")
				m.breakNth(step, how)
				_, err := marketplacetest.Revise(t.Context(), m.seller, change)
				if !fault.Is(err, fault.UpstreamError) {
					t.Fatalf("got %v, want upstream_error", err)
				}
				got, err := marketplacetest.Revise(t.Context(), m.seller, change)
				if err != nil || got.State != marketplaces.Live {
					t.Fatalf("second Revise = %+v, %v, want %s", got, err, marketplaces.Live)
				}
				if title, price := m.sale(t, o); title != change.Title || price != change.Price {
					t.Errorf("sold as %q at %v, want %q at %v", title, price, change.Title, change.Price)
				}
			})
		}
	}
}

func TestMarket_RefusesUnknownItem(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	publish(t, m, o)
	for _, seller := range []string{"acc_seller", "acc_other"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			m.url+wire.InventoryPath+"/inventory_item/"+wire.SKU(o.ListingID), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+seller)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"acc_seller": http.StatusOK, "acc_other": http.StatusNotFound}[seller]
		if body := readBody(t, resp); resp.StatusCode != want {
			t.Errorf("item for %s: %d %s, want %d", seller, resp.StatusCode, body, want)
		}
	}
}

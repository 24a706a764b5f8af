package sandboxmarket_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
	"github.com/cardvault/cardvault/internal/marketplaces/sandbox"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
	"github.com/cardvault/cardvault/internal/sandboxmarket/markettest"
)

// market is a sandbox marketplace on a database of its own, and one seller there.
type market struct {
	url    string
	db     *postgres.DB
	seller marketplaces.Marketplace
	// listed counts the listings that were created.
	listed atomic.Int64
	// intercept, if set, handles a request instead of the marketplace.
	intercept atomic.Pointer[func(w http.ResponseWriter, r *http.Request, next http.Handler)]
}

func setup(t *testing.T, options ...sandboxmarket.Option) *market {
	t.Helper()
	return on(t, pgtest.New(t), options...)
}

func on(t *testing.T, db *postgres.DB, options ...sandboxmarket.Option) *market {
	t.Helper()
	m := &market{db: db}
	handler := m.count(markettest.On(t, db, options...))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if intercept := m.intercept.Load(); intercept != nil {
			(*intercept)(w, r, handler)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	m.url = server.URL
	m.seller = m.as(t, "acc_seller")
	return m
}

// count counts the listings that publish requests create, also if the response is lost.
func (m *market) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		response := httptest.NewRecorder()
		next.ServeHTTP(response, r)
		if strings.HasSuffix(r.URL.Path, "/publish") && response.Code == http.StatusOK {
			m.listed.Add(1)
		}
		if strings.HasSuffix(r.URL.Path, "/bulk_publish_offer") {
			m.listed.Add(int64(strings.Count(response.Body.String(), `"listingId"`)))
		}
		copyResponse(w, response)
	})
}

func copyResponse(w http.ResponseWriter, response *httptest.ResponseRecorder) {
	for name, values := range response.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(response.Code)
	w.Write(response.Body.Bytes())
}

// as returns the market as the seller with this name sees it.
func (m *market) as(t *testing.T, account string) marketplaces.Marketplace {
	t.Helper()
	client, err := sandbox.New(m.url)
	if err != nil {
		t.Fatal(err)
	}
	return client.Seller(account)
}

func newOffer() marketplaces.Offer {
	return marketplaces.Offer{
		ListingID: id.New(id.Listing, time.Now()), Title: "Charizard 4/102", Description: "Base set\nnever played",
		Price: money.Money{Amount: 125000, Currency: "USD"}, ImageURLs: []string{"https://photos.example/1.jpg"},
		Game: "pokemon", Set: "Base", Number: "4/102", Condition: "NM",
	}
}

func publish(t *testing.T, m *market, o marketplaces.Offer) marketplaces.Status {
	t.Helper()
	published, err := marketplacetest.Publish(t.Context(), m.seller, o)
	if err != nil {
		t.Fatal(err)
	}
	return published
}

// buyPath and endPath are the control routes that buy and end a listing.
func buyPath(listingID string) string { return "/sandbox/listings/" + listingID + "/buy" }
func endPath(listingID string) string { return "/sandbox/listings/" + listingID + "/end" }

// post sends a visitor's action and returns the status and the body of the response.
func (m *market) post(t *testing.T, path, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(m.url+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, readBody(t, resp)
}

// readBody returns the body of the response and closes it.
func readBody(t *testing.T, resp *http.Response) string {
	t.Helper()
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (m *market) mustExec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := m.db.Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

func (m *market) mustPost(t *testing.T, path, body string) {
	t.Helper()
	if status, response := m.post(t, path, body); status != http.StatusOK {
		t.Fatalf("POST %s: %d %s", path, status, response)
	}
}

func (m *market) status(t *testing.T, sku string) marketplaces.Status {
	t.Helper()
	status, err := m.seller.Status(t.Context(), marketplaces.Ref{ListingID: sku, PublishedAt: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	return status
}

// checkEnded checks that Publish returns a refusal and does not list the offer again.
func (m *market) checkEnded(t *testing.T, o marketplaces.Offer) {
	t.Helper()
	_, err := marketplacetest.Publish(t.Context(), m.seller, o)
	if refusal, ok := marketplaces.AsRefusal(err); !ok || refusal.Code != marketplaces.CodeEnded {
		t.Errorf("Publish after the end of the listing: %v, want the refusal %s", err, marketplaces.CodeEnded)
	}
	if n := m.listed.Load(); n != 1 {
		t.Errorf("%d listings were created, want 1", n)
	}
}

func TestPublish_IsIdempotent(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	first, second := publish(t, m, o), publish(t, m, o)
	if first != second || m.listed.Load() != 1 {
		t.Errorf("Publish = %+v, then %+v; %d listings were created, want 1", first, second, m.listed.Load())
	}
	want := marketplaces.Status{
		ListingID: o.ListingID, State: marketplaces.Live, ExternalID: first.ExternalID, URL: first.URL,
	}
	if diff := cmp.Diff(want, m.status(t, o.ListingID)); diff != "" {
		t.Errorf("Status (-want +got):\n%s", diff)
	}
	if url := m.url + "/itm/" + first.ExternalID; first.URL != url {
		t.Errorf("URL is %s, want %s", first.URL, url)
	}
}

func TestPublish_ConcurrentCallsCreateOneListing(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	const workers = 12
	var arrived atomic.Int64
	all := make(chan struct{}) // closed when all requests have arrived
	intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasSuffix(r.URL.Path, "/publish") {
			if arrived.Add(1) == workers {
				close(all)
			}
			select {
			case <-all:
			case <-t.Context().Done():
			}
		}
		next.ServeHTTP(w, r)
	}
	m.intercept.Store(&intercept)
	var published [workers]marketplaces.Status
	var wait sync.WaitGroup
	for i := range workers {
		wait.Go(func() {
			var err error
			ctx := context.WithoutCancel(t.Context())
			if published[i], err = marketplacetest.Publish(ctx, m.seller, o); err != nil {
				t.Errorf("worker %d: %v", i, err)
			}
		})
	}
	wait.Wait()
	for i := range published {
		if published[i] != published[0] {
			t.Errorf("Publish returns %+v to worker %d, %+v to worker 0", published[i], i, published[0])
		}
	}
	if n := m.listed.Load(); n != 1 {
		t.Errorf("%d listings were created, want 1", n)
	}
}

func TestEnd_SoldListing(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	published := publish(t, m, o)
	m.mustPost(t, buyPath(o.ListingID), `{"price": {"amount": 120000, "currency": "USD"}, "buyer": "ann"}`)
	for range 2 {
		got, err := marketplacetest.End(t.Context(), m.seller, marketplaces.Ref{ListingID: o.ListingID})
		if err != nil {
			t.Fatal(err)
		}
		if got.State != marketplaces.Sold || *got.SoldPrice != (money.Money{Amount: 120000, Currency: "USD"}) ||
			got.ExternalID != published.ExternalID || got.BuyerReference == "" ||
			time.Since(*got.SoldAt) > time.Minute {
			t.Errorf("End of a sold listing = %+v, want its sale", got)
		}
	}
	if again := publish(t, m, o); again != published || m.listed.Load() != 1 {
		t.Errorf("Publish of a sold listing = %+v, want %+v; %d listings were created, want 1",
			again, published, m.listed.Load())
	}
	if status, body := m.post(t, buyPath(o.ListingID), ""); status != http.StatusConflict {
		t.Errorf("buying a sold listing: %d %s, want 409", status, body)
	}
}

func TestBuy_RefusesEndedListing(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	publish(t, m, o)
	for range 2 {
		got, err := marketplacetest.End(t.Context(), m.seller, marketplaces.Ref{ListingID: o.ListingID})
		if err != nil || got.State != marketplaces.Ended || got.EndReason != marketplaces.Withdrawn {
			t.Fatalf("End = %+v, %v, want the listing withdrawn", got, err)
		}
	}
	status, body := m.post(t, buyPath(o.ListingID), "")
	if status != http.StatusConflict || !strings.Contains(body, "listing_not_live") {
		t.Errorf("buying an ended listing: %d %s, want 409 listing_not_live", status, body)
	}
	m.checkEnded(t, o)
}

func TestStatus_ReportsListingEndedOnSite(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	published := publish(t, m, o)
	m.mustPost(t, endPath(o.ListingID), "")
	want := marketplaces.Status{
		ListingID: o.ListingID, State: marketplaces.Ended, EndReason: marketplaces.EndedAtMarketplace,
		ExternalID: published.ExternalID, URL: published.URL,
	}
	if diff := cmp.Diff(want, m.status(t, o.ListingID)); diff != "" {
		t.Errorf("Status (-want +got):\n%s", diff)
	}
	m.checkEnded(t, o)
	sales, err := m.seller.Sales(t.Context(), time.Time{})
	if err != nil || len(sales.Sold) != 0 {
		t.Errorf("Sales = %+v, %v, want none", sales, err)
	}
}

func TestMarket_RefusesUnknownListing(t *testing.T) {
	t.Parallel()
	m := setup(t)
	if got := m.status(t, "lst_unknown"); got.State != marketplaces.Unknown {
		t.Errorf("Status = %+v, want %s", got, marketplaces.Unknown)
	}
	got, err := marketplacetest.End(t.Context(), m.seller, marketplaces.Ref{ListingID: "lst_unknown"})
	if err != nil || got.State != marketplaces.Unknown {
		t.Errorf("End = %+v, %v, want %s", got, err, marketplaces.Unknown)
	}
	if status, body := m.post(t, buyPath("lst_unknown"), ""); status != http.StatusNotFound {
		t.Errorf("buying an unknown listing: %d %s, want 404", status, body)
	}
}

func TestMarket_SeparatesSellers(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	publish(t, m, o)
	m.mustPost(t, buyPath(o.ListingID), "")
	other := m.as(t, "acc_other")
	got, err := other.Status(t.Context(), marketplaces.Ref{ListingID: o.ListingID})
	if err != nil || got.State != marketplaces.Unknown {
		t.Errorf("Status of another seller = %+v, %v, want %s", got, err, marketplaces.Unknown)
	}
	if sales, err := other.Sales(t.Context(), time.Time{}); err != nil || len(sales.Sold) != 0 {
		t.Errorf("Sales of another seller = %+v, %v, want none", sales, err)
	}
	if _, err := marketplacetest.Publish(t.Context(), other, o); err == nil {
		t.Error("another seller published an offer with the same SKU")
	}
}

func TestMarket_KeepsStateAcrossRestarts(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	open := func() *postgres.DB {
		db, err := postgres.Open(postgres.Config{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	bought, kept := newOffer(), newOffer()
	before := on(t, open())
	publish(t, before, bought)
	published := publish(t, before, kept)
	before.mustPost(t, buyPath(bought.ListingID), "")
	if err := before.db.Close(); err != nil {
		t.Fatal(err)
	}

	after := on(t, open())
	if got := after.status(t, bought.ListingID); got.State != marketplaces.Sold || got.SoldPrice == nil {
		t.Errorf("Status of the sold listing = %+v, want its sale", got)
	}
	got := after.status(t, kept.ListingID)
	if got.State != marketplaces.Live || got.ExternalID != published.ExternalID {
		t.Errorf("Status of the live listing = %+v, want it live as %s", got, published.ExternalID)
	}
}

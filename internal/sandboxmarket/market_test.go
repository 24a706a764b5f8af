package sandboxmarket_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/listings/marketplaces/sandbox"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
)

// market is a sandbox marketplace on a database of its own, and one seller there.
type market struct {
	url    string
	db     *postgres.DB
	seller marketplaces.Marketplace
	// listed counts the listings that were ever made.
	listed atomic.Int64
	// intercept, if set, handles a request instead of the marketplace.
	intercept atomic.Pointer[func(w http.ResponseWriter, r *http.Request, next http.Handler)]
}

func setup(t *testing.T) *market {
	t.Helper()
	return on(t, pgtest.New(t))
}

func on(t *testing.T, db *postgres.DB) *market {
	t.Helper()
	m := &market{db: db}
	handler := m.count(sandboxmarket.New(db, slog.New(slog.NewTextHandler(io.Discard, nil))))
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

// count counts the publish requests that succeed, also if the response is lost.
func (m *market) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		if strings.HasSuffix(r.URL.Path, "/publish") && answer.Code == http.StatusOK {
			m.listed.Add(1)
		}
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		w.Write(answer.Body.Bytes())
	})
}

func (m *market) as(t *testing.T, account string) marketplaces.Marketplace {
	t.Helper()
	there, err := sandbox.New(m.url)
	if err != nil {
		t.Fatal(err)
	}
	return there.Seller(account)
}

func newOffer() marketplaces.Offer {
	return marketplaces.Offer{ListingID: id.New(id.Listing, time.Now()), Title: "Charizard 4/102", Description: "Base set\nnever played",
		Price: money.Money{Amount: 125000, Currency: "USD"}, ImageURLs: []string{"https://photos.example/1.jpg"},
		Game: "pokemon", Set: "Base", Number: "4/102", Condition: "NM"}
}

func publish(t *testing.T, m *market, o marketplaces.Offer) marketplaces.Published {
	t.Helper()
	published, err := m.seller.Publish(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return published
}

// post sends a visitor's action and returns the status and the body of the response.
func (m *market) post(t *testing.T, path, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(m.url+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

func (m *market) mustPost(t *testing.T, path, body string) {
	t.Helper()
	if status, answer := m.post(t, path, body); status != http.StatusOK {
		t.Fatalf("POST %s: %d %s", path, status, answer)
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

func TestPublish_IsIdempotent(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	first, second := publish(t, m, o), publish(t, m, o)
	if first != second || m.listed.Load() != 1 {
		t.Errorf("got %+v, then %+v; %d listings were made", first, second, m.listed.Load())
	}
	want := marketplaces.Status{ListingID: o.ListingID, State: marketplaces.Live, ExternalID: first.ExternalID, URL: m.url + "/itm/" + first.ExternalID}
	if got := m.status(t, o.ListingID); got != want || first.URL != want.URL {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPublish_ConcurrentCallsCreateOneListing(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	const workers = 12
	var arrived atomic.Int64
	all := make(chan struct{}) // closed when all are about to publish: none may before
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
	var published [workers]marketplaces.Published
	var wait sync.WaitGroup
	for i := range workers {
		wait.Go(func() {
			var err error
			if published[i], err = m.seller.Publish(context.WithoutCancel(t.Context()), o); err != nil {
				t.Errorf("worker %d: %v", i, err)
			}
		})
	}
	wait.Wait()
	for i := range published {
		if published[i] != published[0] {
			t.Errorf("worker %d was told %+v, worker 0 %+v", i, published[i], published[0])
		}
	}
	if n := m.listed.Load(); n != 1 {
		t.Errorf("%d listings were made", n)
	}
}

func TestEnd_RefusesSoldListing(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	published := publish(t, m, o)
	m.mustPost(t, "/standin/listings/"+o.ListingID+"/buy", `{"price": {"amount": 120000, "currency": "USD"}, "buyer": "ann"}`)
	for range 2 {
		got, err := m.seller.End(t.Context(), marketplaces.Ref{ListingID: o.ListingID})
		if err != nil {
			t.Fatal(err)
		}
		if got.State != marketplaces.Sold || *got.SoldPrice != (money.Money{Amount: 120000, Currency: "USD"}) ||
			got.ExternalID != published.ExternalID || got.BuyerReference == "" || time.Since(*got.SoldAt) > time.Minute {
			t.Errorf("End of a sold listing answers %+v", got)
		}
	}
	if again := publish(t, m, o); again != published || m.listed.Load() != 1 {
		t.Errorf("a repeated Publish of a sold listing answers %+v, %d listings", again, m.listed.Load())
	}
	if status, body := m.post(t, "/standin/listings/"+o.ListingID+"/buy", ""); status != http.StatusConflict {
		t.Errorf("it sold twice: %d %s", status, body)
	}
}

func TestBuy_RefusesEndedListing(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	publish(t, m, o)
	for range 2 {
		got, err := m.seller.End(t.Context(), marketplaces.Ref{ListingID: o.ListingID})
		if err != nil || got.State != marketplaces.Ended || got.EndReason != marketplaces.Withdrawn {
			t.Fatalf("End answers %+v, %v", got, err)
		}
	}
	if status, body := m.post(t, "/standin/listings/"+o.ListingID+"/buy", ""); status != http.StatusConflict || !strings.Contains(body, "listing_not_live") {
		t.Errorf("buying an ended listing: %d %s", status, body)
	}
	_, err := m.seller.Publish(t.Context(), o)
	if apiError, ok := marketplaces.AsRefusal(err); !ok || apiError.Code != marketplaces.CodeEnded || m.listed.Load() != 1 {
		t.Errorf("a late Publish answers %v; %d listings were made", err, m.listed.Load())
	}
}

func TestStatus_ReportsListingEndedOnSite(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	published := publish(t, m, o)
	m.mustPost(t, "/standin/listings/"+o.ListingID+"/end", "")
	got := m.status(t, o.ListingID)
	if got.State != marketplaces.Ended || got.EndReason != marketplaces.EndedAtMarketplace || got.ExternalID != published.ExternalID {
		t.Errorf("got %+v", got)
	}
	_, err := m.seller.Publish(t.Context(), o)
	if apiError, ok := marketplaces.AsRefusal(err); !ok || apiError.Code != marketplaces.CodeEnded {
		t.Errorf("a late Publish answers %v", err)
	}
	sales, err := m.seller.Sales(t.Context(), time.Time{})
	if err != nil || len(sales.Sold) != 0 {
		t.Errorf("an ended listing is among the sales: %+v, %v", sales, err)
	}
}

func TestMarket_RefusesUnknownListing(t *testing.T) {
	t.Parallel()
	m := setup(t)
	if got := m.status(t, "lst_unknown"); got.State != marketplaces.Unknown {
		t.Errorf("Status answers %+v", got)
	}
	if got, err := m.seller.End(t.Context(), marketplaces.Ref{ListingID: "lst_unknown"}); err != nil || got.State != marketplaces.Unknown {
		t.Errorf("End answers %+v, %v", got, err)
	}
	if status, body := m.post(t, "/standin/listings/lst_unknown/buy", ""); status != http.StatusNotFound {
		t.Errorf("buying nothing: %d %s", status, body)
	}
}

func TestMarket_SeparatesSellers(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	publish(t, m, o)
	m.mustPost(t, "/standin/listings/"+o.ListingID+"/buy", "")
	other := m.as(t, "acc_other")
	if got, err := other.Status(t.Context(), marketplaces.Ref{ListingID: o.ListingID}); err != nil || got.State != marketplaces.Unknown {
		t.Errorf("another seller sees %+v, %v", got, err)
	}
	if sales, err := other.Sales(t.Context(), time.Time{}); err != nil || len(sales.Sold) != 0 {
		t.Errorf("another seller sees the sales %+v, %v", sales, err)
	}
	if _, err := other.Publish(t.Context(), o); err == nil {
		t.Error("another seller took over the SKU")
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
	before.mustPost(t, "/standin/listings/"+bought.ListingID+"/buy", "")
	if err := before.db.Close(); err != nil {
		t.Fatal(err)
	}

	after := on(t, open())
	if got := after.status(t, bought.ListingID); got.State != marketplaces.Sold || got.SoldPrice == nil {
		t.Errorf("the sold listing is %+v", got)
	}
	if got := after.status(t, kept.ListingID); got.State != marketplaces.Live || got.ExternalID != published.ExternalID {
		t.Errorf("the live listing is %+v", got)
	}
}

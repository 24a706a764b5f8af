package sandboxmarket_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
)

// breaks are ways to lose a request or its response.
var breaks = map[string]func(w http.ResponseWriter, r *http.Request, next http.Handler){
	"request lost": func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.WriteHeader(http.StatusBadGateway)
	},
	"response lost": func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(httptest.NewRecorder(), r)
		w.WriteHeader(http.StatusBadGateway)
	},
	"connection lost": func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	},
}

// breakNth breaks the nth request from now, counted from 1. how is a key of breaks.
func (m *market) breakNth(n int64, how string) (broken *atomic.Bool) {
	broken = &atomic.Bool{}
	var count atomic.Int64
	intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if count.Add(1) == n {
			broken.Store(true)
			breaks[how](w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	}
	m.intercept.Store(&intercept)
	return broken
}

// Publish calls lookup, inventory item, offer and publish. After a fault in any of them, a second Publish
// results in one listing.
func TestPublish_SucceedsAfterEveryFault(t *testing.T) {
	t.Parallel()
	for step := int64(1); step <= 4; step++ {
		for how := range breaks {
			t.Run(fmt.Sprintf("%s at call %d", how, step), func(t *testing.T) {
				t.Parallel()
				m, o := setup(t), newOffer()
				broken := m.breakNth(step, how)
				_, err := marketplacetest.Publish(t.Context(), m.seller, o)
				// net/http repeats a GET by itself on a connection that broke.
				if err == nil && (how != "connection lost" || step != 1) {
					t.Fatal("Publish returns no error")
				}
				if err != nil && !fault.Is(err, fault.UpstreamError) {
					t.Fatalf("got %v, want upstream_error", err)
				}
				if !broken.Load() {
					t.Fatal("Publish did not make the call")
				}
				published := publish(t, m, o)
				got := m.status(t, o.ListingID)
				if got.State != marketplaces.Live || got.ExternalID != published.ExternalID {
					t.Errorf("Publish = %+v, but Status = %+v", published, got)
				}
				if n := m.listed.Load(); n != 1 {
					t.Errorf("%d listings were created, want 1", n)
				}
			})
		}
	}
}

// End calls lookup, withdraw, lookup and close. After a fault in any of them, a second End ends the listing,
// and Publish does not list it again.
func TestEnd_SucceedsAfterEveryFault(t *testing.T) {
	t.Parallel()
	for step := int64(1); step <= 4; step++ {
		for _, how := range []string{"request lost", "response lost"} {
			t.Run(fmt.Sprintf("%s at call %d", how, step), func(t *testing.T) {
				t.Parallel()
				m, o := setup(t), newOffer()
				publish(t, m, o)
				m.breakNth(step, how)
				ref := marketplaces.Ref{ListingID: o.ListingID}
				if _, err := marketplacetest.End(t.Context(), m.seller, ref); !fault.Is(err, fault.UpstreamError) {
					t.Fatalf("got %v, want upstream_error", err)
				}
				got, err := marketplacetest.End(t.Context(), m.seller, ref)
				if err != nil || got.State != marketplaces.Ended {
					t.Fatalf("second End = %+v, %v, want %s", got, err, marketplaces.Ended)
				}
				m.checkEnded(t, o)
			})
		}
	}
}

// A buyer buys between End's lookup and its withdrawal.
func TestEnd_LosesToEarlierBuyer(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	publish(t, m, o)
	var once sync.Once
	intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method == http.MethodPost {
			once.Do(func() {
				buy := httptest.NewRequest(http.MethodPost, buyPath(o.ListingID), nil)
				next.ServeHTTP(httptest.NewRecorder(), buy)
			})
		}
		next.ServeHTTP(w, r)
	}
	m.intercept.Store(&intercept)
	got, err := marketplacetest.End(t.Context(), m.seller, marketplaces.Ref{ListingID: o.ListingID})
	if err != nil || got.State != marketplaces.Sold || got.SoldPrice == nil || *got.SoldPrice != o.Price {
		t.Errorf("End = %+v, %v, want sold at %v", got, err, o.Price)
	}
}

// Buyers and the seller race. Exactly one of them wins, and every response shows the same result.
func TestEnd_RacesWithBuyers(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	publish(t, m, o)
	var bought atomic.Int64
	var wait sync.WaitGroup
	for range 6 {
		wait.Go(func() {
			resp, err := http.Post(m.url+buyPath(o.ListingID), "", nil)
			if err != nil {
				t.Error(err)
				return
			}
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				bought.Add(1)
			}
		})
	}
	var ended marketplaces.Status
	wait.Go(func() {
		var err error
		ref := marketplaces.Ref{ListingID: o.ListingID}
		ended, err = marketplacetest.End(context.WithoutCancel(t.Context()), m.seller, ref)
		if err != nil {
			t.Error(err)
		}
	})
	wait.Wait()
	want := map[int64]marketplaces.State{0: marketplaces.Ended, 1: marketplaces.Sold}[bought.Load()]
	if got := m.status(t, o.ListingID); want == "" || ended.State != want || got.State != want {
		t.Errorf("%d purchases succeeded, End = %s, Status = %s, want the same winner",
			bought.Load(), ended.State, got.State)
	}
}

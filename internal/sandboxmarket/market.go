// Package sandboxmarket is a marketplace for development and tests. It is a separate server that implements
// the part of eBay's API that CardVault uses, stores its offers and orders in PostgreSQL, and serves pages
// where a person buys or ends a listing.
//
// It represents another company's system: it has sellers and SKUs, not accounts and cards, and CardVault
// uses it over HTTP only. A bearer token is the seller's name and is not verified, so the marketplace must
// not be reachable from a public network.
package sandboxmarket

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/ebay"
	"github.com/cardvault/cardvault/internal/postgres"
)

// maxBody limits request bodies. The largest is an inventory item with 24 image URLs.
const maxBody = 1 << 20

type server struct {
	store store
	log   *slog.Logger
}

// New returns the marketplace's handler. Migrate must have been called for the database.
func New(db *postgres.DB, log *slog.Logger) http.Handler {
	s := &server{store: store{db}, log: log}
	mux := http.NewServeMux()
	s.inventoryRoutes(mux)
	mux.HandleFunc("GET "+ebay.FulfillmentPath+"/order", s.asSeller(s.getOrders))
	s.controlRoutes(mux)
	s.pageRoutes(mux)
	mux.HandleFunc("GET /healthz", s.health)
	var protection http.CrossOriginProtection // the page's forms change state
	return protection.Handler(limit(mux))
}

func limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

func (s *server) health(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), time.Second)
	defer cancel()
	if err := s.store.db.Ping(ctx); err != nil {
		http.Error(w, "the database does not respond", http.StatusServiceUnavailable)
		return
	}
	w.Write([]byte("ok\n"))
}

// asSeller passes the name in the bearer token to next as the seller. It writes the errors of next in eBay's
// format.
func (s *server) asSeller(next func(w http.ResponseWriter, r *http.Request, seller string) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		seller, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || seller == "" {
			s.fail(w, r, invalidToken)
			return
		}
		if err := next(w, r, seller); err != nil {
			s.fail(w, r, err)
		}
	}
}

// now returns the time in milliseconds, the resolution of the API.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

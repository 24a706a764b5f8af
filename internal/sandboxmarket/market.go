// Package sandboxmarket is a marketplace for development and tests. It is a separate server that implements
// the part of eBay's API that CardVault uses, stores its offers and orders in PostgreSQL, and serves pages
// where a person buys or ends a listing.
//
// It represents another company's system: it has sellers and SKUs, not accounts and cards, and CardVault
// uses it over HTTP only. A bearer token is one that its OAuth endpoints issued, or the name of a seller, which is
// not verified. Any visitor can act as any seller, so the marketplace must not be reachable from a public network.
package sandboxmarket

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// maxBody limits request bodies, except images. The largest is 25 inventory items with 24 image URLs each.
	maxBody = 1 << 20
	// maxForm limits the form with an image.
	maxForm = wire.MaxImageBytes + 64<<10
)

type server struct {
	store  store
	faults faults
	sender *worker.Periodic // of notifications
	log    *slog.Logger
	// dailyCalls is the number of calls of a seller in a day.
	dailyCalls int64
}

// Option changes a setting of the marketplace.
type Option func(*server)

// WithDailyCalls sets the number of calls of a seller, or of an application for itself, in a day (UTC). The default is
// DailyCalls.
func WithDailyCalls(n int64) Option { return func(s *server) { s.dailyCalls = n } }

// Market is the marketplace: a handler, and a loop that sends notifications while it runs.
type Market struct {
	http.Handler
	worker.Loop
}

// New returns the marketplace. Migrate must have been called for the database.
func New(db *postgres.DB, log *slog.Logger, options ...Option) *Market {
	s := &server{store: store{db}, log: log, dailyCalls: DailyCalls}
	for _, option := range options {
		option(s)
	}
	s.sender = worker.NewPeriodic("market notifications", notifyInterval, s.sendDue)
	mux := http.NewServeMux()
	s.callRoutes(mux)
	s.oauthRoutes(mux)
	s.controlRoutes(mux)
	s.pageRoutes(mux)
	s.faultRoutes(mux)
	mux.HandleFunc("GET /healthz", s.health)
	var protection http.CrossOriginProtection // the page's forms change state
	return &Market{protection.Handler(limit(mux)), s.sender}
}

func limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size := int64(maxBody)
		if r.URL.Path == wire.CreateImagePath {
			size = maxForm
		}
		r.Body = http.MaxBytesReader(w, r.Body, size)
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

// now returns the time in milliseconds, the resolution of the API.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

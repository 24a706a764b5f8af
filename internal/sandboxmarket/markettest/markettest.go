// Package markettest runs the sandbox marketplace in tests, and checks its requests and responses against the
// marketplace's published contracts.
package markettest

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
)

// Handler returns a marketplace on the database that open returns, and validates its requests and responses. The first
// request opens it and creates the marketplace's tables, so a test that makes none does not pay for them.
func Handler(t testing.TB, open func() *postgres.DB, options ...sandboxmarket.Option) http.Handler {
	t.Helper()
	return Validate(t, unchecked(t, open, options...), nil)
}

// Unchecked is On without the validation, for a server that validates requests itself before it passes them on.
func Unchecked(t testing.TB, db *postgres.DB) http.Handler {
	t.Helper()
	return unchecked(t, func() *postgres.DB { return db })
}

func unchecked(t testing.TB, open func() *postgres.DB, options ...sandboxmarket.Option) http.Handler {
	t.Helper()
	start := sync.OnceValues(func() (http.Handler, error) {
		db := open()
		if err := sandboxmarket.Migrate(t.Context(), db); err != nil {
			return nil, err
		}
		market := sandboxmarket.New(db, slog.New(slog.NewTextHandler(io.Discard, nil)), options...)
		t.Cleanup(func() { market.Stop(context.WithoutCancel(t.Context())) })
		return market, market.Start(t.Context())
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		market, err := start()
		if err != nil {
			if t.Context().Err() == nil { // else a worker that the test did not stop yet sent the first request
				t.Errorf("markettest: %v", err)
			}
			panic(http.ErrAbortHandler) // a response would have to conform to the contracts
		}
		market.ServeHTTP(w, r)
	})
}

// On is Handler for a database that is open.
func On(t testing.TB, db *postgres.DB, options ...sandboxmarket.Option) http.Handler {
	t.Helper()
	return Handler(t, func() *postgres.DB { return db }, options...)
}

package api_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// sink is a ResponseWriter that discards the response.
type sink struct{ header http.Header }

func (s sink) Header() http.Header         { return s.header }
func (s sink) Write(b []byte) (int, error) { return len(b), nil }
func (s sink) WriteHeader(int)             {}

// empty returns handlers that respond immediately, so that the benchmarks measure the middlewares.
func empty() *handlers {
	h := reading()
	h.listCards = func(context.Context, server.ListCardsRequestObject) (server.ListCardsResponseObject, error) {
		return server.ListCards200JSONResponse{Data: []server.Card{}}, nil
	}
	return h
}

func benchmark(b *testing.B, method, target, body string) {
	s := setup(b, empty(), func(c *api.Config) {
		c.Limits = ratelimit.Limits{Read: ratelimit.MaxLimit, Write: ratelimit.MaxLimit}
		c.Logger = slog.New(slog.NewJSONHandler(io.Discard, nil))
	})
	r := request(method, target, body)
	b.ReportAllocs()
	for b.Loop() {
		clear := sink{header: http.Header{}}
		if body != "" {
			r.Body = io.NopCloser(strings.NewReader(body))
		}
		s.ServeHTTP(clear, r)
	}
}

func BenchmarkGetCard(b *testing.B) { benchmark(b, "GET", "/api/cards/"+cardID, "") }

func BenchmarkListCards(b *testing.B) {
	benchmark(b, "GET", "/api/cards?status=identified,priced&limit=50&updated_since=2026-05-11T15:32:01Z", "")
}

func BenchmarkPatchCard(b *testing.B) {
	benchmark(b, "PATCH", "/api/cards/"+cardID,
		`{"identification":{"title":"Ember Fox","year":2026},`+
			`"pricing":{"asking_price":{"amount":1250,"currency":"USD"}},"location":"Room A/Shelf 2"}`)
}

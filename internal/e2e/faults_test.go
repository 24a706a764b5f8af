package e2e

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// TestOperations_WithoutDatabase checks that each operation returns the error unavailable if there is no database.
func TestOperations_WithoutDatabase(t *testing.T) {
	t.Parallel()
	s := start(t, unlimited)
	c := s.client(t, false)
	all := everyOperation(t, c.own())
	fresh := c.limited(ratelimit.Limits{}) // a token that the service has not cached
	s.dropDatabase(t)
	for _, o := range all {
		t.Run(o.OperationID, func(t *testing.T) {
			from := c
			if o.Responses.Value("501") != nil { // the operation itself needs no database, but authentication does
				from = fresh
			}
			from.in(t).call(o).want(t, http.StatusServiceUnavailable, nil).refused(t, "unavailable")
		})
	}
}

// dropDatabase drops the database of the running service.
func (s *service) dropDatabase(t testing.TB) {
	t.Helper()
	var name string
	if err := s.DB.Get(t.Context(), &name, "SELECT current_database()"); err != nil {
		t.Fatal(err)
	}
	cluster, err := postgres.Open(postgres.Config{
		URL:        os.Getenv("CARDVAULT_TEST_DATABASE_URL"),
		MaxConns:   1,
		Unprepared: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	if _, err := cluster.Exec(t.Context(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
		t.Fatal(err)
	}
}

// TestOperations_InternalError checks that an unexpected error, here a missing table, is an internal error of each
// operation and that its message gives no details.
func TestOperations_InternalError(t *testing.T) {
	t.Parallel()
	s := start(t, unlimited)
	c := s.client(t, false)
	all := everyOperation(t, c.own())
	fresh := c.limited(ratelimit.Limits{})
	for _, table := range []string{
		"account_clock", "cards", "card_deletions", "batches", "listings", "sales", "jobs", "events", "catalog_cards",
		"catalog_words", "token_hashes", "accounts", "webhook_endpoints", "request_usage", "card_imports",
	} {
		if _, err := s.DB.Exec(t.Context(), "ALTER TABLE "+table+" RENAME TO "+table+"_lost"); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range all {
		t.Run(o.OperationID, func(t *testing.T) {
			from := c
			if o.Responses.Value("501") != nil {
				from = fresh
			}
			got := from.in(t).call(o).want(t, http.StatusInternalServerError, nil).refused(t, "internal_error")
			request := got.header.Get("X-Request-Id")
			got.message(t, "Something went wrong on our side. Quote request "+request+".")
		})
	}
}

// TestIdentify_ProvidersTimeOut checks that a photo is not identified if no provider responds, and that each timeout is
// an attempt at the identification of a card.
func TestIdentify_ProvidersTimeOut(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.IdentifyTimeout = time.Nanosecond })
	c := s.client(t, false)
	photo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(picture(t, 7))
	}))
	t.Cleanup(photo.Close)
	byPhoto := c.do("POST", "/identify", `{"photo_url":"`+photo.URL+`"}`)
	byPhoto.want(t, http.StatusBadGateway, nil).refused(t, "upstream_error")
	made := c.create(`{"identify":false}`)
	put := c.do("PUT", "/cards/"+made.ID+"/photos/front", picture(t, 7), "Content-Type: image/jpeg")
	put.want(t, http.StatusOK, nil)
	var out struct {
		Outcome  string
		Attempts []struct{ Outcome string }
	}
	c.do("POST", "/identify", `{"card_id":"`+made.ID+`"}`).want(t, http.StatusOK, &out)
	if out.Outcome != "failed" || len(out.Attempts) != 2 || out.Attempts[0].Outcome != "timeout" {
		t.Errorf("got %+v, want a failure after two timeouts", out)
	}
}

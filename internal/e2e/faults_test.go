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

// While the database is away each operation says so, and when to ask again.
func TestEveryOperationWithoutADatabase(t *testing.T) {
	t.Parallel()
	s := start(t, unlimited)
	c := s.client(t, false)
	all := everyOperation(t, c.own())
	fresh := c.limited(ratelimit.Limits{}) // not remembered: whose it is cannot be told
	s.dropDatabase(t)
	for _, a := range all {
		from := c
		if a.Responses.Value("501") != nil { // it does not need the inventory
			from = fresh
		}
		from.call(a).want(t, http.StatusServiceUnavailable, nil).refused(t, "unavailable")
	}
}

// dropDatabase takes the service's database away from under it.
func (s *service) dropDatabase(t testing.TB) {
	t.Helper()
	var name string
	if err := s.DB.Get(t.Context(), &name, "SELECT current_database()"); err != nil {
		t.Fatal(err)
	}
	cluster, err := postgres.Open(postgres.Config{URL: os.Getenv("CARDVAULT_TEST_DATABASE_URL"), MaxConns: 1, Unprepared: true})
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	if _, err := cluster.Exec(t.Context(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
		t.Fatal(err)
	}
}

// What nobody foresaw, here a table that is gone, is an internal error of each operation that says nothing about it.
func TestEveryOperationFailsQuietly(t *testing.T) {
	t.Parallel()
	s := start(t, unlimited)
	c := s.client(t, false)
	all := everyOperation(t, c.own())
	fresh := c.limited(ratelimit.Limits{})
	for _, table := range []string{"account_clock", "cards", "batches", "listings", "events", "catalog_words", "token_hashes"} {
		if _, err := s.DB.Exec(t.Context(), "ALTER TABLE "+table+" RENAME TO "+table+"_lost"); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range all {
		from := c
		if a.Responses.Value("501") != nil {
			from = fresh
		}
		got := from.call(a).want(t, http.StatusInternalServerError, nil).refused(t, "internal_error")
		said(t, got.body, "Something went wrong on our side. Quote request "+got.header.Get("X-Request-Id")+".")
	}
}

// Providers that do not answer are no verdict on a photo; on a card both have failed.
func TestIdentificationWithoutProviders(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.IdentifyTimeout = time.Nanosecond })
	c := s.client(t, false)
	photo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(picture(t, 7)) }))
	t.Cleanup(photo.Close)
	c.do("POST", "/identify", `{"photo_url":"`+photo.URL+`"}`).want(t, http.StatusBadGateway, nil).refused(t, "upstream_error")
	made := c.create(`{"identify":false}`)
	c.do("PUT", "/cards/"+made.ID+"/photos/front", picture(t, 7), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	var out struct {
		Outcome  string
		Attempts []struct{ Outcome string }
	}
	c.do("POST", "/identify", `{"card_id":"`+made.ID+`"}`).want(t, http.StatusOK, &out)
	if out.Outcome != "failed" || len(out.Attempts) != 2 || out.Attempts[0].Outcome != "timeout" {
		t.Errorf("%+v", out)
	}
}

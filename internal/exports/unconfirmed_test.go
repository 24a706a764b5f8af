package exports

import (
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/postgres/pgtest/faultproxy"
)

// A claim is committed and its answer is lost. The export does not wait for the end of the lease.
func TestService_ReleasesClaimWithoutAnswer(t *testing.T) {
	t.Parallel()
	proxy, err := faultproxy.New(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Close)
	db, err := postgres.Open(postgres.Config{URL: proxy.URL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := setupOn(t, db)
	s.request()
	hit := proxy.FreezeAfter("UPDATE account_exports")
	go func() {
		link := <-hit
		for s.only().Status != Running {
		}
		link.Cut()
	}()
	if _, err := s.loop.Once(t.Context()); err == nil {
		t.Fatal("the claim got an answer: the test has tested nothing")
	}
	s.run()
	if e := s.only(); e.Status != Ready {
		t.Errorf("the export is %s, want %s", e.Status, Ready)
	}
}

package cards_test

import (
	"context"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// A process freezes while it stores new cards and holds the account's clock. PostgreSQL must end its transaction
// instead of waiting for the data of its COPY without limit.
func TestService_CreateOfFrozenProcessReleasesAccount(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t)
	open := func(url string) *postgres.DB {
		db, err := postgres.Open(postgres.Config{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	healthy := onMachine(t, open(proxy.Direct()), clock.System, "")
	frozen := onMachine(t, open(proxy.URL()), clock.System, healthy.account)
	hit := proxy.FreezeAfter(`"cards"`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := frozen.cards.Create(ctx, frozen.account, make([]cards.Draft, 3), nil); err == nil {
		t.Fatal("Create of the frozen process returns no error")
	}
	<-hit
	within, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		_, err := healthy.cards.Create(within, healthy.account, make([]cards.Draft, 1), nil)
		if err == nil {
			return
		}
		if within.Err() != nil {
			t.Fatalf("Create of another process: %v, want the account's clock released", err)
		}
	}
}

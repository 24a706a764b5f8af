package sandboxmarket_test

import (
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
)

// Several processes may start at a time, and each start migrates.
func TestMigrate_IsRepeatable(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			if err := sandboxmarket.Migrate(t.Context(), db); err != nil {
				t.Errorf("Migrate: %v", err)
			}
		})
	}
	wait.Wait()
	var tables int
	if err := db.Get(t.Context(), &tables, "SELECT count(*) FROM market.offers"); err != nil {
		t.Errorf("the table of offers: %v", err)
	}
}

// A marketplace that ran with the tables of earlier versions goes on with their rows.
func TestMigrate_KeepsRowsOfEarlierVersions(t *testing.T) {
	t.Parallel()
	m, o := setup(t), newOffer()
	published := publish(t, m, o)
	if _, err := m.db.Exec(t.Context(), "DROP TABLE market.goose_db_version"); err != nil {
		t.Fatal(err)
	}
	if err := sandboxmarket.Migrate(t.Context(), m.db); err != nil {
		t.Fatal(err)
	}
	if got := m.status(t, o.ListingID); got.ExternalID != published.ExternalID {
		t.Errorf("Status = %+v, want the listing %s", got, published.ExternalID)
	}
}

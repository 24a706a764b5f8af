package sandboxmarket_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
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

// The tables of earlier versions, which migration 0033 of the service moved into the schema, keep their rows.
func TestMigrate_AdoptsTablesOfEarlierVersions(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for _, statement := range []string{
		"CREATE SCHEMA market",
		`CREATE TABLE market.offers (sku text COLLATE "C" PRIMARY KEY, seller text COLLATE "C" NOT NULL,
			item text NOT NULL, offer_id text COLLATE "C" UNIQUE, terms text, state text NOT NULL,
			listing_id text COLLATE "C" UNIQUE, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL)`,
		"INSERT INTO market.offers VALUES ('a1', 'acc_seller', '{}', NULL, NULL, 'draft', NULL, now(), now())",
	} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	m := on(t, db)
	var kept wire.InventoryItem
	m.read(t, wire.InventoryPath+"/inventory_item/a1", &kept)
	if status, body := m.call(t, "acc_seller", "POST", wire.InventoryPath+"/offer",
		`{"sku":"a1","marketplaceId":"EBAY_US","format":"FIXED_PRICE"}`); status != http.StatusCreated {
		t.Errorf("offer of a kept item: %d %s", status, body)
	}
}

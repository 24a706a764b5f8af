package main

import "testing"

func TestForbidden(t *testing.T) {
	for _, c := range []struct {
		from, to string
		allowed  bool
	}{
		{"internal/cards", "internal/postgres", true},
		{"internal/cards", "internal/events", true},
		{"internal/cards", "internal/accounts", true},
		{"internal/identify", "internal/catalog", true},
		{"internal/cards", "internal/listings", false},
		{"internal/batches", "internal/listings", false},
		{"internal/listings", "internal/listings/marketplaces/ebay", true},
		{"internal/listings/marketplaces/ebay", "internal/netguard", true},
		{"internal/listings/marketplaces/ebay", "internal/photos", false},
		{"internal/postgres", "internal/cards", false},
		{"internal/netguard", "internal/worker", true},
		{"internal/cards", "internal/api", false},
		{"internal/api/v1", "internal/cards", true},
		{"internal/api/v1", "internal/api", true},
		{"internal/api", "internal/dashboard", false},
		{"internal/dashboard", "internal/api", false},
		{"internal/portal", "openapi", true},
		{"internal/portal", "internal/static", true},
		{"internal/portal", "internal/api", false},
		{"internal/api/v1", "gen/server/v1", true},
		{"internal/api", "gen/server/v1", false},
		{"internal/cards", "gen/server/v1", false},
		{"cmd/cardvault", "gen/client/go", false},
		{"gen/server/v2", "gen/server/v1", true},
		{"gen/server/v1", "internal/money", true},
		{"gen/server/v1", "internal/cards", false},
		{"cmd/cardvault", "internal/api", true},
		{"cmd/cardvault", "internal/cards", true},
		{"internal/cards", "cmd/cardvault", false},
		{"scripts/bench/load", "scripts/bench/measure", true},
		{"scripts/bench/measure", "scripts/bench/load", false},
		{"internal/cards", "scripts/bench/measure", false},
		{"internal/postgres", "migrations", true},
		{"internal/cards", "migrations", false},
		{"internal/api", "openapi", true},
		{"internal/cards", "openapi", false},
		{"internal/cards", "internal/postgres/pgtest", false},
		{"scripts/bench/load", "internal/postgres/pgtest/faultproxy", true},
		{"cmd/cardvault", "internal/postgres/pgtest/faultproxy", false},
		{"internal/postgres/pgtest", "internal/postgres", true},
		{"internal/postgres/pgtest", "internal/sharedtest", true},
	} {
		if reason := forbidden(c.from, c.to); (reason == "") != c.allowed {
			t.Errorf("forbidden(%s, %s) = %q, want allowed: %v", c.from, c.to, reason, c.allowed)
		}
	}
}

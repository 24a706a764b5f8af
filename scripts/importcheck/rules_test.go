package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
		{"internal/listings", "internal/marketplaces", true},
		{"internal/listings", "internal/marketplaces/ebay", false},
		{"internal/dashboard/settings", "internal/marketplaces/ebay", false},
		{"cmd/cardvault", "internal/marketplaces/ebay", false},
		{"internal/app", "internal/marketplaces/ebay", true},
		{"internal/marketplaces/ebay", "internal/marketplaces/connections", true},
		{"internal/marketplaces/ebay", "internal/netguard", true},
		{"internal/marketplaces/ebay", "internal/photos", false},
		{"internal/postgres", "internal/cards", false},
		{"internal/netguard", "internal/worker", true},
		{"internal/cards", "internal/api", false},
		{"internal/api/v1", "internal/cards", true},
		{"internal/api/v1", "internal/api", true},
		{"internal/api", "internal/portal", false},
		{"internal/portal", "openapi", true},
		{"internal/portal", "internal/staticdoc", true},
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
		{"internal/api/apitest", "openapi", true},
		{"internal/cards", "openapi", false},
		{"internal/cards", "internal/postgres/pgtest", false},
		{"scripts/contract/coverage", "internal/api/apitest", true},
		{"cmd/cardvault", "internal/api/apitest", false},
		{"internal/postgres/pgtest", "internal/postgres", true},
		{"internal/postgres/pgtest", "internal/sharedtest", true},
		{"cmd/cardvault", simulators[0], true},
		{"cmd/cardvault", "internal/app", true},
		{"internal/app", "internal/api/v1", true},
		{"internal/app", "gen/server/v1", false},
		{"internal/api", "internal/app", false},
		{"internal/cards", "internal/app", false},
		{"internal/listings", simulators[0], false},
		{simulators[0], "internal/marketplaces/ebay/wire", true},
		{simulators[0], "internal/cards", false},
	} {
		t.Run(c.from+" imports "+c.to, func(t *testing.T) {
			if reason := forbidden(c.from, c.to); (reason == "") != c.allowed {
				t.Errorf("forbidden(%s, %s) = %q, want allowed: %v", c.from, c.to, reason, c.allowed)
			}
		})
	}
}

// module returns the packages that the rules name, and others beside them.
func module(t *testing.T, others ...pkg) []pkg {
	t.Helper()
	packages := others
	for _, name := range named() {
		packages = append(packages, pkg{ImportPath: "example.org/m/" + name})
	}
	for i := range packages {
		packages[i].Module = &struct{ Path string }{"example.org/m"}
	}
	return packages
}

func TestCheck(t *testing.T) {
	const added = "example.org/m/internal/added"
	for _, c := range []struct {
		name     string
		packages []pkg
		want     []string
	}{
		{"only packages that are named", module(t), nil},
		{
			"unknown package", module(t, pkg{ImportPath: added, Imports: []string{"fmt"}}),
			[]string{"internal/added has no layer: name it in scripts/importcheck/rules.go"},
		},
		{
			"forbidden import", module(t, pkg{
				ImportPath: "example.org/m/internal/cards/csv", Imports: []string{"fmt", "example.org/m/internal/api"},
			}),
			[]string{"internal/cards/csv imports internal/api: imports go from edges to domain to ground"},
		},
		{
			"rule without a package", module(t)[1:],
			[]string{groundPackages[0] + " is named in scripts/importcheck/rules.go and is no package"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, check(c.packages)); diff != "" {
				t.Errorf("check (-want +got):\n%s", diff)
			}
		})
	}
}

func TestForbiddenStandard(t *testing.T) {
	for _, c := range []struct {
		from, imported string
		allowed        bool
	}{
		{"internal/subprocess", "os/exec", true},
		{"internal/identify/tesseract", "os/exec", false},
		{"internal/identify/tesseract", "os", true},
		{"internal/app", "os/exec", false},
		{"cmd/cardvault", "os/exec", false},
		{"scripts/bench/load", "os/exec", true},
		{"internal/e2e/processtest", "os/exec", true},
	} {
		if got := forbiddenStandard(c.from, c.imported); (got == "") != c.allowed {
			t.Errorf("%s imports %s: got %q, want allowed %v", c.from, c.imported, got, c.allowed)
		}
	}
}

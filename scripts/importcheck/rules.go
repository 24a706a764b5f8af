package main

import (
	"slices"
	"strings"
)

// layer is the place of a package in the module. The lower four are ordered: each may import those before it.
type layer int

const (
	unknown   layer = iota
	ground          // knows nothing of cards; any package may import it
	domain          // one package per noun, with its subfolders
	edge            // how requests, readers and the demo reach the domain
	assembly        // puts the other layers together and runs them
	program         // parses flags
	simulator       // stands for another company's system and knows nothing of the domain
	generated       // gen/
	embedded        // documents compiled into the program
	testOnly        // helpers of tests and scripts
)

// groundPackages may be imported by any package.
var groundPackages = []string{
	"internal/audit",
	"internal/blank",
	"internal/calendar",
	"internal/caller",
	"internal/clock",
	"internal/collation",
	"internal/concurrency",
	"internal/config",
	"internal/fault",
	"internal/groupcommit",
	"internal/heartbeat",
	"internal/id",
	"internal/keyring",
	"internal/marketplaces/ebay/wire",
	"internal/money",
	"internal/netguard",
	"internal/paging",
	"internal/postgres",
	"internal/postgres/partitions",
	"internal/queue",
	"internal/quota",
	"internal/ratelimit",
	"internal/signon",
	"internal/staticdoc",
	"internal/subprocess",
	"internal/timestamp",
	"internal/tracing",
	"internal/upload",
	"internal/waiting",
	"internal/worker",
}

// domainPackages are the roots of the domain's packages. A subfolder belongs to its root.
var domainPackages = []string{
	"internal/accounts",
	"internal/batches",
	"internal/cards",
	"internal/catalog",
	"internal/events",
	"internal/exports",
	"internal/identify",
	"internal/jobs",
	"internal/listings",
	"internal/marketplaces",
	"internal/photos",
	"internal/pricing",
	"internal/sales",
	"internal/stock",
	"internal/usage",
	"internal/users",
	"internal/views",
	"internal/webhooks",
}

// commonDomainPackages may be imported by the other domain packages: the owner of a thing, the card, the reference
// catalogue, the record of changes, and the interface of marketplaces.
var commonDomainPackages = []string{
	"internal/accounts", "internal/cards", "internal/catalog", "internal/events", "internal/marketplaces",
}

// edgePackages are the roots of the edges: the API, its documentation, and the demo that fills an account.
var edgePackages = []string{"internal/api", "internal/dashboard", "internal/demo", "internal/portal"}

// assemblyPackages put the service together.
var assemblyPackages = []string{"internal/app"}

// adapterPackages are the marketplaces. Only the list of the assembly names them.
var adapterPackages = []string{"internal/marketplaces/ebay", "internal/marketplaces/sandbox"}

// simulators are reached over HTTP, like the systems that they stand for. Only programs import them, to run them.
var simulators = []string{"internal/sandboxmarket"}

// testPackages may be imported by tests, by one another and by the programs under scripts/.
var testPackages = []string{
	"internal/api/apitest",
	"internal/e2e",
	"internal/marketplaces/ebay/ebaytest",
	"internal/marketplaces/marketplacetest",
	"internal/identify/modelfiles/modelstest",
	"internal/dashboard/web/list/listtest",
	"internal/e2e/dashboardtest",
	"internal/e2e/processtest",
	"internal/e2e/processtest/history",
	"internal/e2e/program",
	"internal/netguard/netguardtest",
	"internal/polltest",
	"internal/postgres/pgtest",
	"internal/postgres/pgtest/faultproxy",
	"internal/queue/queuetest",
	"internal/sandboxmarket/markettest",
	"internal/sharedtest",
	"internal/signon/signontest",
	"internal/tracing/tracingtest",
	"internal/webhooks/webhooktest",
	"openapi/additive",
}

// scriptPackages are shared by the programs under scripts/.
var scriptPackages = []string{"scripts/bench/measure"}

// documents are embedded files: the contract and the migrations.
var documents = []string{"openapi", "migrations"}

// named returns every package that the rules name.
func named() []string {
	return slices.Concat(
		groundPackages, domainPackages, edgePackages, assemblyPackages, simulators,
		testPackages, scriptPackages, documents,
	)
}

// layerOf returns the layer of a package, given by its path in the module.
func layerOf(path string) layer {
	switch {
	case slices.Contains(testPackages, path):
		return testOnly
	case slices.Contains(groundPackages, path):
		return ground
	case slices.Contains(documents, path):
		return embedded
	case slices.Contains(simulators, path):
		return simulator
	case slices.Contains(edgePackages, root(path)):
		return edge
	case slices.Contains(assemblyPackages, path):
		return assembly
	case slices.Contains(domainPackages, root(path)):
		return domain
	}
	switch folder, _, _ := strings.Cut(path, "/"); folder {
	case "cmd", "scripts":
		return program
	case "gen":
		return generated
	}
	return unknown
}

// root returns the package directly below internal/ that a path belongs to: "internal/api" for "internal/api/v1".
func root(path string) string {
	parts := strings.SplitN(path, "/", 3)
	return strings.Join(parts[:min(len(parts), 2)], "/")
}

// forbidden returns the reason why a package must not import another, or "". Both are paths in the module.
func forbidden(from, to string) string {
	source, target := layerOf(from), layerOf(to)
	switch {
	case target == testOnly:
		if source != testOnly && !strings.HasPrefix(from, "scripts/") {
			return "only tests and scripts import it"
		}
	case target == generated:
		if source != generated && !strings.HasPrefix(from, "internal/api/v") {
			return "only internal/api/v1 and v2 import generated types"
		}
	case target == program:
		if source != program || !slices.Contains(scriptPackages, to) {
			return "a program is not imported"
		}
	case target == assembly:
		if source != program && source != testOnly {
			return "only programs import the assembly"
		}
	case target == embedded:
		return forbiddenDocument(from, to)
	case source == generated, source == simulator:
		if target != ground {
			return "it may import the ground only"
		}
	case slices.Contains(adapterPackages, to):
		if source != assembly && source != testOnly && root(from) != "internal/marketplaces" {
			return "only the assembly knows the marketplaces by name"
		}
	case source == program || source == assembly || source == testOnly || root(from) == root(to):
		return ""
	case target == simulator:
		return "only programs import a simulator"
	case source == edge && target == edge:
		return "an edge does not import another"
	case target > source:
		return "imports go from edges to domain to ground"
	case source == domain && target == domain && !slices.Contains(commonDomainPackages, root(to)):
		return "a domain package declares an interface for what it needs of another"
	}
	return ""
}

// forbiddenDocument is forbidden for the embedded documents: edges serve the contract, internal/postgres applies the
// migrations.
func forbiddenDocument(from, to string) string {
	if to == "migrations" {
		if root(from) != "internal/postgres" {
			return "only internal/postgres applies the migrations"
		}
		return ""
	}
	if source := layerOf(from); source != edge && source != program && source != testOnly {
		return "only edges know the contract"
	}
	return ""
}

// forbiddenStandard is forbidden for a package of the standard library: child processes of the service get no secrets
// and a limit of their memory, which internal/subprocess sees to.
func forbiddenStandard(from, path string) string {
	switch layer := layerOf(from); {
	case path != "os/exec" || from == "internal/subprocess" || layer == testOnly:
		return ""
	case layer == program && !strings.HasPrefix(from, "cmd/"):
		return ""
	}
	return "internal/subprocess starts child processes"
}

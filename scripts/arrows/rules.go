package main

import (
	"slices"
	"strings"
)

// layer is a package's place in the house.
type layer int

const (
	ground    layer = iota // internal/ packages that know nothing of cards; also every internal/ package not named below
	domain                 // one package per noun, with its folders
	edge                   // how the world reaches the domain
	program                // wires and runs: may know everything but generated code
	generated              // gen/
	embedded               // documents compiled into the program
	helper                 // for tests alone
)

// nouns are the domain's packages.
var nouns = []string{
	"accounts", "batches", "cards", "catalog", "events", "identify", "listings", "photos", "pricing", "webhooks",
}

// commonNouns are those that the other nouns may know: whose something is, the card that everything
// is about, what is known of cards in general, and what happened.
var commonNouns = []string{"accounts", "cards", "catalog", "events"}

// edges are the packages through which the domain is used or explained: by clients, by people, by the demo that fills it.
var edges = []string{"api", "dashboard", "demo", "portal"}

// helpers are the packages that only tests and one another may import.
var helpers = []string{
	"internal/postgres/pgtest", faultProxy, "internal/sharedtest", "internal/tracing/tracingtest",
}

// faultProxy is a helper that the programs which test the service under load use too.
const faultProxy = "internal/postgres/pgtest/faultproxy"

// tools are the packages that programs share and nobody else knows.
var tools = []string{"scripts/bench/measure"}

// layerOf places a package, given by its path in the module.
func layerOf(path string) layer {
	top, unit := firstFolder(path), unit(path)
	switch {
	case slices.Contains(helpers, path):
		return helper
	case top == "cmd" || top == "scripts":
		return program
	case top == "gen":
		return generated
	case top == "openapi" || top == "migrations":
		return embedded
	case slices.Contains(edges, unit):
		return edge
	case slices.Contains(nouns, unit):
		return domain
	default:
		return ground
	}
}

// unit is the name of the internal/ package that a path belongs to: "api" for internal/api/v1.
func unit(path string) string {
	rest, internal := strings.CutPrefix(path, "internal/")
	if !internal {
		return ""
	}
	return firstFolder(rest)
}

func firstFolder(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

// forbidden says why a package must not import another, or nothing. Both are paths in the module.
func forbidden(from, to string) string {
	source, target := layerOf(from), layerOf(to)
	switch {
	case target == helper:
		if source != helper && (to != faultProxy || firstFolder(from) != "scripts") {
			return "it is for tests alone"
		}
	case target == generated:
		if source != generated && !strings.HasPrefix(from, "internal/api/v") {
			return "generated types stop at internal/api/v1 and v2"
		}
	case target == program:
		if source != program || !slices.Contains(tools, to) {
			return "nothing imports a program"
		}
	case target == embedded:
		return forbiddenDocument(from, to, source)
	case source == generated:
		if target != ground {
			return "generated code knows value types of the ground alone"
		}
	case source == program || source == helper || unit(from) == unit(to):
		return ""
	case source == edge && target == edge:
		return "edges do not know one another"
	case target > source:
		return "arrows go from edges to domain to ground"
	case source == domain && target == domain && !slices.Contains(commonNouns, unit(to)):
		return "a domain package that needs another takes an interface that it declares itself"
	}
	return ""
}

// forbiddenDocument: the contract is for the edges, the schema for the database's package.
func forbiddenDocument(from, to string, source layer) string {
	if firstFolder(to) == "migrations" {
		if unit(from) != "postgres" {
			return "only internal/postgres applies the schema"
		}
		return ""
	}
	if source != edge && source != program {
		return "the contract is known to the edges alone"
	}
	return ""
}

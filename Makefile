# The commands for developers and CI. Each target installs what it needs and keeps its state and logs in .data/.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Prerequisites run one after the other, in the order given: setup comes before everything that needs it. `$(parallel) A B`
# runs targets in parallel in a make of their own. It prints the output of each when that has finished.
parallel := $(MAKE) --no-print-directory --jobs --output-sync=target IN_PARALLEL=yes
passed = printf '$@: passed in %d s\n' "$$SECONDS"

ifndef IN_PARALLEL
.NOTPARALLEL:
# Builds need no version from git, which refuses to read a checkout of another user, as CI often has. Without paths and
# debugger data, clones of the repository share the build cache and the compiler saves a tenth of its time.
export GOFLAGS := $(GOFLAGS) -buildvcs=false -trimpath -gcflags=all=-dwarf=false
endif

.PHONY: help setup run quick test static static-code static-contract static-downloads compatible check lint unit unit-raced \
	unit-browsers covered outside outside-requests outside-clients outside-collection outside-documentation \
	outside-portal e2e sdk portal contract getting-started generate screenshots guide-pictures bench bench-webhooks \
	bench-identify calibrate-identify microbench soak clean

help: ## list the targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/\1 \2/p' $(MAKEFILE_LIST) | \
		while read -r target does; do printf 'make %-16s %s\n' "$$target" "$$does"; done

setup: ## install what make run and make test need
	@scripts/install.sh run test

run: ## start everything with a demo account; Ctrl-C stops it
	@scripts/run.sh

quick: ## build everything, check and test the packages with changed files (BASE=COMMIT: those changed since)
	@scripts/quick.sh

test: setup static unit covered outside ## everything that must pass before a change goes in

# The compiler spends a fifth of its time on garbage collection by default.
quick static unit: export GOGC := 400

static: ## make check, lint and compatible in parallel, and downloads for make outside
	@$(parallel) static-code static-contract static-downloads

static-code:
	@scripts/check.sh format style vet imports staticcheck && $(passed)

static-contract:
	@scripts/lint.sh && scripts/contract/breaking.sh && scripts/contract/changelog.sh check && \
		scripts/check.sh generated && $(passed)

static-downloads:
	@scripts/contract/schemathesis.sh install && scripts/contract/collection/install.sh && scripts/axe.sh >/dev/null && \
		scripts/check.sh module && $(passed)

check: ## formatting, go.mod, style, vet, import rules, staticcheck, generated code
	@scripts/check.sh

contract: ## lint and compare the contract, and test a running service against it
	@scripts/contract.sh

lint: ## lint the OpenAPI documents
	@scripts/lint.sh

compatible: ## the contract breaks no released client, and the changelog is up to date
	@scripts/contract/breaking.sh
	@scripts/contract/old-programs.sh
	@scripts/contract/changelog.sh check

# The tests record the responses they saw for make covered.
unit: export CARDVAULT_TEST_SEEN := $(CURDIR)/.data/contract/seen
# By default the race detector sleeps for a second at the end of each package.
unit: export GORACE := atexit_sleep_ms=50
unit: ## go test -race ./... on a real PostgreSQL
	@scripts/with-test-postgres.sh $(parallel) unit-raced unit-browsers

# internal/e2e takes the longest and mostly waits, so it is built first. The programs are linked without what debuggers read.
unit-raced:
	@go test -race $(unraced) -ldflags=-w -vet=off -timeout 20m -p $$(($$(nproc) + 1)) \
		./internal/e2e $$(go list ./... | grep -v -e /dashboardtest -e /internal/e2e$$)

# The race detector does not watch the tests with browsers, whose requests internal/dashboard and internal/e2e make too.
unit-browsers:
	@go test -ldflags=-w -vet=off -timeout 20m ./internal/e2e/dashboardtest

# These packages compute on pixels, bytes and texts and share nothing. The race detector makes them up to ten times slower
# and takes a third of the processor time of tests with photos, so it does not watch their memory accesses.
# A package that orders the accesses of others by sync or atomic must not be here: the detector would not see that order.
pure := github.com/cardvault/cardvault/internal/identify/vision github.com/cardvault/cardvault/internal/demo/art \
	golang.org/x/image/draw golang.org/x/image/font golang.org/x/image/font/opentype golang.org/x/image/font/sfnt \
	golang.org/x/image/math/fixed golang.org/x/image/vector golang.org/x/image/vp8 golang.org/x/image/vp8l \
	golang.org/x/image/webp image image/color image/draw image/jpeg image/png compress/flate \
	github.com/cardvault/cardvault/internal/catalog/folding \
	github.com/cardvault/cardvault/internal/identify/match golang.org/x/text/unicode/norm golang.org/x/text/transform \
	golang.org/x/crypto/argon2 golang.org/x/crypto/blake2b
unraced := $(foreach package,$(pure),-gcflags=$(package)=-race=false)

covered: ## make unit produced every response that the contract documents
	@go run ./scripts/contract/coverage .data/contract/seen

outside: ## generated requests, collection, sdk, guides, e2e and portal, in parallel on one service
	@scripts/with-server.sh $(parallel) outside-requests outside-clients outside-collection outside-documentation \
		outside-portal

outside-requests:
	@scripts/contract/schemathesis.sh && $(passed)

outside-clients:
	@scripts/sdk.sh && $(passed)

outside-collection:
	@scripts/contract/collection/run.sh && $(passed)

outside-documentation:
	@scripts/getting-started.sh && scripts/guides.sh && scripts/e2e.sh && $(passed)

outside-portal:
	@scripts/portal.sh && $(passed)

e2e: ## test make run from outside
	@scripts/e2e.sh

sdk: ## build, install and test each client package against a running service
	@scripts/with-server.sh scripts/sdk.sh

portal: ## test the documentation in a real browser
	@scripts/with-server.sh scripts/portal.sh

getting-started: ## follow the first page of the documentation in each language, from a clean clone
	@scripts/getting-started.sh

screenshots: export CARDVAULT_TEST_SCREENSHOTS := $(CURDIR)/.data/screenshots
screenshots: setup ## pictures of every page of the dashboard, light, dark and on a phone, and after each task, in .data/screenshots/
	@scripts/with-test-postgres.sh go test -count=1 -run '^(TestPages|TestActions|TestSignOn)$$' ./internal/e2e/dashboardtest

guide-pictures: screenshots ## make screenshots, and replace the pictures of the dashboard's guide
	@cp .data/screenshots/guide/*.webp openapi/guides/pictures/

generate: ## generate gen/ from openapi/
	@scripts/generate.sh

bench: ## compare the service with a baseline (and, with BEFORE=COMMIT, an earlier build) on 1,000,000 cards
	@scripts/bench.sh

bench-webhooks: ## measure webhook delivery: bursts, a steady load, slow and failing endpoints
	@scripts/bench-webhooks.sh

bench-identify: ## identify the photos of PHOTOS=DIR with CATALOG='FORMAT:FILE ...'
	@scripts/bench-identify.sh

calibrate-identify: ## fit the weights of an identification's evidence to the photos of PHOTOS=DIR with CATALOG='FORMAT:FILE ...'
	@scripts/bench-identify.sh -readers neural -calibrate internal/identify/judge/coefficients.go

microbench: ## the Go benchmarks on a real PostgreSQL
	@scripts/with-test-postgres.sh go test -run '^$$' -bench . ./...

soak: ## an hour of load with injected faults; checks for lost, duplicate and wrong data and for growth
	@scripts/soak.sh

clean: ## stop the private databases and delete .data/
	@scripts/clean.sh

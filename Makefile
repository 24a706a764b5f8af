# What developers and CI call. Each target installs what it is missing; everything it leaves behind is under .data/.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# The order of a target's prerequisites is meant: what is missing is installed first.
.NOTPARALLEL:

# Git refuses to describe a checkout that belongs to another user (CI often has one); no build here needs its answer.
# Where a checkout lies is no part of what is built, so a second clone need not compile it again. What is only for
# debuggers takes the compiler a tenth of its time.
export GOFLAGS := $(GOFLAGS) -buildvcs=false -trimpath -gcflags=all=-dwarf=false

.PHONY: help setup run test static compatible check lint unit covered outside e2e sdk portal contract getting-started generate bench bench-webhooks microbench soak clean

help: ## list the targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/\1 \2/p' $(MAKEFILE_LIST) | while read -r target does; do printf 'make %-14s %s\n' "$$target" "$$does"; done

setup: ## install what make run and make test need and this machine lacks
	@scripts/install.sh run test

run: ## start everything with a demo account; Ctrl-C stops it
	@scripts/run.sh

test: setup static unit covered outside ## everything that must hold before a change goes in

# Memory for time: the compiler spends a fifth of it on collecting garbage.
static unit: export GOGC := 400

# What waits for a download or a browser runs beside what computes; here is the time for downloads of make outside, too.
static: ## check, lint and compatible: all that can be said without running anything
	@scripts/side-by-side.sh 'scripts/check.sh format vet imports staticcheck' \
		'scripts/lint.sh && scripts/contract/breaking.sh && scripts/contract/changelog.sh check && scripts/check.sh generated' \
		'scripts/contract/schemathesis.sh install && scripts/contract/collection/install.sh && scripts/check.sh module'

check: ## formatting, vet, staticcheck, import rules, generated code, go.mod
	@scripts/check.sh

contract: ## the contract: linted, compatible with what was released, kept by a running service, covered by tests
	@scripts/contract.sh

lint: ## lint the OpenAPI documents
	@scripts/lint.sh

compatible: ## the contract breaks no released client, and the changelog says what has changed
	@scripts/contract/breaking.sh
	@scripts/contract/changelog.sh check

# What the tests see of the service is noted for make contract.
unit: export CARDVAULT_TEST_SEEN := $(CURDIR)/.data/contract/seen
# Without this the race detector waits a second at the end of each package. Vet is a part of make check.
unit: export GORACE := atexit_sleep_ms=50
unit: ## go test -race ./... on a real PostgreSQL
	@scripts/with-test-postgres.sh go test -race -vet=off -p $$(($$(nproc) + 1)) ./...

covered: ## every answer that the contract names has been given in the tests of make unit
	@go run ./scripts/contract/coverage .data/contract/seen

outside: ## the contract's generated requests and collection, sdk, portal, getting-started and e2e side by side
	@scripts/with-server.sh scripts/side-by-side.sh 'scripts/contract/schemathesis.sh' 'scripts/sdk.sh && scripts/contract/collection/run.sh' 'scripts/getting-started.sh && scripts/e2e.sh && scripts/portal.sh'

e2e: ## start the product as make run does and use it from outside
	@scripts/e2e.sh

sdk: ## the client packages, each built, installed and used against a running service
	@scripts/with-server.sh scripts/sdk.sh

portal: ## the documentation in a real browser
	@scripts/with-server.sh scripts/portal.sh

getting-started: ## do what the documentation's first page says, in each language, from a clean clone
	@scripts/getting-started.sh

generate: ## make gen/ anew from openapi/
	@scripts/generate.sh

bench: ## the service against the least program (and with BEFORE=COMMIT an earlier build), on 1,000,000 cards: figures and aims
	@scripts/bench.sh

bench-webhooks: ## the webhook engine: bursts, a steady load, endpoints in trouble: a table of figures and aims
	@scripts/bench-webhooks.sh

microbench: ## the Go benchmarks, on a real PostgreSQL
	@scripts/with-test-postgres.sh go test -run '^$$' -bench . ./...

soak: ## an hour of load and of everything that can go wrong: is anything lost, doubled, wrong or grown?
	@scripts/soak.sh

clean: ## stop the private databases and remove everything under .data/
	@scripts/clean.sh

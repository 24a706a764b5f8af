#!/usr/bin/env bash
# make soak: an hour in which everything goes wrong that can, on one machine, and whether anything is lost, doubled,
# wrong or grown afterwards. scripts/soak.sh -duration 2m is a smoke run. See scripts/bench/README.md.
#
# It is TestSoak of cmd/cardvault/processtest for longer; other arguments go to that, such as -strike 20s (how long a
# fault lasts) or -seed N (the random choices of a run that failed). It has a PostgreSQL of its own, which waits for its
# disk like any other, and uses the loopback addresses alone. After it, the plans of all sets of filters are explained, which
# takes some minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

duration=1h
if [[ ${1:-} == -duration ]]; then
  duration=$2
  shift 2
fi
scripts/install.sh run
go test ./cmd/cardvault/processtest -run '^TestSoak$' -count 1 -timeout 24h -v -soak "$duration" "$@"
scripts/with-test-postgres.sh go test ./internal/cards -run '^TestList_CostIsBoundedForEveryCombinationOfFilters$' -count 1 -v -every-filter-set

#!/usr/bin/env bash
# make soak: an hour of load with injected faults, on one machine. It checks that no data is lost, duplicated or wrong and
# that memory does not grow. scripts/soak.sh -duration 2m is a smoke run. See scripts/bench/README.md.
#
# It is TestSoak of internal/e2e/processtest for longer; other arguments go to that, such as -strike 20s (how long a
# fault lasts) or -seed N (the random choices of a run that failed). It has a PostgreSQL of its own, with
# durable commits, and uses loopback addresses only. After it, the tests of takeovers run one after the other, with strict
# bounds, for about a quarter of an hour. Then 1,000 cards are published at the sandbox marketplace while
# calls fail, and some are sold, ended and refunded. TestNeighbours measures the requests of a tenant beside one that does
# everything that could hurt it. Then the plans of all sets of filters are explained, which
# takes some minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

duration=1h
neighbours=2m # the length of a round
if [[ ${1:-} == -duration ]]; then
  duration=$2
  neighbours=20s
  shift 2
fi
scripts/install.sh run
go test ./internal/e2e/processtest -run '^TestSoak$' -count 1 -timeout 24h -v -soak "$duration" "$@"
scripts/with-test-postgres.sh go test ./internal/e2e/processtest -run '^(TestWorker_|TestServer_KilledRepeatsLittle$)' -parallel 1 \
  -count 1 -timeout 1h -v -soak "$duration"
scripts/with-test-postgres.sh go test ./internal/e2e/processtest -run '^TestNeighbours$' -count 1 -timeout 1h -v -neighbours "$neighbours"
scripts/with-test-postgres.sh go test ./internal/e2e -run '^TestEbay_Run$' -count 1 -timeout 15m -v -market-cards 1000
scripts/with-test-postgres.sh go test ./internal/cards -run '^TestList_CostIsBoundedForEveryCombinationOfFilters$' -count 1 -v -every-filter-set

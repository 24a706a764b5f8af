#!/usr/bin/env bash
# Reports the responses of the contracts that no test produced, and fails if there are any: scripts/contract/coverage.sh
#
# Runs the tests that validate responses, as make unit does. Tests whose results go test has cached do not run again, and
# their records are kept.
set -euo pipefail
cd "$(dirname "$0")/../.."

export CARDVAULT_TEST_SEEN=$PWD/.data/contract/seen
tests=(go test -race ./internal/api/... ./internal/e2e)

# Without their records cached results are of no use.
if [[ ! -s $CARDVAULT_TEST_SEEN/api.test || ! -s $CARDVAULT_TEST_SEEN/e2e.test ]]; then tests+=(-count=1); fi
scripts/with-test-postgres.sh "${tests[@]}"
go run ./scripts/contract/coverage "$CARDVAULT_TEST_SEEN"

#!/usr/bin/env bash
# Reports which of the contracts' answers no test has produced, and fails if there is any: scripts/contract/coverage.sh
#
# Runs the tests that hold answers against the contracts, as make unit does: results that go test has kept are not made
# anew, and neither are their notes.
set -euo pipefail
cd "$(dirname "$0")/../.."

export CARDVAULT_TEST_SEEN=$PWD/.data/contract/seen
tests=(go test -race ./internal/api/... ./cmd/cardvault)

# Without the notes kept results are of no use.
if [[ ! -s $CARDVAULT_TEST_SEEN/api.test || ! -s $CARDVAULT_TEST_SEEN/cardvault.test ]]; then tests+=(-count=1); fi
scripts/with-test-postgres.sh "${tests[@]}"
go run ./scripts/contract/coverage "$CARDVAULT_TEST_SEEN"

#!/usr/bin/env bash
# Runs a command with CARDVAULT_TEST_DATABASE_URL set: scripts/with-test-postgres.sh go test ./internal/cards
#
# The database is a throwaway cluster, separate from that of make run. One that is up already is used and left up;
# one that this script started is stopped when the command has ended. A variable that is set already wins.
set -euo pipefail

# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

cluster=$root/.data/test-postgres

if [[ -z ${CARDVAULT_TEST_DATABASE_URL:-} ]]; then
  start_cluster "$cluster" --throwaway
  CARDVAULT_TEST_DATABASE_URL=$("$root/scripts/postgres.sh" url "$cluster")
  export CARDVAULT_TEST_DATABASE_URL
fi

"$@"

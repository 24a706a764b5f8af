#!/usr/bin/env bash
# Runs a command with CARDVAULT_TEST_DATABASE_URL set: scripts/with-test-postgres.sh go test ./internal/cards
#
# The database is a throwaway cluster, separate from that of make run, in memory if there is enough. If it runs already, it
# is used and left running; else this script starts it and removes it after the command. If the variable is set, its
# database is used.
set -euo pipefail

# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

if [[ -z ${CARDVAULT_TEST_DATABASE_URL:-} ]]; then
  cluster=$(memory_folder test-postgres)
  start_cluster "$cluster" --throwaway
  CARDVAULT_TEST_DATABASE_URL=$("$root/scripts/postgres.sh" url "$cluster")
  export CARDVAULT_TEST_DATABASE_URL
fi

"$@"

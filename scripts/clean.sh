#!/usr/bin/env bash
# Stops the private clusters and removes what make run, make test and make bench left behind.
set -euo pipefail
cd "$(dirname "$0")/.."

for cluster in .data/postgres .data/test-postgres .data/bench-postgres; do
  scripts/postgres.sh remove "$cluster"
done
rm -rf .data scripts/lint/node_modules

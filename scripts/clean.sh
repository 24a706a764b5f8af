#!/usr/bin/env bash
# Stops the private clusters and removes what make run, make test and the benchmarks left behind.
set -euo pipefail
cd "$(dirname "$0")/.."

for cluster in .data/postgres .data/test-postgres .data/bench-postgres .data/bench-webhooks-postgres; do
  scripts/postgres.sh remove "$cluster"
done
rm -rf .data scripts/lint/node_modules

#!/usr/bin/env bash
# Stops the private clusters and deletes the files of make run, make test and the benchmarks.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

shopt -s nullglob

for cluster in .data/*postgres .data/*/postgres "$(memory_folder test-postgres)"; do
  scripts/postgres.sh remove "$cluster"
done
rm -rf .data scripts/*/node_modules scripts/*/*/node_modules gen/client/typescript/{node_modules,build,dist} gen/client/typescript/examples/*.mjs

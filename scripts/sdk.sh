#!/usr/bin/env bash
# Runs all tests of the client packages: scripts/with-server.sh scripts/sdk.sh
set -euo pipefail
cd "$(dirname "$0")/sdk"

for language in go typescript python; do
  printf 'sdk: %s\n' "$language" >&2
  "./$language.sh"
done

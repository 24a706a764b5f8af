#!/usr/bin/env bash
# make contract: lints the contracts and compares them with the last release and with the service.
#
#   lint           Spectral with OWASP's rules, Redocly: scripts/lint.sh
#   breaking       changes that break a client of the last release: scripts/contract/breaking.sh
#   changelog      openapi/changelog.md is up to date: scripts/contract/changelog.sh
#   collection     every request of the Postman collection: scripts/contract/collection/run.sh
#   schemathesis   generated requests; SEED, EXAMPLES and STATEFUL change them: scripts/contract/schemathesis.sh
#   coverage       a test produces every response: scripts/contract/coverage.sh
set -euo pipefail
cd "$(dirname "$0")/.."

# step NAME COMMAND...
step() {
  local name=$1 begun=$SECONDS
  shift
  printf 'contract: %s\n' "$name"
  "$@" || { printf 'contract: %s failed\n' "$name" >&2; exit 1; }
  printf 'contract: %s took %d s\n' "$name" $((SECONDS - begun))
}

# with_server runs the steps that need one, on the same.
with_server() {
  step collection scripts/contract/collection/run.sh
  step schemathesis scripts/contract/schemathesis.sh
}

if [[ ${1:-} == with-server ]]; then
  with_server
  exit
fi

scripts/install.sh run test
step lint scripts/lint.sh
step breaking scripts/contract/breaking.sh
step changelog scripts/contract/changelog.sh check
scripts/with-server.sh scripts/contract.sh with-server
step coverage scripts/contract/coverage.sh

#!/usr/bin/env bash
# Updates openapi/changelog.md with the differences that oasdiff finds between the last release and the contract:
#
#   scripts/contract/changelog.sh                      writes the section "Unreleased"
#   scripts/contract/changelog.sh check                fails if that would change it
#   scripts/contract/changelog.sh release VERSION DATE writes it and moves it to a section of the version
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=scripts/contract/released.sh
. scripts/contract/released.sh

command=${1:-write}
shift || true
released=$(newest_release)
if [[ -z $released ]]; then
  exec go run ./scripts/contract/changelog -first "$command" openapi/changelog.md "$@"
fi
scripts/contract/oasdiff.sh changelog "$released" openapi/v1.yaml --format json |
  go run ./scripts/contract/changelog "$command" openapi/changelog.md "$@"

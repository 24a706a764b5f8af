#!/usr/bin/env bash
# Compares two contracts: scripts/contract/oasdiff.sh breaking|changelog BASE REVISION [OPTION...]
#
# Runs the one version of oasdiff that is used here, with oasdiff.yaml and the levels of levels.txt, and ends with
# oasdiff's exit code.
set -euo pipefail

version=v1.30.0 # 1.35 needs a module that is not to be had
folder=$(cd "$(dirname "$0")" && pwd)
tools=$folder/../../.data/oasdiff-$version
command=$1 base=$2 revision=$3
shift 3

# Installed, not `go run`: that would turn every exit code into 1.
if [[ ! -x $tools/oasdiff ]]; then
  mkdir -p "$tools"
  GOBIN=$(cd "$tools" && pwd) go install "github.com/oasdiff/oasdiff@$version"
fi
# The known values of open schemas are compared like enumerations: none may be removed.
compared=$(mktemp -d)
trap 'rm -rf "$compared"' EXIT
"$folder/known.sh" "$base" >"$compared/base.yaml"
"$folder/known.sh" "$revision" >"$compared/revision.yaml"
# oasdiff knows no comments in its file of levels.
"$tools/oasdiff" "$command" "$compared/base.yaml" "$compared/revision.yaml" "$@" --config "$folder/oasdiff.yaml" --severity-levels <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$folder/levels.txt")

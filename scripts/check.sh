#!/usr/bin/env bash
# Static checks of the code: scripts/check.sh [format|module|style|vet|imports|staticcheck|generated...]
#
# Runs all parts, or those named. It changes nothing and stops at the first part that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2

check_format() {
  local unformatted
  unformatted=$(find . \( -name .data -o -name node_modules -o -name .git \) -prune -o -name '*.go' -print0 | xargs -0 gofmt -l)
  [[ -z $unformatted ]] || die "run gofmt -w on:"$'\n'"$unformatted"
}

# generated_sums DIR prints a checksum of each generated file below DIR/gen. Some files there are written by hand.
generated_sums() {
  (cd "$1" && find gen \( -name node_modules -o -name __pycache__ -o -name build -o -name dist \) -prune -o -type f \( -name '*.gen.go' -o -path '*/generated/*' -o -path '*/_generated/*' \) -print0 |
    sort -z | xargs -0 sha256sum)
}

# check_generated generates the code in a temporary folder and compares.
check_generated() {
  local fresh
  fresh=$(mktemp -d)
  # shellcheck disable=SC2064 # the folder's name now, not at exit
  trap "rm -rf '$fresh'" EXIT
  scripts/generate.sh "$fresh"
  diff <(generated_sums "$fresh") <(generated_sums .) >&2 || die "gen/ is out of date: run make generate and commit the result"
}

# The programs that use the Go client are modules of their own, as the client is.
client_program=scripts/bench/requests

check_module() {
  go mod tidy -diff || die "run go mod tidy"
  go mod tidy -C "$client_program" -diff || die "run go mod tidy in $client_program"
}
check_vet() { go vet ./... && go vet -C "$client_program" ./...; }
check_style() { go run ./scripts/stylecheck; }
check_imports() { go run ./scripts/importcheck; }
check_staticcheck() {
  go run "$staticcheck" ./...
  (cd "$client_program" && go run "$staticcheck" ./...)
}

[[ $# -gt 0 ]] || set -- format module style vet imports staticcheck generated
for part; do
  declare -F "check_$part" >/dev/null || die "there is no part $part"
  say "$part"
  "check_$part"
done

#!/usr/bin/env bash
# Fails unless programs that were written for the clients of a release compile with today's clients, unchanged.
#
# For Go, these are the programs beside the old client (openapi/released/sdk/go-1.0.0). For each language there is a
# program that uses the named values of marketplaces and channels (oldprograms); those that run against the service are
# tested by TestOld… of internal/e2e.
set -euo pipefail
program=old-programs
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$root"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "Go"
mkdir "$work/go"
cp -r openapi/released/sdk/go-1.0.0/{*.go,copy} "$work/go"
cp scripts/contract/oldprograms/values.go.txt "$work/go/values.go"
cat >"$work/go/go.mod" <<END
module shop

go 1.25.0

require github.com/cardvault/cardvault/gen/client/go v1.0.0

replace github.com/cardvault/cardvault/gen/client/go => $root/gen/client/go
END
(cd "$work/go" && go vet ./...)

say "Python"
tools=$(gen/client/python/tools.sh)
mkdir "$work/python"
cp scripts/contract/oldprograms/values.py "$work/python"
(cd "$work/python" && MYPYPATH=$root/gen/client/python "$tools/mypy" --cache-dir "$root/.data/python/mypy" --no-error-summary .)

say "TypeScript"
use_node
gen/client/typescript/tools/install.sh
mkdir -p "$work/typescript/node_modules/@cardvault"
ln -s "$root/gen/client/typescript" "$work/typescript/node_modules/@cardvault/client"
cp scripts/contract/oldprograms/values.mts "$work/typescript"
npm --prefix gen/client/typescript run --silent build
(cd "$work/typescript" && "$root/gen/client/typescript/node_modules/.bin/tsc" --noEmit --strict --skipLibCheck \
  --target ES2022 --lib ES2022,DOM --module NodeNext --types node --typeRoots "$root/gen/client/typescript/node_modules/@types" values.mts)

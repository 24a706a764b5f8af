#!/usr/bin/env bash
# Keeps the current clients as those of a release: scripts/contract/keep-clients.sh VERSION
#
# They go to openapi/released/sdk/LANGUAGE-VERSION: what runs, without tests and tools, in client/ or, for Python, as a
# wheel. The programs beside them are written by hand. Node.js 20 or later builds the TypeScript client.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=${1:?usage: scripts/contract/keep-clients.sh VERSION}

go=$PWD/openapi/released/sdk/go-$version/client
rm -rf "$go"
mkdir -p "$go/webhooks"
cp gen/client/go/go.mod gen/client/go/*.go "$go"
cp gen/client/go/webhooks/*.go "$go/webhooks"
rm "$go"/*_test.go "$go"/webhooks/*_test.go

typescript=$PWD/openapi/released/sdk/typescript-$version/client
rm -rf "$typescript"
mkdir -p "$typescript/dist/generated"
gen/client/typescript/tools/install.sh
npm --prefix gen/client/typescript run --silent build
cp gen/client/typescript/package.json "$typescript"
cp gen/client/typescript/dist/*.js "$typescript/dist"
cp gen/client/typescript/dist/generated/*.js "$typescript/dist/generated"

python=$PWD/openapi/released/sdk/python-$version
tools=$(gen/client/python/tools.sh)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r gen/client/python/{pyproject.toml,README.md,LICENSE,cardvault} "$copy"
mkdir -p "$python"
(cd "$copy" && "$tools/python" -m hatchling build --target wheel --directory "$python" >/dev/null)

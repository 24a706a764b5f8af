#!/usr/bin/env bash
# Keeps today's Go and TypeScript clients as those of a release: scripts/contract/keep-clients.sh VERSION
#
# They go to openapi/released/sdk/LANGUAGE-VERSION/client: what runs, without tests and tools. The programs beside them
# are written by hand. Node.js 20 or later builds the TypeScript client.
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

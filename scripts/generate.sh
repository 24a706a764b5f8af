#!/usr/bin/env bash
# Generates gen/ from the OpenAPI documents: scripts/generate.sh [DIR]
#
# With DIR it generates into a copy there. scripts/check.sh compares that with the checkout.
# The generator configs in openapi/ name their results (output: gen/…) relative to where the generator runs.
set -euo pipefail
cd "$(dirname "$0")/.."

module=github.com/oapi-codegen/oapi-codegen/v2 version=v2.8.2
generator=$module/cmd/oapi-codegen@$version

checkout=$PWD
if [[ ${1:-} ]]; then
  cp -r go.mod openapi "$1"
  cd "$1"
fi

# generate CONFIG DOCUMENT, the first in openapi/
generate() {
  local config=openapi/$1 output
  output=$(sed -n 's/^output: *//p' "$config")
  [[ $output == gen/* ]] || { echo "generate: $config must have a line 'output: gen/…'" >&2; exit 1; }
  mkdir -p "$(dirname "$output")"
  go run "$generator" -config "$config" "$2"
}

# patch_templates writes the generator's templates of the server, changed by server.patch, to .data/templates.
patch_templates() {
  local target=.data/templates source
  source=$(go mod download -json "$module@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')/pkg/codegen/templates
  rm -rf "$target"
  mkdir -p "$target"
  cp -r "$source/gorilla" "$source/strict" "$target"
  chmod -R u+w "$target" # files in the module cache are read-only
  # The ceiling keeps git from finding this repository, in which it would look for the files.
  GIT_CEILING_DIRECTORIES=$PWD git -C "$target" apply "$PWD/openapi/templates/server.patch"
}

patch_templates
generate server-v1.yaml openapi/v1.yaml
generate server-v2.yaml openapi/v2.yaml
# The known values of open schemas are constants of the clients.
"$checkout/scripts/contract/known.sh" openapi/v1.yaml >.data/known-v1.yaml
generate client-go.yaml .data/known-v1.yaml
"$checkout/gen/client/python/generator/generate.sh" .
"$checkout/gen/client/typescript/tools/generate.sh" .
"$checkout/scripts/contract/collection/generate.sh" .

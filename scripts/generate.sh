#!/usr/bin/env bash
# Makes gen/ from the OpenAPI documents: scripts/generate.sh [DIR]
#
# Each generator config under openapi/ names its result (output: gen/…); with DIR the results go below DIR instead, which
# is how scripts/check.sh compares without touching the checkout.
set -euo pipefail
cd "$(dirname "$0")/.."

generator=github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
top=${1:-.}

# generate CONFIG DOCUMENT, both in openapi/
generate() {
  local config=openapi/$1 output
  output=$(sed -n 's/^output: *//p' "$config")
  [[ $output == gen/* ]] || { echo "generate: $config must have a line 'output: gen/…'" >&2; exit 1; }
  mkdir -p "$top/$(dirname "$output")"
  go run "$generator" -config "$config" -o "$top/$output" "openapi/$2"
}

generate server-v1.yaml v1.yaml
generate server-v2.yaml v2.yaml
generate client-go.yaml v1.yaml

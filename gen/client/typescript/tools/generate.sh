#!/usr/bin/env bash
# Generates gen/client/typescript/src/generated from openapi/v1.yaml, both in ROOT: tools/generate.sh ROOT
set -euo pipefail
root=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
tools/install.sh
node tools/generate.mjs "$root/openapi/v1.yaml" "$root/gen/client/typescript/src/generated"

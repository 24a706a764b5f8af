#!/usr/bin/env bash
# Makes gen/collection from openapi/v1.yaml, both in a folder: scripts/contract/collection/generate.sh FOLDER
set -euo pipefail
tool=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$1" && pwd)

"$tool/install.sh"
node "$tool/generate.mjs" "$folder/openapi/v1.yaml" "$folder/gen/collection/cardvault.postman_collection.json"

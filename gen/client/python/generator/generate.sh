#!/usr/bin/env bash
# Generates gen/client/python/cardvault/_generated from openapi/v1.yaml, both in ROOT: generator/generate.sh ROOT
set -euo pipefail
root=$(cd "$1" && pwd)
cd "$(dirname "$0")"
bin=$(../tools.sh)
output=$root/gen/client/python/cardvault/_generated
prepared=$(mktemp --suffix=.json)
trap 'rm -f "$prepared"' EXIT

# python runs Python and prints only errors.
python() {
  local log
  log=$(PATH=$bin:$PATH PYTHONDONTWRITEBYTECODE=1 "$bin/python" "$@" 2>&1) || { echo "$log" >&2; exit 1; }
}

PYTHONDONTWRITEBYTECODE=1 "$bin/python" prepare.py "$root/openapi/v1.yaml" >"$prepared"
rm -rf "$output"
mkdir -p "$(dirname "$output")"
python -m openapi_python_client generate --path "$prepared" --output-path "$output" --overwrite \
  --meta none --config config.yaml --custom-template-path templates --fail-on-warning
# The generator always writes this file. The errors of the package are written by hand.
rm "$output/errors.py"

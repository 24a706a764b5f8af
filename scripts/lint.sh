#!/usr/bin/env bash
# Lints the OpenAPI documents with Spectral and its OWASP rules, and with Redocly. Rules and exceptions: .spectral.yaml,
# redocly.yaml.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

tools=scripts/lint

install_npm "$tools"
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
"$tools/node_modules/.bin/spectral" lint --ruleset .spectral.yaml --fail-severity warn --display-only-failures openapi/v1.yaml openapi/v2.yaml
"$tools/node_modules/.bin/redocly" lint v1 v2

#!/usr/bin/env bash
# Lints the OpenAPI documents by Spectral with its OWASP rules and by Redocly. Rules and exceptions: .spectral.yaml,
# redocly.yaml.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=scripts/lint
# npm notes in this file what it installed last; older than the lock file, it is out of date.
installed=$tools/node_modules/.package-lock.json

if [[ ! -f $installed || $tools/package-lock.json -nt $installed ]]; then
  # No install scripts: the only one among them reports usage to its maker.
  npm ci --prefix "$tools" --ignore-scripts --no-audit --no-fund --loglevel=error
fi
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
"$tools/node_modules/.bin/spectral" lint --ruleset .spectral.yaml --fail-severity warn --display-only-failures openapi/v1.yaml openapi/v2.yaml
"$tools/node_modules/.bin/redocly" lint v1 v2

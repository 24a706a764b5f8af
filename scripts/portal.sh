#!/usr/bin/env bash
# The documentation in a real browser, against a running service: scripts/with-server.sh scripts/portal.sh
#
# Every page on a desktop and a phone, light and dark: no console message, no request to another host, nothing that axe
# finds, no scrolling sideways; a request is tried out of the reference; and the reference's component is the published one.
set -euo pipefail
cd "$(dirname "$0")/.."

: "${SERVER:?run it as scripts/with-server.sh scripts/portal.sh}" "${TOKEN:?}"

tools=scripts/portal
# npm notes in this file what it installed last; older than the lock file, it is out of date.
installed=$tools/node_modules/.package-lock.json

scripts/install.sh test
if [[ ! -f $installed || $tools/package-lock.json -nt $installed ]]; then
  npm ci --prefix "$tools" --ignore-scripts --no-audit --no-fund --loglevel=error
fi
scripts/vendor-scalar.sh --check
node --test --test-reporter=spec "$tools"/*.test.mjs

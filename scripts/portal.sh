#!/usr/bin/env bash
# Tests the documentation in a real browser, against a running service: scripts/with-server.sh scripts/portal.sh
#
# Each page, on a desktop and a phone, light and dark, logs nothing on the console, requests nothing from another host, has
# no accessibility problem that axe finds and does not scroll sideways. A request sent from the reference succeeds, and the
# reference's component equals the published one.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

: "${SERVER:?run it as scripts/with-server.sh scripts/portal.sh}" "${TOKEN:?}"

tools=scripts/portal

scripts/install.sh test
install_npm "$tools"
scripts/vendor-scalar.sh --check
node --test --test-reporter=spec "$tools"/*.test.mjs

#!/usr/bin/env bash
# The documentation in a real browser, against a running service: scripts/with-server.sh scripts/portal.sh
#
# Every page on a desktop and a phone, light and dark: no console message, no request to another host, nothing that axe
# finds, no scrolling sideways; a request is tried out of the reference; and the reference's component is the published one.
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

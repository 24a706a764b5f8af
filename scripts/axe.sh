#!/usr/bin/env bash
# Prints the path of axe-core, with which the browser tests of the dashboard check pages, and installs it if it is missing:
# scripts/axe.sh
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

install_npm "$root/scripts/portal" >&2
echo "$root/scripts/portal/node_modules/axe-core/axe.min.js"

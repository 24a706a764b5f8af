#!/usr/bin/env bash
# Installs the pinned tools of this folder, unless they are there.
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=scripts/lib.sh
. ../../lib.sh

install_npm .

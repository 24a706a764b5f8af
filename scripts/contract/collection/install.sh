#!/usr/bin/env bash
# Installs the pinned tools of this folder, unless they are there.
set -euo pipefail
cd "$(dirname "$0")"

# npm notes in this file what it installed last; older than the lock file, it is out of date.
installed=node_modules/.package-lock.json
if [[ ! -f $installed || package-lock.json -nt $installed ]]; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
fi

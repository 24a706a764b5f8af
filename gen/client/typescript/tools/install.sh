#!/usr/bin/env bash
# Installs the development tools of package-lock.json into node_modules/, unless they are there.
set -euo pipefail
cd "$(dirname "$0")/.."

# npm notes in this file what it installed last; older than the lock file, it is out of date.
installed=node_modules/.package-lock.json

if [[ ! -f $installed || package-lock.json -nt $installed ]]; then
  # No install scripts: esbuild's only checks what npm has installed already.
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
fi

#!/usr/bin/env bash
# Installs the development tools of package-lock.json into node_modules/, unless they are installed.
set -euo pipefail
cd "$(dirname "$0")/.."

# npm writes this file after an installation. If it is older than the lock file, the tools are out of date.
installed=node_modules/.package-lock.json

if [[ ! -f $installed || package-lock.json -nt $installed ]]; then
  # The only install script is that of esbuild, which checks the installation.
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
fi
